// Rule waiver-expired.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

}  // namespace

const PlanRule kWaiverExpired{
    .id = "waiver-expired",
    .level = Severity::error,
    .help = "a waiver has run out or gives no reason: what it accepted counts again",
    .formula = "today is not after the day of `expires`, and a reason is given",
    .citation = "",
    .remedy = "mend the plan, or renew the waiver with its reason",
    .apply = nullptr};

}  // namespace ullage::plan
