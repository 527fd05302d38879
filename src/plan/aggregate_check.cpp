// Turns differences of aggregates into findings with a place.
#include "plan/aggregate_check.hpp"

#include "plan/aggregate.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;

void check_entry(const Entry& entry, const Parts& parts, std::vector<base::Finding>& findings) {
  for (const AggregateDifference& difference : aggregate_differences(entry, parts)) {
    const PartSum& sum = difference.sum;
    const std::string times = sum.count == nullptr ? "" : sum.count->claims.front().written + " × ";
    for (const DifferingClaim& differing : difference.differing) {
      const provenance::Claim& claim = *differing.claim;
      const std::string& note = claim.note.empty() ? difference.printed->note : claim.note;
      const std::string cause = differing.cause == Cause::related
                                    ? std::string(name_of(claim.relation))
                                : differing.cause == Cause::derived ? claim.derivation
                                                                    : note;
      findings.push_back(catalog::finding(
          "aggregate",
          entry.id + " " + std::string(sum.name) + ": " + claim.written + " is printed, but " +
              times + sum.part->claims.front().written + " of " + sum.of->id + " is " +
              in_unit_of(claim, sum.value),
          claim.span,
          differing.cause == Cause::unknown ? "a note that names the number may say what the "
                                              "vendor counts"
                                            : cause));
      if (differing.cause != Cause::unknown) findings.back().level = base::Severity::note;
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
