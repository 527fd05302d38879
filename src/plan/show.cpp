// Lists figures in the table's order and multiplies what an instance or system sums.
#include "plan/show.hpp"

#include <algorithm>
#include <array>

#include "catalog/figure_names.hpp"
#include "catalog/figures.hpp"
#include "memory/formulas.hpp"
#include "plan/devices.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using catalog::Entry;
using catalog::EntryKind;
using catalog::FigureFact;
using catalog::FigureName;
using provenance::FigureId;
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

units::Unit unit_of(const FigureName& name) {
  return {.dimension = name.dimension, .kind = name.kind, .scope = name.scope};
}

// chips × the chip's figure, with what the vendor prints kept beside it.
FigureId aggregate(Graph& graph, const FigureName& name, const Entry& entry, const Entry& chip,
                   FigureId chips, std::vector<base::Note>& notes) {
  const FigureFact& of_chip = *chip.figure(name.name);
  const FigureId one = catalog::bring(graph, of_chip);
  units::Unit unit = graph[one].unit;
  unit.scope = entry.kind == EntryKind::instance ? units::Scope::instance : units::Scope::system;
  exact::Rational value;
  const bool known = graph.known(chips) && graph.known(one);
  if (known) value = memory::ChipsInAll::evaluate(graph.value(chips), graph.value(one));
  const FigureId product = graph.derived(std::string(name.name), unit,
                                         "chips × " + std::string(name.name) + " of one " + chip.id,
                                         "", {chips, one}, value);
  const FigureFact* printed = entry.figure(name.name);
  if (printed == nullptr || !printed->known()) return product;
  graph.keep_beside(product, printed->claims);
  if (!printed->note.empty()) graph.annotate(product, printed->note);
  if (!known) return product;
  std::string text;
  for (const provenance::Claim& claim : printed->claims) {
    const exact::Rational difference = claim.quantity.value - value;
    const exact::Rational half = claim.last_place / exact::Rational(2);
    if (exact::max(difference, -difference) <= half) continue;
    text += "; " + claim.source + " prints " + claim.written +
            (claim.note.empty() ? "" : " (" + claim.note + ")");
  }
  if (!text.empty()) {
    notes.push_back({"conflict", Severity::warning,
                     entry.id + " " + std::string(name.name) + ": " +
                         graph.value(chips).to_string() + " × " + of_chip.claims.front().written +
                         " = " + value.to_string() + " " + units::symbol_of(unit.dimension) +
                         " is used" + text});
  }
  return product;
}

void add_figures(catalog::Catalogue& catalogue, const Entry& entry, Graph& graph, Row& row) {
  const Entry* chip = nullptr;
  if (!entry.chip.empty()) {
    if (auto found = catalogue.hardware(entry.chip)) chip = *found;
  }
  std::optional<FigureId> chips;
  if (chip != nullptr) chips = catalog::bring(graph, entry, "chips", {});
  for (const FigureName& name : catalog::hardware_figure_names()) {
    const FigureFact* fact = entry.figure(name.name);
    if (name.name == "chips" && chips) {
      row.results.push_back({"chips", *chips});
    } else if (chip != nullptr && name.aggregate && chip->figure(name.name) != nullptr) {
      row.results.push_back(
          {std::string(name.name), aggregate(graph, name, entry, *chip, *chips, row.notes)});
    } else if (fact != nullptr) {
      row.results.push_back({std::string(name.name), catalog::bring(graph, *fact)});
    } else if (in_core(entry.kind, name.name)) {
      row.results.push_back(
          {std::string(name.name), catalog::bring(graph, entry, name.name, unit_of(name))});
    }
  }
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
    add_figures(catalogue, *entry, graph, row);
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
