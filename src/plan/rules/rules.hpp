// The rules of `check`: one file each, with what it finds and by which formula.
#pragma once

#include <span>
#include <string_view>

#include "plan/check/subject.hpp"

namespace ullage::plan {

struct PlanRule {
  std::string_view id;
  base::Severity level = base::Severity::error;
  std::string_view help;      // one line: what is wrong and why it matters
  std::string_view formula;   // what is compared
  std::string_view citation;  // whose behaviour it is; empty for arithmetic alone
  std::string_view remedy;    // what to do about it
  // Adds notes to the row; nullptr for rules that apply before there is a row.
  void (*apply)(Subject& subject);
};

// In the order of asking, which is the order of their notes.
std::span<const PlanRule* const> plan_rules();
// The rule of that id, or nullptr.
const PlanRule* find_plan_rule(std::string_view id);

extern const PlanRule kFileUnreadable;
extern const PlanRule kModelUnknown;
extern const PlanRule kDeviceUnknown;
extern const PlanRule kValueUnresolved;
extern const PlanRule kDeviceLabelUnmatched;
extern const PlanRule kDevicesMismatch;
extern const PlanRule kDevicesIdle;
extern const PlanRule kLayoutNotDivisible;
extern const PlanRule kKvHeadsReplicated;
extern const PlanRule kWeightsOverBudget;
extern const PlanRule kKvSingleSequence;
extern const PlanRule kKvFullConcurrency;
extern const PlanRule kTrainingOverBudget;
extern const PlanRule kSoftwareUnsupported;
extern const PlanRule kSparseAsDense;
extern const PlanRule kClaimMismatch;
extern const PlanRule kExpectationFailed;
extern const PlanRule kConflict;
extern const PlanRule kStaleSource;
extern const PlanRule kLockDrift;
extern const PlanRule kWaiverExpired;
extern const PlanRule kWaiverUnused;

}  // namespace ullage::plan
