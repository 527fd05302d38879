// Exit statuses, in one table.
#pragma once

#include "base/diagnostic.hpp"
#include "provenance/answer.hpp"

namespace ullage::cli {

enum ExitStatus : int {
  kAnswered = 0,
  kDoesNotFit = 1,
  kWrongQuestion = 2,
  kUnknownAnswer = 3,
  kInternalFault = 70,
};

// The status of a fault that ended the command.
ExitStatus status_of(base::Code code);

// The status of an answer: 0 if any row fits or is a bound, else 3 if any is unknown, else 1; rows
// without a verdict are answered.
ExitStatus status_of(const provenance::Answer& answer);

}  // namespace ullage::cli
