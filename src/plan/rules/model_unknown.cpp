// Rule model-unknown.
#include <algorithm>

#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  if (subject.model) return;
  const Workload& workload = subject.workload;
  // A variable in its place is said by value-unresolved.
  const bool is_open = std::any_of(workload.unresolved.begin(), workload.unresolved.end(),
                                   [](const Unresolved& open) { return open.what == "model"; });
  std::string why = is_open ? "the file leaves the model to a variable" : subject.model_unknown;
  if (!workload.dimensions.empty() && !workload.model) {
    why = "the file states the model by its dimensions only";
  }
  subject.open.push_back(why);
  subject.note("model-unknown", Severity::warning,
               why + ": name one with --model MODEL (an id, a config.json or its folder, 70B)",
               workload.model ? workload.model->where : workload.where);
}

}  // namespace

const PlanRule kModelUnknown{
    .id = "model-unknown",
    .level = Severity::warning,
    .help =
        "the file does not say which model, or names one that the catalogue does "
        "not have: no verdict",
    .formula = "a model resolves by id or alias of a card, or by --model",
    .citation = "",
    .remedy =
        "--model MODEL (an id, a config.json, 70B), or a card in a folder given "
        "with --catalogue",
    .apply = apply};

}  // namespace ullage::plan
