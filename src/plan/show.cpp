// Lists figures in the table's order.
#include "plan/show.hpp"

#include <algorithm>
#include <array>

#include "catalog/figure_names.hpp"
#include "catalog/figures.hpp"
#include "plan/device_figures.hpp"
#include "plan/devices.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using catalog::Entry;
using catalog::EntryKind;
using catalog::FigureFact;
using catalog::FigureName;
using provenance::Graph;
using provenance::Row;

// Shown even where an entry is silent, so that what is not known is said.
constexpr std::array<std::string_view, 12> kChipCore{"memory_capacity",  "memory_capacity_visible",
                                                     "memory_bandwidth", "dense_bf16",
                                                     "sparse_bf16",      "dense_fp16",
                                                     "dense_fp8",        "sparse_fp8",
                                                     "dense_int8",       "scale_up_bandwidth",
                                                     "host_bandwidth",   "tdp"};
constexpr std::array<std::string_view, 6> kAggregateCore{
    "chips", "memory_capacity", "memory_bandwidth", "host_memory", "vcpus", "scale_out_bandwidth"};

bool in_core(EntryKind kind, std::string_view name) {
  if (kind == EntryKind::chip) {
    return std::find(kChipCore.begin(), kChipCore.end(), name) != kChipCore.end();
  }
  return std::find(kAggregateCore.begin(), kAggregateCore.end(), name) != kAggregateCore.end();
}

void add_figures(DeviceFigures& figures, Row& row) {
  for (const FigureName& name : catalog::hardware_figure_names()) {
    if (!figures.mentions(name) && !in_core(figures.entry().kind, name.name)) continue;
    row.results.push_back({std::string(name.name), figures.bring(name)});
  }
  const Entry& entry = figures.entry();
  const std::vector<base::Note> differences =
      notes_of(entry, aggregate_differences(entry, figures.parts()));
  row.notes.insert(row.notes.end(), differences.begin(), differences.end());
}

void add_words(const Entry& entry, Row& row) {
  const auto add = [&row](const catalog::TextFact& fact) {
    row.attributes.push_back(
        {fact.name, fact.value, fact.unknown, fact.source, fact.locator, fact.note});
  };
  add(entry.status);
  for (const catalog::TextFact& fact : entry.attributes)
    add(fact);
  for (const catalog::Statement& statement : entry.statements) {
    row.notes.push_back(
        {"statement", Severity::note,
         statement.text + (statement.date.empty() ? "" : " (" + statement.date + ")"),
         statement.source, statement.locator});
  }
}

}  // namespace

base::Result<Shown> show(catalog::Catalogue& catalogue, const std::string& id) {
  ULLAGE_TRY(const Entry* const entry, catalogue.any(id));
  Shown shown;
  shown.entry = entry;
  shown.answer.command = "show";
  Row row;
  Graph& graph = shown.answer.graph;
  if (entry->kind == EntryKind::model) {
    row.model = entry->id;
    for (const FigureFact& fact : entry->figures) {
      row.results.push_back({fact.name, catalog::bring(graph, fact)});
    }
  } else {
    row.device = entry->id;
    DeviceFigures figures(graph, catalogue, *entry);
    add_figures(figures, row);
  }
  std::vector<std::string> own;
  for (const provenance::NamedFigure& result : row.results) {
    if (graph[result.figure].kind == provenance::FigureKind::published) own.push_back(result.name);
  }
  note_conflicts(*entry, own, row.notes);
  add_words(*entry, row);
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
  shown.answer.rows.push_back(std::move(row));
  return shown;
}

}  // namespace ullage::plan
