// From a piece of a scalar back to its place in the file: YAML folds, unquotes and indents what a
// shell or another reader then takes apart.
#pragma once

#include <cstddef>
#include <string_view>

#include "document/value.hpp"

namespace ullage::plan {

// The file as it stands on disk, for looking things up in.
struct SourceText {
  std::string_view file;
  std::string_view text;
};

// Finds tokens of one scalar. Tokens should be asked for in their order; one that is not written
// as such (an escape stands in it) has the scalar's place.
class ScalarPlaces {
 public:
  // A scalar of a document.
  ScalarPlaces(const SourceText& source, std::uint32_t line, std::uint32_t column);
  // The whole file.
  explicit ScalarPlaces(const SourceText& source) : ScalarPlaces(source, 1, 1) {}

  base::Span at(std::string_view token);
  const SourceText& source() const { return source_; }
  base::Span start() const { return {std::string(source_.file), line_, column_}; }

 private:
  SourceText source_;
  std::uint32_t line_;
  std::uint32_t column_;
  std::size_t cursor_ = 0;      // where the search for the next token starts
  std::size_t line_start_ = 0;  // of the line that holds the cursor
  std::uint32_t cursor_line_ = 1;
};

}  // namespace ullage::plan
