// Rule devices-idle.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const Ranks& ranks = subject.ranks;
  const Workload& workload = subject.workload;
  if (!ranks.needed || !ranks.given || *ranks.given <= *ranks.needed) return;
  if (subject.is_training() && !workload.dp) return;
  if (subject.required_total && !(workload.native && workload.native->has_layout)) return;
  const bool runs = workload.engine.has_value() || workload.native || subject.is_training();
  if (!runs) return;
  subject.note("devices-idle", Severity::warning,
               "the layout uses " + ranks.needed->to_string() + " of " + ranks.given->to_string() +
                   " ranks that the file asks for",
               workload.devices ? workload.devices->where
               : workload.cores ? workload.cores->where
                                : workload.where);
}

}  // namespace

const PlanRule kDevicesIdle{
    .id = "devices-idle",
    .level = Severity::warning,
    .help =
        "the layout uses fewer devices than the file asks for: the rest is paid for "
        "and idle",
    .formula = "tensor × pipeline × context × data parallel = devices × ranks of a device",
    .citation = "",
    .remedy = "raise a degree, run copies on the rest, or ask for fewer devices",
    .apply = apply};

}  // namespace ullage::plan
