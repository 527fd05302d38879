// Rule devices-mismatch.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const Ranks& ranks = subject.ranks;
  if (!ranks.needed) return;
  const Workload& workload = subject.workload;
  const auto& stated = workload.tp ? workload.tp : workload.pp ? workload.pp : workload.dp;
  const base::Span where = stated ? stated->where : workload.where;
  const std::string need = "the layout needs " + ranks.needed->to_string() + " ranks (tp " +
                           ranks.tp.to_string() + ", pp " + ranks.pp.to_string() + ", cp " +
                           ranks.cp.to_string() + ", dp " + ranks.dp.to_string() + ")";
  if (ranks.given && *ranks.given < *ranks.needed) {
    subject.note("devices-mismatch", Severity::error,
                 need + ", the file gives " + ranks.given->to_string(), where);
  } else if (ranks.visible && *ranks.visible < *ranks.needed) {
    subject.note("devices-mismatch", Severity::error,
                 need + ", but only " + ranks.visible->to_string() + " devices are visible to it",
                 workload.visible->where);
  }
}

}  // namespace

const PlanRule kDevicesMismatch{
    .id = "devices-mismatch",
    .level = Severity::error,
    .help =
        "the layout needs more devices than the file gives: the engine does not "
        "start",
    .formula =
        "tensor × pipeline × context × data parallel ≤ devices × ranks of a device, "
        "and ≤ the devices that are visible",
    .citation = "",
    .remedy = "lower a degree, or ask for more devices",
    .apply = apply};

}  // namespace ullage::plan
