// The grammar of a decimal number.
#include "document/number_text.hpp"

namespace ullage::document {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::size_t behind_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

}  // namespace

std::size_t number_length(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t end = behind_digits(text, first);
  if (end == first) return 0;
  if (text[first] == '0') end = first + 1;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = behind_digits(text, end + 1);
    if (fraction == end + 1) return end;
    end = fraction;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t digits = end + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t exponent = behind_digits(text, digits);
    if (exponent != digits) end = exponent;
  }
  return end;
}

}  // namespace ullage::document
