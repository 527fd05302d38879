// Rule lock-drift.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

}  // namespace

const PlanRule kLockDrift{
    .id = "lock-drift",
    .level = Severity::error,
    .help =
        "a figure, card or entry that the plan rests on differs from what was "
        "locked",
    .formula = "every locked digest, version and figure equals the present one",
    .citation = "",
    .remedy = "review what changed, then `ullage lock` again",
    .apply = nullptr};

}  // namespace ullage::plan
