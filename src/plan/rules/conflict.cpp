// Rule conflict.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  if (subject.place.chip == nullptr || !subject.budget) return;
  const catalog::FigureFact* capacity = subject.place.chip->figure("memory_capacity");
  if (capacity == nullptr || !capacity->known() || !capacity->conflicted()) return;
  const auto need = subject.is_training() ? subject.training.floor : subject.serving.one;
  if (!need || !subject.graph.known(need->id()) || !subject.graph.known(subject.budget->id()))
    return;
  const exact::Rational pinned = capacity->claims.front().quantity.value;
  const exact::Rational bytes = subject.graph.value(*need);
  const exact::Rational budget = subject.graph.value(*subject.budget);
  for (const provenance::Claim& claim : capacity->claims) {
    if (!provenance::speaks_of_today(claim.relation) || pinned.sign() <= 0) continue;
    const exact::Rational other = budget * claim.quantity.value / pinned;
    if ((bytes <= budget) == (bytes <= other)) continue;
    subject.note("conflict", Severity::warning,
                 "with the memory that " + claim.source + " states for " + subject.place.chip->id +
                     ", " + claim.written + ", the verdict would be the other way",
                 subject.place.stated.where);
  }
}

}  // namespace

const PlanRule kConflict{
    .id = "conflict",
    .level = Severity::warning,
    .help =
        "a figure that decides the verdict is in conflict between sources: another "
        "claim would flip it",
    .formula =
        "the verdict is the same for every claim on the device's memory that speaks "
        "of the same thing today",
    .citation = "",
    .remedy = "name the capacity that holds with --capacity, or accept the pinned claim",
    .apply = apply};

}  // namespace ullage::plan
