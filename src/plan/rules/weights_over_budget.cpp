// Rule weights-over-budget.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void over_all(Subject& subject) {
  if (!subject.graph.known(subject.required_total->id()) || !subject.available_total ||
      !subject.graph.known(subject.available_total->id())) {
    return;
  }
  const exact::Rational need = subject.graph.value(*subject.required_total);
  const exact::Rational have = subject.graph.value(*subject.available_total);
  if (need <= have) return;
  subject.overdrawn = true;
  subject.note("weights-over-budget", Severity::error,
               size_text(need) + " are needed, the devices have " + size_text(have),
               subject.workload.devices ? subject.workload.devices->where : subject.workload.where);
}

void apply(Subject& subject) {
  if (subject.required_total) {
    over_all(subject);
    return;
  }
  const auto& weights = subject.serving.weights;
  if (!weights || !subject.budget) return;
  if (!subject.graph.known(weights->id()) || !subject.graph.known(subject.budget->id())) return;
  const exact::Rational need = subject.graph.value(*weights);
  const exact::Rational have = subject.graph.value(*subject.budget);
  if (need <= have) return;
  subject.overdrawn = true;
  subject.note(
      "weights-over-budget", Severity::error,
      "the fullest rank holds " + size_text(need) + " of weights, its budget is " + size_text(have),
      subject.workload.model ? subject.workload.model->where : subject.workload.where);
}

}  // namespace

const PlanRule kWeightsOverBudget{
    .id = "weights-over-budget",
    .level = Severity::error,
    .help =
        "the resident weights exceed the budget of the devices that hold them: "
        "loading fails",
    .formula =
        "weights of the fullest rank ≤ budget of a rank; perfectly balanced: "
        "weights + working memory ≤ devices × budget",
    .citation = "",
    .remedy =
        "more devices in the tensor or pipeline dimension, a smaller weight format, "
        "or larger devices",
    .apply = apply};

}  // namespace ullage::plan
