// Multiplies and compares, claim by claim.
#include "plan/aggregate_check.hpp"

#include <algorithm>

#include "catalog/figure_names.hpp"
#include "memory/formulas.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;
using catalog::FigureFact;
using exact::Rational;
using provenance::Claim;

// Whether the total is none of the products: a vendor whose pages disagree on one chip may well
// have multiplied the figure that is not pinned.
bool differs(const Claim& claim, const Rational& chips, const FigureFact& one) {
  return std::none_of(one.claims.begin(), one.claims.end(), [&](const Claim& of_chip) {
    const Rational difference =
        claim.quantity.value - memory::ChipsInAll::evaluate(chips, of_chip.quantity.value);
    return exact::max(difference, -difference) <= claim.last_place / Rational(2);
  });
}

bool explained(const Claim& claim, const FigureFact& printed) {
  return !claim.note.empty() || !claim.derivation.empty() || !printed.note.empty();
}

// The product in the unit in which the total is printed: `41.008 PFLOP/s`.
std::string in_unit_of(const Claim& claim, const Rational& product) {
  constexpr unsigned kDigits = 12;
  const auto written = units::parse_written(claim.written);
  base::require(written.ok(), "a loaded claim cannot be read again: " + claim.written);
  std::string text = (product / written->scale).to_significant(kDigits);
  return written->unit.empty() ? text : text + " " + written->unit;
}

void check_entry(const Entry& entry, const Entry& chip, std::vector<base::Finding>& findings) {
  const FigureFact* chips = entry.figure("chips");
  if (chips == nullptr || !chips->known()) return;
  for (const FigureFact& printed : entry.figures) {
    const catalog::FigureName* name = catalog::find_hardware_figure(printed.name);
    const FigureFact* one = chip.figure(printed.name);
    if (name == nullptr || !name->aggregate || one == nullptr || !one->known()) continue;
    const Rational& count = chips->claims.front().quantity.value;
    const Rational product =
        memory::ChipsInAll::evaluate(count, one->claims.front().quantity.value);
    for (const Claim& claim : printed.claims) {
      if (explained(claim, printed) || !differs(claim, count, *one)) continue;
      findings.push_back(catalog::finding("aggregate",
                                          entry.id + " " + printed.name + ": " + claim.written +
                                              " is printed, but " + chips->claims.front().written +
                                              " × " + one->claims.front().written + " of " +
                                              chip.id + " is " + in_unit_of(claim, product),
                                          claim.span, "a note may say what the vendor counts"));
    }
  }
}

}  // namespace

std::vector<base::Finding> check_aggregates(catalog::Lint& lint) {
  std::vector<base::Finding> findings;
  for (const catalog::LintedEntry& linted : lint.entries()) {
    if (linted.entry.chip.empty()) continue;
    if (const Entry* chip = lint.hardware(linted.entry.chip)) {
      check_entry(linted.entry, *chip, findings);
    }
  }
  return findings;
}

}  // namespace ullage::plan
