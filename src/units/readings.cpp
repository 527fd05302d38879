// Refuses a bare or misspelt prefix by showing what it could mean: `96G` is 96GB or 96GiB, and 7 %
// of a device lie between the two.
#include "units/readings.hpp"

#include "base/result.hpp"
#include "base/spelling.hpp"
#include "units/unit_names.hpp"

namespace ullage::units {

namespace {

// `Gb/s` is the stem `Gb` and a rate.
struct Stem {
  std::string_view text;
  bool rate;
};

Stem stem_of(std::string_view unit) {
  const std::string lowered = base::lower(unit);
  for (const std::string_view per : {"/sec", "/s", "ps"}) {
    if (lowered.ends_with(per)) return {unit.substr(0, unit.size() - per.size()), true};
  }
  return {unit, false};
}

// `96GB = 96000000000 B`, the value in base units of the reading.
std::string exact_reading(std::string_view typed, const exact::Rational& number,
                          const std::string& unit, std::string_view joint, std::string_view end) {
  const UnitName* name = find_unit(unit);
  base::require(name != nullptr, "a reading in a unit that is not known");
  const exact::Rational value = number * name->scale();
  // Decimal text times whole bytes has a last decimal, so this many digits are exact too.
  const std::string text = value.is_whole() ? value.to_string() : value.to_significant(4096);
  return base::printable(typed, 60) + unit + std::string(joint) + base::printable(text, 60) + " " +
         symbol_of(name->dimension) + std::string(end);
}

}  // namespace

std::vector<std::string> readings_of(std::string_view unit) {
  const Stem stem = stem_of(unit);
  // `TB/S` is a known unit with a misspelt rate, for the nearest spelling to correct.
  if (stem.rate && find_unit(stem.text) != nullptr) return {};
  const std::string lowered = base::lower(stem.text);
  const std::string per = stem.rate ? "/s" : "";
  if (lowered == "b") return {"B" + per, "bit" + per};
  if (lowered.empty() || std::string_view("kmgtpe").find(lowered[0]) == std::string_view::npos) {
    return {};
  }
  const std::string rest = lowered.substr(1);
  if (!rest.empty() && rest != "i" && rest != "b" && rest != "ib") return {};
  const std::string upper(1, static_cast<char>(lowered[0] - 'a' + 'A'));
  const std::string decimal = lowered[0] == 'k' ? "k" : upper;
  std::vector<std::string> readings{decimal + "B" + per, upper + "iB" + per};
  // A small b is how bits are written; a rate or a capital prefix makes that likely.
  const bool small_b = rest == "b" && stem.text.back() == 'b';
  if (small_b && (stem.rate || stem.text.front() != lowered[0])) {
    readings.push_back(decimal + "bit" + per);
  }
  return readings;
}

base::Diagnostic unclear(std::string_view text, std::string_view typed,
                         const exact::Rational& number, const std::vector<std::string>& readings,
                         std::string_view complaint) {
  base::Diagnostic fault;
  fault.code = base::Code::unit;
  fault.message = "`" + base::printable(text, 60) + "` " + std::string(complaint) + ": ";
  fault.hint = "write ";
  for (std::size_t index = 0; index < readings.size(); ++index) {
    const std::string& unit = readings[index];
    const bool last = index + 1 == readings.size();
    if (index > 0) fault.message += ", ";
    if (index > 0) fault.hint += last ? " or " : ", ";
    fault.message += exact_reading(typed, number, unit, " = ", "");
    fault.hint += exact_reading(typed, number, unit, " (", ")");
  }
  return fault;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace ullage::units
