// What changed in capacity between two checks: of two folders, or of two results.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/check/check.hpp"

namespace ullage::plan {

// One workload as far as a comparison needs it. Numbers are exact text.
struct PlanState {
  std::string file;  // below the folder that was checked
  std::string workload;
  std::string role;
  std::string verdict;
  std::string device;
  std::map<std::string, std::string, std::less<>> values;  // `devices`, `context`, figures
};

// The states of a check of `root`, whose name is cut from the files.
std::vector<PlanState> states_of(const provenance::Answer& answer, std::string_view root);

// The states of a result that `check -o json` wrote. Errors where it is none.
base::Result<std::vector<PlanState>> read_states(std::string_view text, const std::string& file);

struct PlanChange {
  enum class Kind : std::uint8_t { same, changed, added, removed };
  Kind kind = Kind::same;
  PlanState before;  // empty where it was added
  PlanState after;   // empty where it was removed
};

// Pairs by file, workload and role, in the order of the head; removed ones last.
std::vector<PlanChange> changes_of(const std::vector<PlanState>& base,
                                   const std::vector<PlanState>& head);

// The values that a comparison shows, in order: name and heading.
struct ChangeColumn {
  std::string_view name;
  std::string_view heading;
  bool is_bytes;
};
std::span<const ChangeColumn> change_columns();

}  // namespace ullage::plan
