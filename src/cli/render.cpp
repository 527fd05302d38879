// Lays answers out through the report room.
#include "cli/render.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "cli/version.hpp"
#include "report/csv.hpp"
#include "report/explain.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/reach.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {

using provenance::Answer;
using provenance::FigureKind;
using provenance::NamedFigure;
using provenance::Node;
using provenance::Row;
using report::Role;
using report::Text;

report::SourceLookup sources_of(catalog::Catalogue& catalogue) {
  return [&catalogue](std::string_view id) { return catalogue.source(id); };
}

std::string label_of(std::string_view result_name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> special{
      {{"weights_floor", "weight floor"},
       {"weights_payload", "weight payload"},
       {"bits_per_parameter", "bits per parameter"},
       {"devices_min", "devices, lower bound"},
       {"chips_min", "chips, lower bound"},
       {"cost_min", "cost of the lower bound"},
       {"headroom_per_device", "headroom per device"},
       {"memory_capacity", "memory capacity"},
       {"memory_capacity_visible", "memory, visible to software"},
       {"tdp", "power (TDP)"},
       {"flops_six_n_per_token", "6N per token"},
       {"six_n_difference", "6N against the count"},
       {"mfu_six_n", "MFU by 6N"},
       {"mfu_full_square", "MFU, full square"},
       {"vcpus", "vCPUs"},
       {"hbm_stacks", "HBM stacks"},
       {"cc_cores", "CC-Cores"},
       {"dma_bandwidth", "DMA bandwidth"},
       {"dma_engines", "DMA engines"},
       {"sram", "on-chip SRAM"}}};
  for (const auto& [name, label] : special) {
    if (name == result_name) return std::string(label);
  }
  constexpr std::string_view kPayloadIn = "weights_payload_";
  if (result_name.starts_with(kPayloadIn)) {
    return "payload in " + std::string(result_name.substr(kPayloadIn.size()));
  }
  std::string label(result_name);
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::string origin_of(const Node& node) {
  if (!node.value) return node.unknown;
  switch (node.kind) {
    case FigureKind::derived:
      return node.formula;
    case FigureKind::given:
      return node.where + (node.locator.empty() ? "" : ", " + node.locator);
    case FigureKind::assumed:
      return "assumed: " + node.where;
    case FigureKind::published: {
      const provenance::Claim& claim = node.claims.front();
      std::string text = claim.printed.empty() ? claim.derivation : "printed as " + claim.printed;
      if (claim.quantity.unit.direction != units::Direction::none) {
        text += ", " + (claim.quantity.unit.direction == units::Direction::not_stated
                            ? std::string("direction not stated")
                            : std::string(units::name_of(claim.quantity.unit.direction)));
      }
      if (claim.tier != provenance::Tier::primary)
        text += ", " + std::string(name_of(claim.tier)) + " source";
      return text;
    }
  }
  return {};
}

namespace {

// Results that people read as percent.
bool is_share(std::string_view name) {
  return name == "reserve" || name.starts_with("mfu") || name == "hfu" ||
         name == "six_n_difference";
}

}  // namespace

report::Table figures_table(const Answer& answer, const std::vector<NamedFigure>& results,
                            report::SourceList& sources) {
  report::Table table;
  table.columns = {{}, {Text(), report::Align::right}, {}, {}};
  for (const NamedFigure& result : results) {
    const Node& node = answer.graph[result.figure];
    report::ValueStyle style;
    style.rounding = report::rounding_for(result.name);
    std::string value = is_share(result.name) && node.value ? report::percent_text(*node.value)
                                                            : report::figure_text(node, style);
    const Role role = node.value ? Role::emphasis : Role::warning;
    std::string origin = origin_of(node);
    // What quoted sources carry is seen in their list; a secondary one is said at the figure.
    if (node.value && node.kind == FigureKind::derived &&
        report::weakest_tier(answer.graph, result.figure) == provenance::Tier::secondary) {
      origin += ", rests on a secondary source";
    }
    table.rows.push_back(
        {{Text(label_of(result.name)), Text(std::move(value), role),
          Text(sources.marks(result.figure), Role::dim), Text(std::move(origin), Role::dim)},
         false});
  }
  return table;
}

void add_notes(const Context& context, const std::vector<base::Note>& notes, report::Page& page) {
  if (context.common.quiet || notes.empty()) return;
  report::Bullets bullets;
  std::set<std::pair<std::string, std::string>> seen;
  for (const base::Note& note : notes) {
    if (!seen.emplace(note.code, note.text).second) continue;
    Text text;
    if (note.level != base::Severity::note) text.add(note.code + ": ", Role::warning);
    text.add(note.text);
    if (!note.source.empty()) text.add(" (" + note.source + ", " + note.locator + ")", Role::dim);
    bullets.items.push_back({std::move(text), 0});
  }
  page.sections.push_back({Text("Notes", Role::heading), {std::move(bullets)}});
}

bool shows_derivations(const CommonArguments& common) {
  return common.explain || common.format == Format::json;
}

std::string render(const Context& context, const Answer& answer, report::Page page) {
  const report::SourceLookup sources = sources_of(context.catalogue);
  switch (context.common.format) {
    case Format::json:
      return report::to_json(
          answer, {kVersion, context.catalogue.version(), context.catalogue.digest()}, sources);
    case Format::csv:
      return report::to_csv(answer);
    default:
      break;
  }
  if (context.common.explain) {
    std::vector<NamedFigure> figures;
    std::set<std::uint32_t> seen;
    for (const Row& row : answer.rows) {
      for (const NamedFigure& result : row.results) {
        if (seen.insert(result.figure.index()).second) figures.push_back(result);
      }
    }
    for (report::Section& section : report::explain(answer.graph, figures, sources)) {
      page.sections.push_back(std::move(section));
    }
  }
  return context.common.format == Format::markdown ? report::to_markdown(page)
                                                   : report::to_text(page, context.style);
}

std::string unknown_remark(const Answer& answer) {
  for (const Row& row : answer.rows) {
    if (row.verdict != "unknown") continue;
    for (const NamedFigure& result : row.results) {
      const Node& node = answer.graph[result.figure];
      if (!node.value && result.name != "weights_payload") {
        return row.device + ": " + result.name + " is unknown: " + node.unknown;
      }
    }
  }
  return {};
}

}  // namespace ullage::cli
