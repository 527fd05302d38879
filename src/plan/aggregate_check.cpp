// Turns differences of aggregates into findings with a place.
#include "plan/aggregate_check.hpp"

#include <algorithm>

#include "memory/formulas.hpp"
#include "plan/aggregate.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;
using exact::Rational;
using provenance::Claim;

// A vendor whose pages disagree on one part may well have multiplied the figure that is not pinned.
bool fits_another_claim(const Claim& claim, const PartSum& sum) {
  const Rational count =
      sum.count == nullptr ? Rational(1) : sum.count->claims.front().quantity.value;
  return std::any_of(sum.part->claims.begin(), sum.part->claims.end(), [&](const Claim& of_part) {
    const Rational difference =
        claim.quantity.value - memory::ChipsInAll::evaluate(count, of_part.quantity.value);
    return exact::max(difference, -difference) <= claim.last_place / Rational(2);
  });
}

// The sum in the unit in which the total is printed: `41.008 PFLOP/s`.
std::string in_unit_of(const Claim& claim, const Rational& sum) {
  constexpr unsigned kDigits = 12;
  const auto written = units::parse_written(claim.written);
  base::require(written.ok(), "a loaded claim cannot be read again: " + claim.written);
  std::string text = (sum / written->scale).to_significant(kDigits);
  return written->unit.empty() ? text : text + " " + written->unit;
}

void check_entry(const Entry& entry, const Parts& parts, std::vector<base::Finding>& findings) {
  for (const AggregateDifference& difference : aggregate_differences(entry, parts)) {
    const PartSum& sum = difference.sum;
    if (!difference.printed->note.empty()) continue;
    for (const Claim* claim : difference.differing) {
      if (!claim->note.empty() || !claim->derivation.empty()) continue;
      if (fits_another_claim(*claim, sum)) continue;
      const std::string times =
          sum.count == nullptr ? "" : sum.count->claims.front().written + " × ";
      findings.push_back(catalog::finding("aggregate",
                                          entry.id + " " + std::string(sum.name) + ": " +
                                              claim->written + " is printed, but " + times +
                                              sum.part->claims.front().written + " of " +
                                              sum.of->id + " is " + in_unit_of(*claim, sum.value),
                                          claim->span, "a note may say what the vendor counts"));
    }
  }
}

}  // namespace

std::vector<base::Finding> check_aggregates(catalog::Lint& lint) {
  std::vector<base::Finding> findings;
  for (const catalog::LintedEntry& linted : lint.entries()) {
    const Entry& entry = linted.entry;
    Parts parts;
    if (!entry.chip.empty()) parts.chip = lint.hardware(entry.chip);
    if (!entry.instance.empty()) parts.instance = lint.hardware(entry.instance);
    if (parts.chip != nullptr) check_entry(entry, parts, findings);
  }
  return findings;
}

}  // namespace ullage::plan
