// Pairs and compares.
#include "plan/check/changes.hpp"

#include <algorithm>
#include <array>

#include "document/read.hpp"
#include "plan/files/tree.hpp"

namespace ullage::plan {
namespace {

using document::Value;

constexpr std::array kColumns{ChangeColumn{"devices", "devices", false},
                              ChangeColumn{"required_memory_per_device", "used", true},
                              ChangeColumn{"budget_per_device", "budget", true},
                              ChangeColumn{"headroom_per_device", "headroom", true},
                              ChangeColumn{"required_memory", "used in all", true},
                              ChangeColumn{"context", "context", false}};

std::string below(std::string_view file, std::string_view root) {
  while (root.ends_with('/'))
    root.remove_suffix(1);
  if (!root.empty() && file.starts_with(root) && file.size() > root.size() &&
      file[root.size()] == '/') {
    file.remove_prefix(root.size() + 1);
  }
  return std::string(file);
}

bool is_same_workload(const PlanState& a, const PlanState& b) {
  return a.file == b.file && a.workload == b.workload && a.role == b.role;
}

bool is_equal(const PlanState& a, const PlanState& b) {
  return a.verdict == b.verdict && a.device == b.device && a.values == b.values;
}

}  // namespace

std::span<const ChangeColumn> change_columns() {
  return kColumns;
}

std::vector<PlanState> states_of(const provenance::Answer& answer, std::string_view root) {
  std::vector<PlanState> states;
  for (const provenance::Row& row : answer.rows) {
    PlanState state;
    state.verdict = row.verdict;
    state.device = row.device;
    for (const provenance::PlanField& field : row.plan) {
      if (field.name == "file") state.file = below(field.text, root);
      if (field.name == "workload") state.workload = field.text;
      if (field.name == "role") state.role = field.text;
      if (field.number && (field.name == "devices" || field.name == "context")) {
        state.values[field.name] = field.number->to_string();
      }
    }
    for (const provenance::NamedFigure& figure : row.results) {
      const bool is_shown =
          std::any_of(kColumns.begin(), kColumns.end(), [&](const ChangeColumn& column) {
            return column.is_bytes && column.name == figure.name;
          });
      if (is_shown && answer.graph.known(figure.figure)) {
        state.values[figure.name] = answer.graph.value(figure.figure).to_string();
      }
    }
    states.push_back(std::move(state));
  }
  return states;
}

base::Result<std::vector<PlanState>> read_states(std::string_view text, const std::string& file) {
  ULLAGE_TRY(const document::Document document, document::read_json(text, file));
  const Value* rows = reach(document.root, {"rows"});
  const bool is_result = is_text(reach(document.root, {"schema"}), "ullage/result/1") &&
                         is_text(reach(document.root, {"command"}), "check") && rows != nullptr;
  if (!is_result) {
    return base::Diagnostic{.code = base::Code::syntax,
                            .message = "this is no result of `ullage check -o json`",
                            .span = {file, 1, 1},
                            .hint = "a folder of plans, or such a result",
                            .notes = {}};
  }
  std::vector<PlanState> states;
  for (const Value& row : rows->items) {
    PlanState state;
    const auto plan = [&](std::string_view key) {
      return scalar_text(reach(row, {"plan", key})).value_or("");
    };
    state.file = plan("file");
    state.workload = plan("workload");
    state.role = plan("role");
    state.verdict = scalar_text(reach(row, {"verdict"})).value_or("");
    state.device = scalar_text(reach(row, {"device"})).value_or("");
    for (const ChangeColumn& column : kColumns) {
      const Value* exact = reach(row, {"results", column.name, "exact"});
      if (exact == nullptr) exact = reach(row, {"results", column.name, "value"});
      if (!column.is_bytes) exact = reach(row, {"plan", column.name});
      const auto value = scalar_text(exact);
      if (value) state.values[std::string(column.name)] = *value;
    }
    states.push_back(std::move(state));
  }
  return states;
}

std::vector<PlanChange> changes_of(const std::vector<PlanState>& base,
                                   const std::vector<PlanState>& head) {
  std::vector<PlanChange> changes;
  std::vector<bool> met(base.size(), false);
  for (const PlanState& after : head) {
    PlanChange change;
    change.after = after;
    change.kind = PlanChange::Kind::added;
    for (std::size_t i = 0; i < base.size(); ++i) {
      if (met[i] || !is_same_workload(base[i], after)) continue;
      met[i] = true;
      change.before = base[i];
      change.kind = is_equal(base[i], after) ? PlanChange::Kind::same : PlanChange::Kind::changed;
      break;
    }
    changes.push_back(std::move(change));
  }
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!met[i]) changes.push_back({PlanChange::Kind::removed, base[i], {}});
  }
  return changes;
}

}  // namespace ullage::plan
