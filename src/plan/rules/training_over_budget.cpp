// Rule training-over-budget.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const TrainingNeed& training = subject.training;
  if (!training.floor || !subject.budget) return;
  if (!subject.graph.known(training.floor->id()) || !subject.graph.known(subject.budget->id()))
    return;
  const exact::Rational need = subject.graph.value(*training.floor);
  const exact::Rational have = subject.graph.value(*subject.budget);
  if (need > have) {
    subject.overdrawn = true;
    subject.note(
        "training-over-budget", Severity::error,
        "the fullest rank needs at least " + size_text(need) + ", its budget is " + size_text(have),
        subject.workload.model ? subject.workload.model->where : subject.workload.where);
    return;
  }
  const bool upper_known = training.upper && subject.graph.known(training.upper->id());
  if (upper_known && subject.graph.value(*training.upper) <= have) return;
  subject.open.push_back(upper_known ? "the floor fits and the upper figure, " +
                                           size_text(subject.graph.value(*training.upper)) +
                                           ", does not: what kernels keep decides"
                                     : "the upper figure of training is not known");
}

}  // namespace

const PlanRule kTrainingOverBudget{
    .id = "training-over-budget",
    .level = Severity::error,
    .help =
        "even the floor of what training takes exceeds the budget: the first step "
        "fails",
    .formula =
        "weights + gradients + optimizer + activations of the fullest rank, each at "
        "its least, ≤ budget of a rank",
    .citation = "",
    .remedy =
        "more sharding, recompute, a smaller microbatch or sequence, offload, or "
        "larger devices",
    .apply = apply};

}  // namespace ullage::plan
