// Comparing what a plan claims with what the catalogue states.
#pragma once

#include <optional>
#include <string>

#include "plan/check/subject.hpp"

namespace ullage::plan {

enum class ClaimVerdict : std::uint8_t { agrees, sparse_as_dense, differs, unknown };

struct ClaimCheck {
  ClaimVerdict verdict = ClaimVerdict::unknown;
  std::string text;  // what was found, in words
};

// Holds a claim of a plan against every claim that the device's entry keeps. Two statements agree
// where they are equal at the precision of the coarser one.
ClaimCheck compare_claim(Subject& subject, const PlanClaim& claim);

}  // namespace ullage::plan
