// Finds the numbers of a JSON text outside its strings.
#include "document/json_feed.hpp"

#include "document/number_text.hpp"

namespace ullage::document {
namespace {

bool continues_token(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '-' || letter == '+' || letter == '.' ||
         letter == '_';
}

// The length of the number or of the number's name that `text` starts with, or 0.
std::size_t token_length(std::string_view text) {
  for (const std::string_view name : {"NaN", "Infinity", "-Infinity"}) {
    if (text.starts_with(name)) return name.size();
  }
  return number_length(text);
}

}  // namespace

void JsonFeed::look() {
  if (at_end()) return;
  const char first = text_[offset_];
  const bool starts_number = (first >= '0' && first <= '9') || first == '-';
  if (!starts_number && first != 'N' && first != 'I') return;
  // Only a whole token stands for a number; the rest of a malformed one is the parser's to refuse.
  if (offset_ > 0 && continues_token(text_[offset_ - 1])) return;
  const std::size_t end = offset_ + token_length(text_.substr(offset_));
  if (end < offset_ + 2 || (end < text_.size() && continues_token(text_[end]))) return;
  stand_in_begin_ = offset_;
  stand_in_end_ = end;
}

std::string_view JsonFeed::number_at(std::size_t start) const {
  return text_.substr(start, token_length(text_.substr(start)));
}

}  // namespace ullage::document
