// Lists figures in the table's order.
#include "plan/show.hpp"

#include <algorithm>
#include <array>

#include "catalog/figure_names.hpp"
#include "catalog/figures.hpp"
#include "plan/device_figures.hpp"
#include "plan/devices.hpp"
#include "plan/show_model.hpp"

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

constexpr std::array<std::string_view, 4> kPartitionCore{"memory_capacity", "memory_bandwidth",
                                                         "dense_bf16", "partitions_per_chip"};
// A slice has no host of its own.
constexpr std::array<std::string_view, 3> kSliceCore{"chips", "memory_capacity",
                                                     "memory_bandwidth"};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool in_core(const Entry& entry, std::string_view name) {
  if (entry.kind == EntryKind::chip) return is_in(kChipCore, name);
  if (entry.kind == EntryKind::partition) return is_in(kPartitionCore, name);
  return entry.partition_kind.empty() ? is_in(kAggregateCore, name) : is_in(kSliceCore, name);
}

// What the entry remarks on the claims that are used: whose figure it is, what a source leaves
// open. A remark that a difference carries already is not said twice.
void add_remarks(const Entry& entry, const std::vector<AggregateDifference>& differences,
                 Row& row) {
  for (const provenance::NamedFigure& result : row.results) {
    const FigureFact* fact = entry.figure(result.name);
    if (fact == nullptr || !fact->known()) continue;
    const provenance::Claim& claim = fact->claims.front();
    const bool told = std::any_of(differences.begin(), differences.end(), [&](const auto& other) {
      return other.sum.name == result.name && other.differing.front().claim == &claim;
    });
    if (claim.note.empty() || told) continue;
    std::string name = result.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string text = ": " + claim.note;
    const auto same = std::find_if(row.notes.begin(), row.notes.end(), [&](const base::Note& note) {
      return note.code == "remark" && note.text.ends_with(text) && note.source == claim.source &&
             note.locator == claim.locator;
    });
    if (same != row.notes.end()) {
      same->text.insert(same->text.size() - text.size(), ", " + name);
    } else {
      row.notes.push_back({"remark", Severity::note, name + text, claim.source, claim.locator});
    }
  }
}

void add_figures(const Graph& graph, DeviceFigures& figures, Row& row) {
  for (const FigureName& name : catalog::hardware_figure_names()) {
    if (!figures.mentions(name) && !in_core(figures.entry(), name.name)) continue;
    row.results.push_back({std::string(name.name), figures.bring(name)});
  }
  const Entry& entry = figures.entry();
  const std::vector<AggregateDifference> differences =
      aggregate_differences(entry, figures.parts());
  const std::vector<base::Note> notes = notes_of(entry, differences);
  row.notes.insert(row.notes.end(), notes.begin(), notes.end());
  add_remarks(entry, differences, row);
  // What differs from its parts is a conflict already, with every claim of it.
  const bool repeats = std::any_of(
      differences.begin(), differences.end(),
      [](const AggregateDifference& difference) { return difference.sum.count == nullptr; });
  std::vector<std::string> own;
  for (const provenance::NamedFigure& result : row.results) {
    const bool told = repeats && std::any_of(differences.begin(), differences.end(),
                                             [&](const AggregateDifference& difference) {
                                               return difference.sum.name == result.name;
                                             });
    if (!told && graph[result.figure].kind == provenance::FigureKind::published) {
      own.push_back(result.name);
    }
  }
  note_conflicts(entry, own, row.notes);
}

// The names of partitions beyond this many are counted only.
constexpr std::size_t kNamedPartitions = 16;

