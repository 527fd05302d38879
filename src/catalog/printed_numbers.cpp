// Cuts numbers and the units behind them out of running text.
#include "catalog/printed_numbers.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/spelling.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The symbol of a unit in words: `TFLOPS` of `teraflops`, `GB` of `gigabytes`; empty for another
// word. In lower case.
std::string symbol_of_word(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPrefixes{{{"kilo", "k"},
                                                                                     {"mega", "M"},
                                                                                     {"giga", "G"},
                                                                                     {"tera", "T"},
                                                                                     {"peta", "P"},
                                                                                     {"exa", "E"},
                                                                                     {"kibi", "Ki"},
                                                                                     {"mebi", "Mi"},
                                                                                     {"gibi", "Gi"},
                                                                                     {"tebi", "Ti"},
                                                                                     {"pebi", "Pi"},
                                                                                     {"", ""}}};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kUnits{
      {{"flops", "FLOPS"},
       {"flop/s", "FLOPS"},
       {"flop", "FLOP"},
       {"ops", "OPS"},
       {"op/s", "OPS"},
       {"bytes", "B"},
       {"byte", "B"},
       {"bits", "bit"},
       {"bit", "bit"},
       {"bytes/s", "B/s"},
       {"bits/s", "bit/s"},
       {"watts", "W"}}};
  for (const auto& [prefix, prefix_symbol] : kPrefixes) {
    if (!word.starts_with(prefix)) continue;
    for (const auto& [unit, unit_symbol] : kUnits) {
      if (word.substr(prefix.size()) == unit) {
        return std::string(prefix_symbol) + std::string(unit_symbol);
      }
    }
  }
  return {};
}

// One of the unit that stands at the beginning of the text; nothing where no known one does.
std::optional<units::Written> unit_at(std::string_view text, std::string_view lower) {
  std::size_t start = 0;
  while (start < text.size() && (text[start] == ' ' || text[start] == '-'))
    ++start;
  std::size_t end = start;
  while (end < text.size() && (is_letter(text[end]) || text[end] == '/'))
    ++end;
  if (end == start) return std::nullopt;
  std::string unit(text.substr(start, end - start));
  if (std::string word = symbol_of_word(lower.substr(start, end - start)); !word.empty()) {
    unit = std::move(word);
  }
  for (const std::string_view per : {" per second", " a second"}) {
    if (lower.substr(end).starts_with(per)) unit += "/s";
  }
  auto one = units::parse_written("1 " + unit);
  if (!one || one->dimension == units::kNumber) return std::nullopt;
  return std::move(*one);
}

}  // namespace

PrintedNumbers::PrintedNumbers(std::string_view text) {
  constexpr std::array<std::string_view, 13> kWords{"zero", "one",    "two",   "three", "four",
                                                    "five", "six",    "seven", "eight", "nine",
                                                    "ten",  "eleven", "twelve"};
  const std::string lower = base::lower(text);
  for (std::size_t at = 0; at < lower.size();) {
    if (is_digit(lower[at])) {
      at = take_number(text, lower, at);
      continue;
    }
    std::size_t end = at;
    while (end < lower.size() && is_letter(lower[end]))
      ++end;
    const std::string_view word = std::string_view(lower).substr(at, end - at);
    const auto* const found = std::find(kWords.begin(), kWords.end(), word);
    if (found != kWords.end()) numbers_.push_back({Rational(found - kWords.begin()), {}});
    at = std::max(end, at + 1);
  }
}

bool PrintedNumbers::matches(const Number& number, const units::Written& written) const {
  const Rational value = written.value();
  if (number.unit && number.unit->dimension == written.dimension) {
    return number.value * number.unit->scale == value;
  }
  if (number.value == value || number.value * Rational(1024) == written.number) return true;
  for (int exponent = -12; exponent <= 12; exponent += 3) {
    if (number.value * exact::power_of_ten(exponent) == written.number) return true;
  }
  return false;
}

bool PrintedNumbers::name(const units::Written& written) const {
  return std::any_of(numbers_.begin(), numbers_.end(),
                     [&](const Number& number) { return matches(number, written); });
}

bool PrintedNumbers::hold(const units::Written& written) const {
  if (name(written)) return true;
  if (numbers_.size() < 2) return false;
  Number product{Rational(1), {}};
  for (const Number& factor : numbers_)
    product.value = product.value * factor.value;
  if (matches(product, written)) return true;
  if (numbers_.size() != 2 || numbers_[1].value.is_zero()) return false;
  return matches({numbers_[0].value / numbers_[1].value, {}}, written);
}

// Reads the number at `at` and returns the place behind it. A comma before three digits sets
// thousands apart, before any other number of digits it is a decimal comma.
std::size_t PrintedNumbers::take_number(std::string_view text, std::string_view lower,
                                        std::size_t at) {
  if (lower.substr(at).starts_with("0x")) return take_hexadecimal(lower, at + 2);
  std::string digits;
  bool point = false;
  for (; at < lower.size(); ++at) {
    const char c = lower[at];
    std::size_t following = at + 1;
    while (following < lower.size() && is_digit(lower[following]))
      ++following;
    const std::size_t run = following - at - 1;
    if (is_digit(c)) {
      digits += c;
    } else if (c == ',' && run == 3 && !point) {
      continue;
    } else if ((c == '.' || c == ',') && run > 0 && !point) {
      digits += '.';
      point = true;
    } else if (c == 'e' && run > 0 && digits.find('e') == std::string::npos) {
      digits += 'e';
      point = true;
    } else {
      break;
    }
  }
  if (auto number = Rational::parse(digits)) {
    numbers_.push_back({std::move(*number), unit_at(text.substr(at), lower.substr(at))});
  }
  return at;
}

std::size_t PrintedNumbers::take_hexadecimal(std::string_view text, std::size_t at) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Rational value;
  for (; at < text.size(); ++at) {
    const std::size_t digit = kDigits.find(text[at]);
    if (digit == std::string_view::npos) break;
    value = value * Rational(16) + Rational(digit);
  }
  numbers_.push_back({value, {}});
  return at;
}

}  // namespace ullage::catalog
