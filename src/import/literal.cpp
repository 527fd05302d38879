// `320B:18B`: parameters in words of the field.
#include <array>

#include "import/open.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;

Diagnostic refused(std::string_view text, std::string message, std::string hint) {
  return {.code = Code::out_of_range,
          .message = base::printable(text) + ": " + std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

std::optional<int> exponent_of(char suffix) {
  switch (suffix) {
    case 'K':
    case 'k':
      return 3;
    case 'M':
    case 'm':
      return 6;
    case 'B':
    case 'b':
      return 9;
    case 'T':
    case 't':
      return 12;
    default:
      return std::nullopt;
  }
}

// Digits, at most one point, and a suffix: anything else is a name, not a literal.
bool looks_like_count(std::string_view text) {
  if (text.size() < 2 || !exponent_of(text.back())) return false;
  bool digit = false;
  for (const char c : text.substr(0, text.size() - 1)) {
    if (c >= '0' && c <= '9') {
      digit = true;
    } else if (c != '.' && c != '-') {
      return false;
    }
  }
  return digit;
}

base::Result<exact::Rational> parse_parameters(std::string_view text, std::string_view whole) {
  auto number = exact::Rational::parse(text.substr(0, text.size() - 1));
  if (!number) return refused(whole, "no number of parameters", "70B, 1.5T, 320B:18B");
  const exact::Rational count = *number * exact::power_of_ten(*exponent_of(text.back()));
  if (count.sign() <= 0)
    return refused(whole, "a model has at least one parameter", "70B, 320B:18B");
  if (!count.is_whole()) {
    return refused(whole, "no whole number of parameters",
                   "70.553706496B is exact to the parameter");
  }
  return count;
}

}  // namespace

base::Result<std::optional<Literal>> parse_literal(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view total = text.substr(0, colon);
  if (!looks_like_count(total)) return std::optional<Literal>();
  Literal literal;
  ULLAGE_TRY(literal.total, parse_parameters(total, text));
  if (colon == std::string_view::npos) return std::optional(std::move(literal));
  const std::string_view active = text.substr(colon + 1);
  if (!looks_like_count(active)) {
    return refused(text, "what follows the colon is no number of active parameters", "320B:18B");
  }
  ULLAGE_TRY(exact::Rational count, parse_parameters(active, text));
  if (count > literal.total) {
    return refused(text, "more active than total parameters", "total first, then active: 320B:18B");
  }
  literal.active = std::move(count);
  return std::optional(std::move(literal));
}

}  // namespace ullage::import
