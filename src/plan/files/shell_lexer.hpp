// The words, operators and here-documents of a shell text. Inside this folder only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/files/locate.hpp"

namespace ullage::plan {

enum class Quote : std::uint8_t { none, single, double_quotes };

// A stretch of a word under one kind of quotes.
struct Piece {
  std::string text;
  Quote quote = Quote::none;
};

struct Token {
  enum class Kind : std::uint8_t { word, separator, open, close, redirect, end };
  Kind kind = Kind::end;
  std::vector<Piece> pieces;  // of a word
  base::Span where;
  std::string mark;                 // of an operator
  std::optional<std::string> here;  // of `<<`: the text up to its end word
  bool expands = true;              // of `<<`: whether variables in it count

  // The word as it is written, where nothing in it is quoted.
  std::string_view bare() const {
    if (kind != Kind::word || pieces.size() != 1 || pieces[0].quote != Quote::none) return {};
    return pieces[0].text;
  }
};

// Takes a text apart. Nothing is refused: what is left open ends with the text.
std::vector<Token> shell_tokens(std::string_view text, ScalarPlaces& places);

}  // namespace ullage::plan
