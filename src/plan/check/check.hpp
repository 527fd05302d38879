// Deployment plans against what their devices hold: one row a workload.
#pragma once

#include <string>
#include <vector>

#include "plan/check/lock.hpp"
#include "plan/check/subject.hpp"
#include "plan/check/waivers.hpp"
#include "plan/files/scope.hpp"

namespace ullage::plan {

struct CheckRequest {
  std::vector<std::string> paths;
  Variables variables;  // --set
  CheckChoice choice;
  std::vector<Waiver> waivers;
  std::optional<std::vector<LockedWorkload>> locked;  // --locked
  std::string lock_file;
};

struct CheckResult {
  provenance::Answer answer;
  std::vector<base::Diagnostic> faults;  // documents and plans that cannot be read
  std::size_t files = 0;
};

// Reads the paths as one set and judges every workload in it. Verdicts `fits`, `does-not-fit`,
// `inconclusive`, and `lower-bound` for plans of ours that count no devices. What cannot be read is
// a row with the note `file-unreadable`. Errors: paths that do not exist, usage, names on the
// command line that nobody knows.
base::Result<CheckResult> check(const CheckRequest& request, catalog::Catalogue& catalogue,
                                const base::FileSystem& files);

}  // namespace ullage::plan
