// Brings each figure of each device, divides where asked, and relates every row to the first.
#include "plan/compare.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "plan/cost.hpp"
#include "plan/device_figures.hpp"
#include "plan/devices.hpp"
#include "plan/generation.hpp"
#include "plan/quotient.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using catalog::Entry;
using catalog::EntryKind;
using catalog::FigureName;
using exact::Rational;
using provenance::Answer;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Direction;

// What devices are compared by, beside the rates of each precision.
constexpr std::array<std::string_view, 22> kComparable{"chips",
                                                       "memory_capacity",
                                                       "memory_capacity_visible",
                                                       "memory_bandwidth",
                                                       "hbm_stacks",
                                                       "cores",
                                                       "multiprocessors",
                                                       "partitions_per_chip",
                                                       "logical_cores",
                                                       "scale_up_bandwidth",
                                                       "scale_up_bandwidth_one_way",
                                                       "scale_up_bandwidth_per_chip",
                                                       "scale_out_bandwidth",
                                                       "network_bandwidth",
                                                       "host_bandwidth",
                                                       "dma_bandwidth",
                                                       "cc_cores",
                                                       "sram",
                                                       "host_memory",
                                                       "vcpus",
                                                       "local_storage",
                                                       "tdp"};

// Shown even where no entry mentions them, so that what is not known is said.
constexpr std::array<std::string_view, 5> kAlways{"memory_capacity", "memory_bandwidth",
                                                  "dense_bf16", "dense_fp8", "tdp"};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `fp8` of `dense_fp8`; empty for figures that are no rate of a whole device.
std::string_view precision_of(std::string_view name) {
  for (const std::string_view form : {"dense_", "sparse_"}) {
    if (!name.starts_with(form) || name.ends_with("_per_core")) continue;
    return name.substr(form.size());
  }
  return {};
}

struct Side {
  const Entry& entry;
  std::string label;  // the id, with its version where two versions are compared
  DeviceFigures figures;
};

