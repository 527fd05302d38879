// A range that crosses zero headroom, or spans several counts, does not decide.
#include "plan/flip.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace ullage::plan {
namespace {

using provenance::Claim;
using provenance::FigureId;
using provenance::Graph;
using provenance::Node;
using provenance::Row;

std::optional<FigureId> find(const Row& row, std::string_view name) {
  for (const provenance::NamedFigure& result : row.results) {
    if (result.name == name) return result.figure;
  }
  return std::nullopt;
}

// The published figures with a range that `figure` rests on, each once.
void collect_disputed(const Graph& graph, FigureId figure, std::vector<FigureId>& disputed) {
  const Node& node = graph[figure];
  if (!node.range) return;
  const bool seen = std::find(disputed.begin(), disputed.end(), figure) != disputed.end();
  if (node.kind == provenance::FigureKind::published && !seen) disputed.push_back(figure);
  for (const FigureId input : node.inputs)
    collect_disputed(graph, input, disputed);
}

// `memory_capacity: 96 GiB of A is used; B says 90 GB (other-page)`.
std::string claims_in_words(const Node& node) {
  const Claim& pinned = node.claims.front();
  std::string text = node.name + ": " + pinned.written + " of " + pinned.source + " is used";
  for (const Claim& claim : node.claims) {
    if (!provenance::speaks_of_today(claim.relation) || provenance::agree(pinned, claim)) continue;
    text += "; " + claim.source + " says " + claim.written + " (" +
            std::string(name_of(claim.relation)) + ")";
  }
  return text;
}

}  // namespace

std::optional<base::Note> flip_note(const Graph& graph, const Row& row) {
  std::string text;
  std::optional<FigureId> deciding;
  if (row.verdict == "fits" || row.verdict == "does-not-fit") {
    deciding = find(row, "headroom_per_device");
    if (!deciding || !graph.has_range(*deciding)) return std::nullopt;
    const exact::Interval range = graph.interval(*deciding);
    if (range.low().sign() >= 0 || range.high().sign() < 0) return std::nullopt;
    text = row.verdict == "fits" ? "it fits with the pinned claims, and would not with others"
                                 : "it does not fit with the pinned claims, and would with others";
  } else {
    deciding = find(row, "devices_min");
    if (!deciding || !graph.has_range(*deciding)) return std::nullopt;
    const exact::Interval range = graph.interval(*deciding);
    text = "the lower bound is " + graph.value(*deciding).to_string() +
           " with the pinned claims, and with others " + range.low().to_string() + " to " +
           range.high().to_string();
  }
  std::vector<FigureId> disputed;
  collect_disputed(graph, *deciding, disputed);
  for (const FigureId figure : disputed)
    text += "; " + claims_in_words(graph[figure]);
  return base::Note{"conflict", base::Severity::warning, row.device + ": " + text};
}

}  // namespace ullage::plan
