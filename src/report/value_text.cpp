// Prefixes, digits and rounding of shown values.
#include "report/value_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "units/quantity.hpp"

namespace ullage::report {
namespace {

using exact::Rational;
using exact::Rounding;
using units::Dimension;

// Longest decimal that exact_text and finite_decimal write out.
constexpr unsigned kLongestDecimal = 40;

constexpr std::array<std::string_view, 7> kDecimalPrefixes{"", "k", "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinaryPrefixes{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

// A text and whether it says less than the value.
struct Shown {
  std::string text;
  bool rounded = false;
};

Rational magnitude(const Rational& value) {
  return value.sign() < 0 ? -value : value;
}

// Separators between groups of three digits before the point.
std::string grouped(std::string_view decimal) {
  std::string text;
  if (decimal.starts_with('-')) {
    text += '-';
    decimal.remove_prefix(1);
  }
  const std::size_t whole_digits = std::min(decimal.find('.'), decimal.size());
  for (std::size_t at = 0; at < whole_digits; ++at) {
    if (at > 0 && (whole_digits - at) % 3 == 0) text += ',';
    text += decimal[at];
  }
  text += decimal.substr(whole_digits);
  return text;
}

std::string without_trailing_zeros(std::string decimal) {
  if (decimal.find('.') == std::string::npos) return decimal;
  while (decimal.ends_with('0'))
    decimal.pop_back();
  if (decimal.ends_with('.')) decimal.pop_back();
  return decimal == "-0" ? "0" : decimal;
}

Rational value_of(const std::string& decimal) {
  return Rational::parse(decimal).value();
}

// Exactly `digits` decimals.
Shown fixed(const Rational& value, unsigned digits, Rounding rounding) {
  const std::string decimal = value.to_decimal(digits, rounding);
  return {grouped(decimal), value_of(decimal) != value};
}

// A whole number bare, anything else with two decimals.
Shown bare_or_two_decimals(const Rational& value, Rounding rounding) {
  return fixed(value, value.is_whole() ? 0 : 2, rounding);
}

// The digits after the point at which a plain number is cut.
unsigned plain_digits(const Rational& value) {
  const Rational size = magnitude(value);
  if (size >= Rational(100)) return 2;
  if (size >= Rational(1)) return 4;
  unsigned digits = 4;
  while (digits < kLongestDecimal &&
         size * exact::power_of_ten(static_cast<int>(digits)) < Rational(1000)) {
    ++digits;
  }
  return digits;
}

Shown plain(const Rational& value, Rounding rounding) {
  if (value.is_whole()) return fixed(value, 0, rounding);
  const std::string decimal =
      without_trailing_zeros(value.to_decimal(plain_digits(value), rounding));
  return {grouped(decimal), value_of(decimal) != value};
}

// The prefix under which the rounded value stays below `limit`: 999,999,999 B rounded up is 1.00
// GB, not 1000.00 MB.
std::size_t prefix_for(const Rational& value, unsigned digits, Rounding rounding, int limit) {
  for (std::size_t power = 0; power + 1 < kDecimalPrefixes.size(); ++power) {
    const Rational scaled = value / exact::power_of_ten(3 * static_cast<int>(power));
    if (magnitude(value_of(scaled.to_decimal(digits, rounding))) < Rational(limit)) return power;
  }
  return kDecimalPrefixes.size() - 1;
}

std::string in_parentheses(const std::string& text) {
  return " (" + text + ")";
}

// Bytes, or bytes per something (`suffix` starts with the stroke).
Shown bytes(const Rational& value, std::string_view suffix, bool binary_beside, Rounding rounding) {
  const std::size_t power = prefix_for(value, 2, rounding, 1000);
  const auto with_unit = [&](std::string number, std::string_view prefix) {
    return std::move(number) + " " + std::string(prefix) + "B" + std::string(suffix);
  };
  if (power == 0) {
    const Shown shown = bare_or_two_decimals(value, rounding);
    return {with_unit(shown.text, ""), shown.rounded};
  }
  const int exponent = static_cast<int>(power);
  const Shown decimal = fixed(value / exact::power_of_ten(3 * exponent), 2, rounding);
  std::string text = with_unit(decimal.text, kDecimalPrefixes[power]);
  if (binary_beside) {
    const Shown binary = fixed(value / exact::power_of_two(10 * exponent), 2, rounding);
    text += in_parentheses(with_unit(binary.text, kBinaryPrefixes[power]));
  }
  return {std::move(text), decimal.rounded};
}

// FLOP, OP and their rates. Peak rates keep the T up to 10,000: vendors print 2,250 TFLOPS.
Shown operations(const Rational& value, const std::string& symbol, bool is_rate,
                 Rounding rounding) {
  std::size_t power = prefix_for(value, 2, rounding, 1000);
  constexpr std::size_t kTera = 4;
  if (is_rate && power == kTera + 1) power = prefix_for(value, 2, rounding, 10'000);
  const Shown shown =
      bare_or_two_decimals(value / exact::power_of_ten(3 * static_cast<int>(power)), rounding);
  return {shown.text + " " + std::string(kDecimalPrefixes[power]) + symbol, shown.rounded};
}

Shown seconds(const Rational& value, Rounding rounding) {
  constexpr std::array<std::string_view, 4> kUnits{" s", " ms", " µs", " ns"};
  std::size_t power = 0;
  Rational scaled = value;
  while (power + 1 < kUnits.size() && !value.is_zero() && magnitude(scaled) < Rational(1)) {
    scaled = scaled * Rational(1000);
    ++power;
  }
  const Shown shown = bare_or_two_decimals(scaled, rounding);
  std::string text = shown.text + std::string(kUnits[power]);
  const Rational day(86'400);
  if (magnitude(value) >= day) {
    text += " (" + bare_or_two_decimals(value / day, rounding).text + " days)";
  }
  return {std::move(text), shown.rounded};
}

Shown tokens(const Rational& value, std::string_view suffix, Rounding rounding) {
  const Shown shown = bare_or_two_decimals(value, rounding);
  const bool one = shown.text == "1";
  return {shown.text + (one ? " token" : " tokens") + std::string(suffix), shown.rounded};
}

Shown with_suffix(Shown shown, std::string_view suffix) {
  shown.text += suffix;
  return shown;
}

// The symbol, with `FLOP/(W·s)` as people say it: `FLOP/s per W`.
std::string words_of(const Dimension& dimension) {
  const Dimension as_rate = dimension * units::kWatts;
  const bool is_rate_per_watt = dimension.watt == -1 && dimension.second == -1;
  return is_rate_per_watt ? units::symbol_of(as_rate) + " per W" : units::symbol_of(dimension);
}

// What follows the leading unit of a symbol: `/s` of `FLOP/s`.
std::string_view after(std::string_view symbol, std::string_view leading) {
  return symbol.substr(leading.size());
}

Shown shown_value(const Rational& value, const units::Unit& unit, const ValueStyle& style) {
  const Dimension& dimension = unit.dimension;
  const Rounding rounding = style.rounding;
  const std::string symbol = words_of(dimension);
  if (dimension == units::kNumber) return plain(value, rounding);
  if (dimension.byte == 1 && symbol.starts_with("B")) {
    const bool is_rate = dimension.second != 0;
    return bytes(value, after(symbol, "B"), style.binary_beside && !is_rate, rounding);
  }
  if (symbol.starts_with("FLOP") || symbol.starts_with("OP")) {
    return operations(value, symbol, dimension.second == -1, rounding);
  }
  if (dimension.token == 1 && symbol.starts_with("token")) {
    return tokens(value, after(symbol, "token"), rounding);
  }
  if (dimension == units::kSeconds) return seconds(value, rounding);
  if (dimension == units::kDollarRate) {
    return with_suffix(fixed(value * Rational(3600), 2, rounding), " USD/h");
  }
  if (dimension == Dimension{.token = -1, .dollar = 1}) {
    return with_suffix(fixed(value * Rational(1'000'000), 2, rounding), " USD/million tokens");
  }
  return with_suffix(bare_or_two_decimals(value, rounding), " " + symbol);
}

std::string finish(Shown shown, const ValueStyle& style) {
  return style.mark_rounded && shown.rounded ? "≈ " + shown.text : std::move(shown.text);
}

// The fewest decimals that hold the value exactly.
std::optional<unsigned> decimals_of(const Rational& value) {
  Rational scaled = value;
  for (unsigned digits = 0; digits <= kLongestDecimal; ++digits) {
    if (scaled.is_whole()) return digits;
    scaled = scaled * Rational(10);
  }
  return std::nullopt;
}

}  // namespace

std::string value_text(const Rational& value, const units::Unit& unit, const ValueStyle& style) {
  return finish(shown_value(value, unit, style), style);
}

std::string number_text(const Rational& value, const ValueStyle& style) {
  return finish(plain(value, style.rounding), style);
}

std::string percent_text(const Rational& share, const ValueStyle& style) {
  const Rational percent = share * Rational(100);
  const std::string decimal = without_trailing_zeros(percent.to_decimal(2, style.rounding));
  return finish({grouped(decimal) + "%", value_of(decimal) != percent}, style);
}

std::string finite_decimal(const Rational& value) {
  const std::optional<unsigned> digits = decimals_of(value);
  return digits ? value.to_decimal(*digits, Rounding::nearest) : std::string();
}

std::string exact_text(const Rational& value, const units::Unit& unit) {
  const std::string decimal = finite_decimal(value);
  std::string text = decimal.empty() ? value.to_string() : grouped(decimal);
  if (unit.dimension != units::kNumber) text += " " + units::symbol_of(unit.dimension);
  return text;
}

std::string range_text(const exact::Interval& range, const units::Unit& unit) {
  const auto bound = [&unit](const Rational& value, Rounding rounding) {
    return value_text(value, unit, {.rounding = rounding, .binary_beside = false});
  };
  return bound(range.low(), Rounding::down) + " … " + bound(range.high(), Rounding::up);
}

std::string with_range(std::string text, const exact::Interval& range, const units::Unit& unit) {
  const std::string ends = range_text(range, unit);
  if (!text.ends_with(')')) return text + " (" + ends + ")";
  text.back() = ';';
  return text + " " + ends + ")";
}

std::string figure_text(const provenance::Node& node, const ValueStyle& style) {
  if (node.value) {
    std::string text = value_text(*node.value, node.unit, style);
    return node.range ? with_range(std::move(text), *node.range, node.unit) : text;
  }
  return node.absence == provenance::Absence::unsupported ? "not supported" : "unknown";
}

std::string figure_text_with_printed(const provenance::Node& node, const ValueStyle& style) {
  std::string text = figure_text(node, style);
  if (!node.value || node.claims.empty()) return text;
  const std::string& printed = node.claims.front().printed;
  if (!printed.empty() && printed != text) text += ", printed as " + printed;
  return text;
}

Rounding rounding_for(std::string_view result_name) {
  const auto has = [&](std::string_view part) {
    return result_name.find(part) != std::string_view::npos;
  };
  if (has("budget") || has("headroom") || result_name.starts_with("available_") ||
      result_name.starts_with("max_") || result_name == "kv_memory") {
    return Rounding::down;
  }
  constexpr std::array<std::string_view, 18> kDemands{
      "weights",     "kv_",       "required_", "working_memory",  "state_per",    "pool_bytes",
      "block_bytes", "gradients", "master",    "optimizer",       "model_states", "activations",
      "logits",      "gathered",  "host_m",    "utilization_min", "disk_to_load", "host_to_load"};
  const bool is_demand = std::any_of(kDemands.begin(), kDemands.end(), [&](std::string_view part) {
    return result_name.starts_with(part);
  });
  return is_demand || result_name.starts_with("total_") ? Rounding::up : Rounding::nearest;
}

}  // namespace ullage::report
