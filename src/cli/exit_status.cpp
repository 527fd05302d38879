// The table.
#include "cli/exit_status.hpp"

namespace ullage::cli {

ExitStatus status_of(base::Code code) {
  switch (code) {
    case base::Code::unsupported_architecture:
    case base::Code::unknown_figure:
      return kUnknownAnswer;
    case base::Code::internal:
      return kInternalFault;
    default:
      return kWrongQuestion;
  }
}

ExitStatus status_of(const provenance::Answer& answer) {
  bool asked = false;
  bool unknown = false;
  for (const provenance::Row& row : answer.rows) {
    if (row.verdict.empty()) continue;
    asked = true;
    if (row.verdict == "fits" || row.verdict == "lower-bound") return kAnswered;
    unknown = unknown || row.verdict == "unknown";
  }
  if (!asked) return kAnswered;
  return unknown ? kUnknownAnswer : kDoesNotFit;
}

}  // namespace ullage::cli
