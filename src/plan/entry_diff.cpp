// Compares figure by figure, fact by fact, sentence by sentence.
#include "plan/entry_diff.hpp"

#include <algorithm>

#include "catalog/figure_names.hpp"
#include "catalog/figures.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;
using catalog::EntryKind;
using catalog::FigureFact;
using catalog::Statement;
using catalog::TextFact;
using provenance::FigureId;
using provenance::Row;

bool same(const FigureFact& a, const FigureFact& b) {
  if (a.known() != b.known()) return false;
  if (!a.known()) return a.absence == b.absence;
  return a.claims.front().quantity == b.claims.front().quantity;
}

// after ÷ before where both are numbers of one unit.
void add_ratio(provenance::Graph& graph, const std::string& name, FigureId before, FigureId after,
               Row& row) {
  if (!graph.known(before) || !graph.known(after)) return;
  if (graph[before].unit != graph[after].unit || graph.value(before).is_zero()) return;
  row.results.push_back(
      {"ratio_" + name, graph.derived("ratio_" + name, {}, "after ÷ before", "", {after, before},
                                      graph.value(after) / graph.value(before))});
}

void compare_figure(EntryDiff& diff, const std::string& name) {
  const FigureFact* before = diff.before->figure(name);
  const FigureFact* after = diff.after->figure(name);
  if (before == nullptr && after == nullptr) return;
  if (before != nullptr && after != nullptr && same(*before, *after)) return;
  Row& row = diff.answer.rows.front();
  provenance::Graph& graph = diff.answer.graph;
  std::optional<FigureId> old_figure;
  if (before != nullptr) {
    old_figure = catalog::bring(graph, *before);
    row.results.push_back({"before_" + name, *old_figure});
  }
  if (after != nullptr) {
    const FigureId new_figure = catalog::bring(graph, *after);
    row.results.push_back({"after_" + name, new_figure});
    if (old_figure) add_ratio(graph, name, *old_figure, new_figure, row);
  }
  diff.figures.push_back({name, before == nullptr  ? Change::added
                                : after == nullptr ? Change::removed
                                                   : Change::changed});
}

void add_words(const std::string& prefix, const TextFact& fact, Row& row) {
  row.attributes.push_back(
      {prefix + fact.name, fact.value, fact.unknown, fact.source, fact.locator, fact.note});
}

void compare_fact(EntryDiff& diff, const TextFact* before, const TextFact* after) {
  if (before != nullptr && after != nullptr && before->value == after->value) return;
  Row& row = diff.answer.rows.front();
  if (before != nullptr) add_words("before_", *before, row);
  if (after != nullptr) add_words("after_", *after, row);
  diff.attributes.push_back(
      {before != nullptr ? before->name : after->name, before == nullptr  ? Change::added
                                                       : after == nullptr ? Change::removed
                                                                          : Change::changed});
}

void compare_words(EntryDiff& diff) {
  compare_fact(diff, &diff.before->status, &diff.after->status);
  for (const TextFact& fact : diff.before->attributes)
    compare_fact(diff, &fact, diff.after->attribute(fact.name));
  for (const TextFact& fact : diff.after->attributes) {
    if (diff.before->attribute(fact.name) == nullptr) compare_fact(diff, nullptr, &fact);
  }
}

// Notes for the sentences of `entry` that `other` does not have.
void add_statements(const Entry& entry, const Entry& other, const std::string& code, Row& row) {
  for (const Statement& statement : entry.statements) {
    const bool kept = std::any_of(other.statements.begin(), other.statements.end(),
                                  [&](const Statement& s) { return s.text == statement.text; });
    if (kept) continue;
    row.notes.push_back(
        {code, base::Severity::note, statement.text, statement.source, statement.locator});
  }
}

}  // namespace

base::Result<EntryDiff> diff_entries(catalog::Catalogue& catalogue, const std::string& before,
                                     const std::string& after) {
  EntryDiff diff;
  ULLAGE_TRY(diff.before, catalogue.any(before));
  ULLAGE_TRY(diff.after, catalogue.any(after));
  const bool model = diff.before->kind == EntryKind::model;
  if (model != (diff.after->kind == EntryKind::model)) {
    return base::Diagnostic{
        .code = base::Code::usage,
        .message = "diff: " + diff.before->id + " is a " + std::string(name_of(diff.before->kind)) +
                   ", " + diff.after->id + " a " + std::string(name_of(diff.after->kind)),
        .span = {},
        .hint = "two devices or two models",
        .notes = {}};
  }
  diff.answer.command = "diff";
  Row& row = diff.answer.rows.emplace_back();
  (model ? row.model : row.device) = diff.before->id + "@" + diff.before->version + " → " +
                                     diff.after->id + "@" + diff.after->version;
  for (const catalog::FigureName& name :
       model ? catalog::model_figure_names() : catalog::hardware_figure_names()) {
    compare_figure(diff, std::string(name.name));
  }
  compare_words(diff);
  add_statements(*diff.before, *diff.after, "statement-removed", row);
  add_statements(*diff.after, *diff.before, "statement-added", row);
  return diff;
}

}  // namespace ullage::plan
