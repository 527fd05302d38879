// Rule device-label-unmatched.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const auto& unmatched = subject.place.unmatched;
  if (!unmatched) return;
  subject.note("device-label-unmatched", Severity::warning, unmatched->text, unmatched->where);
  if (subject.place.chip == nullptr && !subject.place.capacity) {
    subject.open.push_back(unmatched->text);
  }
}

}  // namespace

const PlanRule kDeviceLabelUnmatched{
    .id = "device-label-unmatched",
    .level = Severity::warning,
    .help =
        "a node selector asks for a value that no node carries: the pod would never "
        "be scheduled",
    .formula = "the value is one that the label's writer gives to a node",
    .citation = "NVIDIA GPU feature discovery names devices as the driver does",
    .remedy = "write the value that the note names",
    .apply = apply};

}  // namespace ullage::plan
