// The table of rules.
#include "plan/rules/rules.hpp"

#include <array>

namespace ullage::plan {

std::span<const PlanRule* const> plan_rules() {
  static const std::array kRules{&kFileUnreadable,       &kModelUnknown,
                                 &kDeviceUnknown,        &kValueUnresolved,
                                 &kDeviceLabelUnmatched, &kDevicesMismatch,
                                 &kDevicesIdle,          &kLayoutNotDivisible,
                                 &kKvHeadsReplicated,    &kWeightsOverBudget,
                                 &kKvSingleSequence,     &kKvFullConcurrency,
                                 &kTrainingOverBudget,   &kSoftwareUnsupported,
                                 &kSparseAsDense,        &kClaimMismatch,
                                 &kExpectationFailed,    &kConflict,
                                 &kStaleSource,          &kLockDrift,
                                 &kWaiverExpired,        &kWaiverUnused};
  return kRules;
}

const PlanRule* find_plan_rule(std::string_view id) {
  for (const PlanRule* rule : plan_rules()) {
    if (rule->id == id) return rule;
  }
  return nullptr;
}

}  // namespace ullage::plan
