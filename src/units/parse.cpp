// Reads a number with its unit as people and data files write it.
#include <algorithm>
#include <string>
#include <vector>

#include "base/spelling.hpp"
#include "units/quantity.hpp"
#include "units/readings.hpp"
#include "units/unit_names.hpp"

namespace ullage::units {

namespace {

// A longer unit is no misspelling, and comparing it with every known one would take long.
constexpr std::size_t kLongestGuess = 40;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// How much of `text` is meant as a number, well-formed or not: `1,299` of `1,299 TFLOPS`, `6e3` of
// `6e3 B`, `5` of `5EB`.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
  while (end < text.size() &&
         (is_digit(text[end]) || text[end] == '.' || text[end] == ',' || text[end] == '_')) {
    ++end;
  }
  if (end == 0 || end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
  if (exponent == text.size() || !is_digit(text[exponent])) return end;
  while (exponent < text.size() && is_digit(text[exponent]))
    ++exponent;
  return exponent;
}

std::string quoted(std::string_view text) {
  return "`" + base::printable(text, 60) + "`";
}

base::Diagnostic no_number(std::string_view text) {
  base::Diagnostic fault;
  fault.code = base::Code::syntax;
  fault.message = text.empty() ? "a quantity is missing" : quoted(text) + " has no number in front";
  fault.hint = "write a number with its unit: 96 GiB, 2.9 TB/s, 667 TFLOPS";
  return fault;
}

base::Diagnostic comma_in_number(std::string_view text, std::string_view number) {
  std::string joined(number);
  std::erase(joined, ',');
  base::Diagnostic fault;
  fault.code = base::Code::syntax;
  fault.message = quoted(text) + " has a comma in the number";
  fault.hint = "write " + base::printable(joined, 60) + " without a thousands separator";
  if (std::count(number.begin(), number.end(), ',') == 1 &&
      number.find('.') == std::string_view::npos) {
    std::string decimal(number);
    std::replace(decimal.begin(), decimal.end(), ',', '.');
    fault.hint += ", or " + base::printable(decimal, 60) + " if the comma is a decimal point";
  }
  return fault;
}

base::Diagnostic unknown_unit(std::string_view text, std::string_view unit) {
  base::Diagnostic fault;
  fault.code = base::Code::unit;
  if (unit == "FLOPs") {
    fault.message = quoted(text) + " could be a count or a rate";
    fault.hint = "write FLOP for a count or FLOP/s for a rate";
    return fault;
  }
  fault.message = "unknown unit " + quoted(unit) + " in " + quoted(text);
  if (unit.size() <= kLongestGuess) {
    std::vector<std::string_view> spellings;
    for (const UnitName& name : unit_names())
      spellings.push_back(name.spelling);
    fault.hint = base::did_you_mean(base::nearest(unit, spellings, 3));
  }
  if (fault.hint.empty()) {
    fault.hint =
        "units are written as in 96 GiB, 2.9 TB/s, 3200 Gbit/s, 667 TFLOPS, 700 W, 8 cores";
  }
  return fault;
}

}  // namespace

base::Result<Written> parse_written(std::string_view text) {
  const std::string_view whole = trim(text);
  const std::size_t length = number_length(whole);
  const std::string_view number_text = whole.substr(0, length);
  const std::string_view unit = trim(whole.substr(length));
  if (number_text.find_first_of("0123456789") == std::string_view::npos) return no_number(whole);
  if (number_text.find(',') != std::string_view::npos) return comma_in_number(whole, number_text);
  ULLAGE_TRY(exact::Rational number, exact::Rational::parse(number_text));
  if (unit.empty()) {
    return Written{.number = number, .unit = {}, .scale = 1, .dimension = kNumber};
  }
  if (const UnitName* name = find_unit(unit)) {
    return Written{.number = number,
                   .unit = name->canonical,
                   .scale = name->scale(),
                   .dimension = name->dimension};
  }
  const std::vector<std::string> readings = readings_of(unit);
  if (readings.empty()) return unknown_unit(whole, unit);
  return unclear(whole, number_text, number, readings, "does not say which unit");
}

}  // namespace ullage::units
