// Walks the derivation graph without recursion, so that its depth does not matter.
#include "report/reach.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace ullage::report {

using provenance::Claim;
using provenance::FigureId;
using provenance::Graph;

const provenance::Source& source_of(const SourceLookup& sources, std::string_view id) {
  const provenance::Source* source = sources ? sources(id) : nullptr;
  base::require(source != nullptr,
                "a claim cites a source that does not exist: " + std::string(id));
  return *source;
}

std::vector<FigureId> reachable(const Graph& graph, const std::vector<FigureId>& roots) {
  std::vector<FigureId> found;
  std::vector<bool> seen(graph.size());
  const auto visit = [&](FigureId id) {
    if (seen.at(id.index())) return;
    seen[id.index()] = true;
    found.push_back(id);
  };
  for (FigureId root : roots)
    visit(root);
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (FigureId input : graph[found[next]].inputs)
      visit(input);
  }
  return found;
}

namespace {

provenance::Tier own_tier(const provenance::Node& node) {
  const bool published =
      node.kind == provenance::FigureKind::published && node.value && !node.claims.empty();
  return published ? node.claims.front().tier : provenance::Tier::primary;
}

}  // namespace

provenance::Tier weakest_tier(const Graph& graph, FigureId figure) {
  provenance::Tier weakest = provenance::Tier::primary;
  for (FigureId id : reachable(graph, {figure}))
    weakest = std::max(weakest, own_tier(graph[id]));
  return weakest;
}

std::vector<FigureId> figures_of(std::span<const provenance::Row> rows) {
  std::vector<FigureId> figures;
  for (const provenance::Row& row : rows) {
    for (const provenance::NamedFigure& result : row.results)
      figures.push_back(result.figure);
  }
  return figures;
}

std::vector<std::string_view> cited_sources(const Graph& graph,
                                            std::span<const provenance::Row> rows) {
  std::set<std::string_view> ids;
  for (FigureId figure : reachable(graph, figures_of(rows))) {
    for (const Claim& claim : graph[figure].claims) {
      ids.insert(claim.source);
      ids.insert(claim.also.begin(), claim.also.end());
    }
  }
  for (const provenance::Row& row : rows) {
    for (const provenance::NamedText& fact : row.attributes)
      ids.insert(fact.source);
    for (const base::Note& note : row.notes)
      ids.insert(note.source);
  }
  ids.erase(std::string_view());
  return {ids.begin(), ids.end()};
}

}  // namespace ullage::report
