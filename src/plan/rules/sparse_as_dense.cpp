// Rule sparse-as-dense.
#include "plan/rules/claims.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  if (!subject.workload.native) return;
  for (const PlanClaim& claim : subject.workload.native->claims) {
    const ClaimCheck check = compare_claim(subject, claim);
    if (check.verdict != ClaimVerdict::sparse_as_dense) continue;
    subject.note("sparse-as-dense", Severity::error, check.text, claim.value.where);
  }
}

}  // namespace

const PlanRule kSparseAsDense{
    .id = "sparse-as-dense",
    .level = Severity::error,
    .help =
        "a claim gives a rate with structured sparsity as the dense one: plans on "
        "it expect twice what there is",
    .formula =
        "the claim equals a claim of the catalogue at the precision of the coarser "
        "statement; here it equals the sparse rate and not the dense one",
    .citation = "",
    .remedy = "state the dense rate",
    .apply = apply};

}  // namespace ullage::plan