void add_partitions(const catalog::Catalogue& catalogue, const Entry& entry, Row& row) {
  if (entry.kind != EntryKind::chip) return;
  const std::vector<catalog::PartitionListing> partitions = catalogue.partitions(entry);
  if (partitions.empty()) return;
  std::string names;
  const std::size_t named = std::min(partitions.size(), kNamedPartitions);
  for (std::size_t i = 0; i < named; ++i) {
    names += (i > 0 ? ", " : "") + std::string(partitions[i].name);
    if (!partitions[i].memory.empty()) names += " (" + std::string(partitions[i].memory) + ")";
    if (!partitions[i].chips.empty()) names += " (" + std::string(partitions[i].chips) + " chips)";
  }
  if (named < partitions.size()) {
    names += " and " + std::to_string(partitions.size() - named) + " more";
  }
  row.notes.push_back(
      {"partitions", Severity::note,
       (partitions.front().chips.empty() ? "can be divided into " : "comes in slices ") + names +
           "; each is a device: `ullage show " + entry.id + ":" +
           std::string(partitions.front().name) + "`, `ullage list partitions --of " + entry.id +
           "`"});
}

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values)
    text += (text.empty() ? "" : ", ") + value;
  return text;
}

// `KV memory share` of `kv_memory_share`.
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name.starts_with("kv ") ? "KV" + name.substr(2) : name;
}

std::string support_in_words(const catalog::Software& stack) {
  if (stack.support.value.empty()) return "support unknown: " + stack.support.unknown;
  std::string text = stack.support.value;
  if (!stack.from.empty()) text += " from " + stack.counts + " " + stack.from;
  if (!stack.until.empty()) text += " up to " + stack.counts + " " + stack.until;
  if (!stack.support.note.empty()) text += "; " + stack.support.note;
  return text;
}

// `tensor parallel degrees 1, 2, 4 (lnc 2)`.
std::string in_words(const catalog::ListFact& list) {
  std::string text = in_words(list.name);
  text += list.values.empty() ? " unknown: " + list.unknown : " " + joined(list.values);
  std::string remark;
  for (const auto& [setting, value] : list.when)
    remark += (remark.empty() ? "" : ", ") + setting + " " + value;
  if (list.relation != provenance::Relation::pinned) {
    remark += (remark.empty() ? "" : ", ") + std::string(name_of(list.relation));
  }
  if (!list.note.empty()) remark += (remark.empty() ? "" : "; ") + list.note;
  return remark.empty() ? text : text + " (" + remark + ")";
}

// What software does on the chip, a note each fact.
void add_software(catalog::Catalogue& catalogue, const Entry& entry, Row& row) {
  if (entry.kind == EntryKind::model) return;
  for (const catalog::Software& stack : catalogue.software(entry)) {
    const auto add = [&](const std::string& text, const std::string& source,
                         const std::string& locator) {
      row.notes.push_back({"software", Severity::note, stack.name + ": " + text, source, locator});
    };
    add(support_in_words(stack), stack.support.source, stack.support.locator);
    for (const catalog::ListFact& list : stack.lists)
      add(in_words(list), list.source, list.locator);
    for (const FigureFact& fact : stack.figures) {
      const std::string name = in_words(fact.name);
      if (!fact.known()) {
        add(name + " unknown: " + fact.unknown, "", "");
        continue;
      }
      const provenance::Claim& claim = fact.claims.front();
      add(name + " " + claim.written + (claim.note.empty() ? "" : " (" + claim.note + ")"),
          claim.source, claim.locator);
    }
    for (const catalog::Statement& statement : stack.statements)
      add(statement.text, statement.source, statement.locator);
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
    DeviceFigures figures(graph, catalogue, *entry);
    add_figures(graph, figures, row);
  }
  if (entry->kind == EntryKind::model) {
    std::vector<std::string> all;
    for (const provenance::NamedFigure& result : row.results)
      all.push_back(result.name);
    note_conflicts(*entry, all, row.notes);
  }
  add_words(*entry, row);
  add_partitions(catalogue, *entry, row);
  add_software(catalogue, *entry, row);
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
  shown.answer.rows.push_back(std::move(row));
  return shown;
}

void derive_memory(Shown& shown, catalog::Catalogue& catalogue) {
  if (shown.entry->kind != EntryKind::model) return;
  shown.derived =
      add_memory(*shown.entry, catalogue, shown.answer.graph, shown.answer.rows.front());
}

}  // namespace ullage::plan
