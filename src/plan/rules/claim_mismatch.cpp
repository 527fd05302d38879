// Rule claim-mismatch.
#include "plan/rules/claims.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  if (!subject.workload.native) return;
  for (const PlanClaim& claim : subject.workload.native->claims) {
    const ClaimCheck check = compare_claim(subject, claim);
    if (check.verdict != ClaimVerdict::differs) continue;
    subject.note("claim-mismatch", Severity::error, check.text, claim.value.where);
  }
}

}  // namespace

const PlanRule kClaimMismatch{
    .id = "claim-mismatch",
    .level = Severity::error,
    .help = "a figure that the plan claims differs from every sourced one",
    .formula =
        "the claim equals a claim of the catalogue at the precision of the coarser "
        "statement; of a figure in conflict, any of them",
    .citation = "",
    .remedy = "correct the claim, or add the source to the catalogue",
    .apply = apply};

}  // namespace ullage::plan
