// Opens the card as `ullage weights` and `ullage kv` do, and keeps what a page needs.
#include "plan/show_model.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "import/open_card.hpp"
#include "memory/weights.hpp"
#include "plan/serve.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using provenance::Graph;
using provenance::Row;

constexpr std::array<std::string_view, 3> kCache{"kv_per_token", "kv_per_sequence",
                                                 "state_per_sequence"};

void note(Row& row, std::string text) {
  row.notes.push_back({"not-derived", Severity::note, std::move(text)});
}

// The cache at the card's own length, one sequence.
base::Result<Serving> cache_of(Graph& graph, const model::Model& model, const catalog::Entry& card,
                               catalog::Catalogue& catalogue) {
  ServeChoice choice;
  const catalog::FigureFact* const length = card.figure("context_length");
  if (length != nullptr && length->known()) {
    choice.context =
        GivenNumber{length->claims.front().quantity.value, "context_length of " + card.id};
  }
  return serve(graph, model, nullptr, choice, {}, nullptr, catalogue);
}

}  // namespace

std::vector<std::string> add_memory(const catalog::Entry& card, catalog::Catalogue& catalogue,
                                    Graph& graph, Row& row) {
  std::vector<std::string> added;
  const auto add = [&](std::string_view name, provenance::FigureId id) {
    row.results.push_back({std::string(name), id});
    added.emplace_back(name);
  };
  const base::MemoryFileSystem no_files{};
  import::OpenContext context{catalogue, no_files, graph, std::nullopt};
  const auto model = import::open_card(context, std::make_shared<const catalog::Entry>(card));
  if (!model) {
    note(row, "its architecture is not counted: " + model.error().message);
    return added;
  }
  memory::WeightChoice native;
  native.by_group = false;
  const auto weights = memory::weigh(graph, *model, native, catalogue);
  if (weights && graph.known(weights->floor.id())) {
    add("weights_floor", weights->floor.id());
    add("weights_payload", weights->payload.id());
  } else {
    note(row, weights ? "its bytes are not known: " + graph[weights->floor.id()].unknown
                      : weights.error().message);
  }
  if (!model->inventory) {
    note(row, "it has no shape, so that cache, activations and layouts cannot be derived");
    return added;
  }
  const auto serving = cache_of(graph, *model, card, catalogue);
  if (!serving) {
    note(row, "its cache is not derived: " + serving.error().message);
    return added;
  }
  for (const provenance::NamedFigure& figure : serving_results(*serving)) {
    if (std::find(kCache.begin(), kCache.end(), figure.name) == kCache.end()) continue;
    if (graph.known(figure.figure) && graph.value(figure.figure).is_zero()) continue;
    add(figure.name, figure.figure);
  }
  return added;
}

}  // namespace ullage::plan