Diagnostic usage(std::string message, std::string hint) {
  return {.code = Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

base::Result<std::vector<const Entry*>> entries_of(const CompareRequest& request,
                                                   catalog::Catalogue& catalogue) {
  std::vector<const Entry*> entries;
  const bool any_all =
      std::find(request.devices.begin(), request.devices.end(), "all") != request.devices.end();
  for (const std::string& device : request.devices) {
    const bool all = device == "all";
    std::vector<std::string> names{device};
    if (all) {
      ULLAGE_TRY(names, device_names(catalogue, device));
    }
    for (const std::string& name : names) {
      ULLAGE_TRY(const Entry* const entry, catalogue.hardware(name));
      const bool known = std::find(entries.begin(), entries.end(), entry) != entries.end();
      if (known && !any_all) {
        return usage(entry->id + "@" + entry->version + " is named twice",
                     "name each device once; two versions are `ID@VERSION`");
      }
      if (!known) entries.push_back(entry);
    }
  }
  if (entries.size() < 2) {
    return usage("compare takes at least two devices",
                 "ullage compare trainium2 h100-sxm; `ullage list hardware` lists them");
  }
  return entries;
}

base::Result<void> check_count(std::string_view flag, std::size_t given, std::size_t devices) {
  if (given == 0 || given == 1 || given == devices) return {};
  return usage(std::string(flag) + " has " + std::to_string(given) + " values for " +
                   std::to_string(devices) + " devices",
               "one for all of them, or one a device in their order");
}

std::string label_of(const Entry& entry, const std::vector<const Entry*>& entries) {
  const auto same = std::count_if(entries.begin(), entries.end(),
                                  [&](const Entry* other) { return other->id == entry.id; });
  return same > 1 ? entry.id + "@" + entry.version : entry.id;
}

// A figure of one chip or link, which no division by parts of the device makes sense of.
bool is_of_one(std::string_view name) {
  return name.ends_with("_per_chip");
}

// A number of chips is that of a device, an instance or a system.
bool counts_chips_of_less(std::string_view name, Per per) {
  return name == "chips" && (per == Per::chip || per == Per::core || per == Per::watt);
}

bool is_shown(const FigureName& name, const CompareRequest& request,
              const std::deque<Side>& sides) {
  if (counts_chips_of_less(name.name, request.per)) return false;
  const std::string_view precision = precision_of(name.name);
  if (precision.empty() && !is_in(kComparable, name.name)) return false;
  if (is_of_one(name.name) && request.per != Per::entry && request.per != Per::chip) return false;
  if (!precision.empty() && !request.precisions.empty()) {
    return std::find(request.precisions.begin(), request.precisions.end(), precision) !=
           request.precisions.end();
  }
  return is_in(kAlways, name.name) ||
         std::any_of(sides.begin(), sides.end(),
                     [&](const Side& side) { return side.figures.mentions(name); });
}

// What one figure of a device is divided by.
struct Divisor {
  std::optional<FigureId> figure;  // nothing: the device is one already
  std::string_view name;           // of the figure that is not divided by itself
  std::string word;                // `chips`
  units::Scope scope = units::Scope::none;
};

FigureId no_count(Graph& graph, const std::string& name, const Entry& entry) {
  const std::string kind(name_of(entry.kind));
  const std::string article = entry.kind == EntryKind::instance ? "an " : "a ";
  return graph.unknown(name, {.dimension = units::kNumber}, provenance::Absence::unpublished,
                       entry.id + " is " + article + kind + " and names no number of " + name);
}

Divisor divisor_of(Graph& graph, Per per, Side& side) {
  const Entry& entry = side.entry;
  const auto own = [&](std::string_view name) {
    return side.figures.bring(*catalog::find_hardware_figure(name));
  };
  switch (per) {
    case Per::entry:
      return {};
    case Per::chip:
      if (entry.kind == EntryKind::chip) return {};
      if (entry.kind == EntryKind::partition) {
        return {no_count(graph, "chips", entry), "", "chips", units::Scope::chip};
      }
      return {side.figures.chips() ? *side.figures.chips() : own("chips"), "chips", "chips",
              units::Scope::chip};
    case Per::core:
      return {own("cores"), "cores", "cores", units::Scope::core};
    case Per::watt:
      return {own("tdp"), "tdp", "tdp", units::Scope::none};
    case Per::instance:
      if (entry.kind == EntryKind::instance) return {};
      if (entry.kind == EntryKind::system && entry.figure("instances") != nullptr) {
        return {own("instances"), "instances", "instances", units::Scope::instance};
      }
      return {no_count(graph, "instances", entry), "", "instances", units::Scope::instance};
    case Per::system:
      if (entry.kind == EntryKind::system) return {};
      return {no_count(graph, "systems", entry), "", "systems", units::Scope::system};
  }
  return {};
}

FigureId divided(Graph& graph, const FigureName& name, FigureId figure, const Divisor& divisor) {
  if (!divisor.figure || name.name == divisor.name || is_of_one(name.name)) return figure;
  units::Unit unit = graph[figure].unit;
  unit.scope = divisor.scope;
  if (divisor.name == "tdp") unit.dimension = unit.dimension / units::kWatts;
  return quotient(graph,
                  {.name = std::string(name.name),
                   .unit = unit,
                   .formula = std::string(name.name) + " ÷ " + divisor.word},
                  figure, *divisor.figure);
}

// Whether what a system prints of a figure is that of one of its machines.
bool prints_one_part(const std::vector<AggregateDifference>& differences, std::string_view name) {
  return std::any_of(
      differences.begin(), differences.end(), [&](const AggregateDifference& difference) {
        const provenance::Claim& printed = difference.printed->claims.front();
        return difference.sum.name == name && difference.sum.count != nullptr &&
               difference.differing.front().claim == &printed &&
               printed.quantity.value == difference.sum.part->claims.front().quantity.value;
      });
}

void add_figures(Graph& graph, const CompareRequest& request,
                 const std::vector<const FigureName*>& names, Side& side, Row& row) {
  const Divisor divisor = divisor_of(graph, request.per, side);
  std::vector<AggregateDifference> differences =
      aggregate_differences(side.entry, side.figures.parts());
  std::vector<std::string> published;
  for (const FigureName* name : names) {
    FigureId figure = side.figures.bring(*name);
    if (divisor.figure && prints_one_part(differences, name->name)) {
      figure = graph.unknown(
          std::string(name->name), graph[figure].unit, provenance::Absence::unpublished,
          "the page of " + side.entry.id +
              " repeats the figure of one machine, so that it cannot be divided");
    }
    if (graph[figure].kind == provenance::FigureKind::published) {
      published.emplace_back(name->name);
    }
    row.results.push_back({std::string(name->name), divided(graph, *name, figure, divisor)});
  }
  note_conflicts(side.entry, published, row.notes);
  std::erase_if(differences, [&](const AggregateDifference& difference) {
    return std::none_of(names.begin(), names.end(),
                        [&](const FigureName* name) { return name->name == difference.sum.name; });
  });
  const std::vector<base::Note> notes = notes_of(side.entry, differences);
  row.notes.insert(row.notes.end(), notes.begin(), notes.end());
}

const GivenNumber* of_row(const std::vector<GivenNumber>& numbers, std::size_t row) {
  if (numbers.empty()) return nullptr;
  return numbers.size() == 1 ? &numbers.front() : &numbers[row];
}

void add_costs(Graph& graph, const CompareRequest& request, std::size_t at, Row& row) {
  const GivenNumber* price = of_row(request.prices, at);
  const GivenNumber* measured = of_row(request.measured, at);
  std::optional<FigureId> price_figure;
  std::optional<FigureId> rate_figure;
  if (price != nullptr) {
    price_figure =
        graph.given("price", {price->value, {.dimension = units::kDollarRate}}, {price->where, ""});
    row.results.push_back({"price", *price_figure});
  }
  if (measured != nullptr) {
    rate_figure = graph.given("measured", {measured->value, {.dimension = units::kTokenRate}},
                              {measured->where, ""});
    row.results.push_back({"measured", *rate_figure});
  }
  if (!price_figure || !rate_figure) return;
  row.results.push_back(
      {"cost_per_million_tokens", cost_per_million_tokens(graph, *price_figure, *rate_figure)});
}

std::string direction_words(const provenance::Node& node) {
  return node.unit.direction == Direction::not_stated ? "of a direction that is not stated"
                                                      : std::string(name_of(node.unit.direction));
}

// The ratio to the first row of every figure that both know.
void add_ratios(Graph& graph, const Row& first, Row& row) {
  const std::size_t figures = row.results.size();
  for (std::size_t at = 0; at < figures; ++at) {
    const std::string name = row.results[at].name;
    const FigureId own = row.results[at].figure;
    const FigureId other = first.results[at].figure;
    if (!graph.known(own) || !graph.known(other) || graph.value(other).is_zero()) continue;
    const units::Unit& unit = graph[own].unit;
    if (unit.direction != graph[other].unit.direction) {
      row.notes.push_back({"direction", Severity::note,
                           name + ": no ratio, since the link of " + row.device + " is " +
                               direction_words(graph[own]) + " and that of " + first.device +
                               " is " + direction_words(graph[other])});
      continue;
    }
    if (unit.dimension != graph[other].unit.dimension || unit.kind != graph[other].unit.kind) {
      continue;
    }
    row.results.push_back(
        {"ratio_" + name, quotient(graph,
                                   {.name = "ratio of " + name,
                                    .unit = {.dimension = units::kNumber},
                                    .formula = graph[own].name + " of " + row.device + " ÷ " +
                                               graph[other].name + " of " + first.device},
                                   own, other)});
  }
}

void add_notes(const CompareRequest& request, const Side& first, const Side& side, Row& row) {
  const Entry& entry = side.entry;
  if (entry.status.value != "documented") {
    row.notes.push_back({"status", Severity::warning,
                         entry.id + " is " + entry.status.value + ", not documented as available"});
  }
  if (request.per == Per::entry && entry.kind != first.entry.kind) {
    row.notes.push_back({"scope", Severity::warning,
                         "figures of " + side.label + " are those of one " +
                             std::string(name_of(entry.kind)) + ", figures of " + first.label +
                             " those of one " + std::string(name_of(first.entry.kind)) +
                             "; --per chip compares chips"});
  }
  const catalog::TextFact* patterns = entry.attribute("sparsity_patterns");
  const bool sparse = std::any_of(row.results.begin(), row.results.end(), [](const auto& result) {
    return result.name.starts_with("sparse_");
  });
  if (sparse && patterns != nullptr && !patterns->value.empty()) {
    row.notes.push_back({"sparsity-pattern", Severity::note,
                         "sparse rates of " + entry.id + " rest on the patterns " +
                             patterns->value +
                             (patterns->note.empty() ? "" : ": " + patterns->note),
                         patterns->source, patterns->locator});
  }
}

// Statements on the older device that name no figure: shown, and held against nothing.
void add_statements(const Entry& entry, const Entry& older, Row& row) {
  for (const catalog::Statement& statement : entry.statements) {
    const bool names =
        std::any_of(statement.compares.begin(), statement.compares.end(),
                    [&](const catalog::Comparison& comparison) {
                      return comparison.figure.empty() && comparison.with == older.id;
                    });
    if (!names) continue;
    row.notes.push_back({"statement", Severity::note, entry.id + ": " + statement.text,
                         statement.source, statement.locator});
  }
}

void add_overlay_notes(const catalog::Catalogue& catalogue, Row& row) {
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
}

}  // namespace

base::Result<Answer> compare(const CompareRequest& request, catalog::Catalogue& catalogue) {
  ULLAGE_TRY(const std::vector<const Entry*> entries, entries_of(request, catalogue));
  ULLAGE_CHECK(check_count("--price", request.prices.size(), entries.size()));
  ULLAGE_CHECK(check_count("--measured", request.measured.size(), entries.size()));
  Answer answer;
  answer.command = "compare";
  Graph& graph = answer.graph;
  if (request.interval) graph.carry_ranges();
  std::deque<Side> sides;
  for (const Entry* entry : entries) {
    sides.push_back({*entry, label_of(*entry, entries), DeviceFigures(graph, catalogue, *entry)});
  }
  std::vector<const FigureName*> names;
  for (const FigureName& name : catalog::hardware_figure_names()) {
    if (is_shown(name, request, sides)) names.push_back(&name);
  }
  for (std::size_t at = 0; at < sides.size(); ++at) {
    Side& side = sides[at];
    Row row;
    row.device = side.label;
    const catalog::TextFact& status = side.entry.status;
    row.attributes.push_back(
        {status.name, status.value, status.unknown, status.source, status.locator, status.note});
    add_figures(graph, request, names, side, row);
    add_costs(graph, request, at, row);
    if (at > 0) add_ratios(graph, answer.rows.front(), row);
    for (Side& older : sides) {
      if (&older == &side) continue;
      add_generation_factors(graph, names, side.figures, older.figures, row);
      add_statements(side.entry, older.entry, row);
    }
    add_notes(request, sides.front(), side, row);
    add_overlay_notes(catalogue, row);
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

}  // namespace ullage::plan
