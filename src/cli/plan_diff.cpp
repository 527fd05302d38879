// Two sides to one table.
#include "cli/plan_diff.hpp"

#include <algorithm>

#include "cli/render.hpp"
#include "cli/result_head.hpp"
#include "plan/check/changes.hpp"
#include "report/markdown.hpp"

namespace ullage::cli {
namespace {

using plan::PlanChange;
using plan::PlanState;
using report::Role;
using report::Text;

constexpr std::uint64_t kLargestResult = 256u << 20;

base::Result<std::vector<PlanState>> side(const Context& context, const std::string& path) {
  if (path.ends_with(".json") && context.files.kind_of(path) == base::PathKind::file) {
    ULLAGE_TRY(const std::string text, context.files.read(path, kLargestResult));
    if (text.find("ullage/result/1") != std::string::npos) return plan::read_states(text, path);
  }
  plan::CheckRequest request;
  request.paths = {path};
  ULLAGE_TRY(const plan::CheckResult result,
             plan::check(request, context.catalogue, context.files));
  return plan::states_of(result.answer, path);
}

std::string value_text(const PlanState& state, const plan::ChangeColumn& column) {
  const auto value = state.values.find(column.name);
  if (value == state.values.end()) return "–";
  if (!column.is_bytes) return value->second;
  const auto bytes = exact::Rational::parse_fraction(value->second);
  if (!bytes) return value->second;
  return (*bytes / exact::power_of_ten(9)).to_decimal(2, exact::Rounding::nearest) + " GB";
}

std::string cell(const PlanChange& change, const plan::ChangeColumn& column) {
  const std::string before = value_text(change.before, column);
  const std::string after = value_text(change.after, column);
  if (change.kind == PlanChange::Kind::added) return after;
  if (change.kind == PlanChange::Kind::removed) return before;
  return before == after ? after : before + " → " + after;
}

std::string words(const std::string& before, const std::string& after, PlanChange::Kind kind) {
  if (kind == PlanChange::Kind::added) return "added: " + after;
  if (kind == PlanChange::Kind::removed) return "removed: " + before;
  return before == after ? after : before + " → " + after;
}

std::string name_of_state(const PlanState& state) {
  std::string name = state.file;
  if (!state.workload.empty()) name += ", " + state.workload;
  if (!state.role.empty()) name += " (" + state.role + ")";
  return base::printable(name);
}

Role role_of(const std::string& verdict) {
  if (verdict == "fits") return Role::good;
  if (verdict == "does-not-fit") return Role::bad;
  return Role::warning;
}

report::Page page_of(const std::vector<PlanChange>& changes) {
  report::Table table;
  table.columns.push_back({Text("plan", Role::heading), report::Align::left});
  for (const plan::ChangeColumn& column : plan::change_columns())
    table.columns.push_back(
        {Text(std::string(column.heading), Role::heading), report::Align::right});
  table.columns.push_back({Text("device", Role::heading), report::Align::left});
  table.columns.push_back({Text("verdict", Role::heading), report::Align::left});
  std::size_t same = 0;
  std::size_t open = 0;
  for (const PlanChange& change : changes) {
    const bool is_removed = change.kind == PlanChange::Kind::removed;
    const PlanState& shown = is_removed ? change.before : change.after;
    if (shown.verdict == "inconclusive") ++open;
    if (change.kind == PlanChange::Kind::same) {
      ++same;
      continue;
    }
    report::TableRow row;
    row.cells.emplace_back(name_of_state(shown), Role::emphasis);
    for (const plan::ChangeColumn& column : plan::change_columns())
      row.cells.emplace_back(cell(change, column));
    row.cells.emplace_back(words(change.before.device, change.after.device,
                                 change.before.device.empty() == change.after.device.empty()
                                     ? change.kind
                                     : PlanChange::Kind::changed));
    row.cells.emplace_back(words(change.before.verdict, change.after.verdict, change.kind),
                           role_of(shown.verdict));
    table.rows.push_back(std::move(row));
  }
  report::Page page;
  const std::size_t changed = changes.size() - same;
  std::string line = changed == 0 ? "no plan changed"
                                  : std::to_string(changed) + " of " +
                                        std::to_string(changes.size()) + " plans changed";
  if (open > 0) line += "; " + std::to_string(open) + " could not be evaluated";
  page.sections.push_back(
      {Text("Capacity changes", Role::heading), {report::Paragraph{Text(line)}}});
  if (!table.rows.empty()) page.sections.push_back({Text(), {std::move(table)}});
  return page;
}

void write_state(report::JsonWriter& json, const char* name, const PlanState& state) {
  json.key(name);
  json.begin_object();
  json.member("verdict", state.verdict);
  json.member_unless_empty("device", state.device);
  for (const auto& [key, value] : state.values)
    json.member(key, value);
  json.end_object();
}

std::string json_of(const Context& context, const std::vector<PlanChange>& changes) {
  report::JsonWriter json;
  begin_result(json, context.catalogue, "diff");
  json.key("rows");
  json.begin_array();
  for (const PlanChange& change : changes) {
    const bool is_removed = change.kind == PlanChange::Kind::removed;
    const PlanState& shown = is_removed ? change.before : change.after;
    json.begin_object();
    json.member("file", shown.file);
    json.member_unless_empty("workload", shown.workload);
    json.member_unless_empty("role", shown.role);
    json.member("change", change.kind == PlanChange::Kind::same      ? "same"
                          : change.kind == PlanChange::Kind::changed ? "changed"
                          : change.kind == PlanChange::Kind::added   ? "added"
                                                                     : "removed");
    if (change.kind != PlanChange::Kind::added) write_state(json, "before", change.before);
    if (!is_removed) write_state(json, "after", change.after);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

base::Result<Outcome> diff_plans(const Context& context, const std::string& base,
                                 const std::string& head) {
  ULLAGE_TRY(const std::vector<PlanState> before, side(context, base));
  ULLAGE_TRY(const std::vector<PlanState> after, side(context, head));
  const std::vector<PlanChange> changes = plan::changes_of(before, after);
  Outcome outcome;
  if (context.common.format == Format::json) {
    outcome.output = json_of(context, changes);
  } else {
    provenance::Answer empty;
    empty.command = "diff";
    outcome.output = render(context, empty, page_of(changes));
  }
  return outcome;
}

}  // namespace ullage::cli
