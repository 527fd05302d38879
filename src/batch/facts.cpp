// Asks the functions behind `fit`, and keeps the values.
#include "batch/facts.hpp"

#include <algorithm>

#include "engine/demand.hpp"
#include "memory/formulas.hpp"
#include "plan/serve.hpp"
#include "plan/serve_beside.hpp"
#include "report/reach.hpp"

namespace ullage::batch {
namespace {

using exact::Rational;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;

// The figure's value; `fits` becomes false where 64 bits do not hold it.
Value value_of(const Graph& graph, FigureId id, bool& fits) {
  if (!graph.known(id)) return {Value::State::unknown, {}};
  const auto number = Number::of(graph.value(id));
  fits = fits && number.has_value();
  return number ? Value::of(*number) : Value{Value::State::unknown, {}};
}

Number number_of(const Rational& value, bool& fits) {
  const auto number = Number::of(value);
  fits = fits && number.has_value();
  return number.value_or(Number());
}

std::vector<std::string> sources_of(const Graph& graph, const Row& row) {
  std::vector<std::string> ids;
  for (const std::string_view id : report::cited_sources(graph, {&row, 1}))
    ids.emplace_back(id);
  return ids;
}

struct Opened {
  model::Model model;
  memory::Weights weights;
};

base::Result<Opened> opened(const plan::FitRequest& request, catalog::Catalogue& catalogue,
                            const base::FileSystem& files, Graph& graph) {
  import::OpenContext context{catalogue, files, graph, request.assume};
  ULLAGE_TRY(model::Model model, import::open_model(context, request.model));
  memory::WeightChoice choice = request.weights;
  choice.by_group = false;
  choice.count_stated = false;
  ULLAGE_TRY(memory::Weights weights, memory::weigh(graph, model, choice, catalogue));
  return Opened{std::move(model), std::move(weights)};
}

void add_notes(const std::vector<base::Note>& notes, Row& row) {
  row.notes.insert(row.notes.end(), notes.begin(), notes.end());
}

bool states_cache_format(const model::Model& model) {
  if (model.card == nullptr) return false;
  return std::any_of(model.card->statements.begin(), model.card->statements.end(),
                     [](const catalog::Statement& statement) {
                       return statement.sets.find("kv_dtype") != statement.sets.end();
                     });
}

}  // namespace

ModelFacts model_facts(const plan::FitRequest& request, catalog::Catalogue& catalogue,
                       const base::FileSystem& files) {
  ModelFacts facts;
  Graph graph;
  const auto both = opened(request, catalogue, files, graph);
  if (!both) return facts;
  const memory::Weights& weights = both->weights;
  bool fits = true;
  facts.parameters = value_of(graph, weights.parameters.id(), fits);
  Row row;
  row.results = {{"parameters", weights.parameters.id()},
                 {"bits", weights.bits.id()},
                 {"floor", weights.floor.id()},
                 {"payload", weights.payload.id()}};
  if (weights.active_parameters) {
    facts.active_parameters = value_of(graph, weights.active_parameters->id(), fits);
    row.results.push_back({"active", weights.active_parameters->id()});
  }
  facts.bits = value_of(graph, weights.bits.id(), fits);
  facts.floor = value_of(graph, weights.floor.id(), fits);
  facts.payload = value_of(graph, weights.payload.id(), fits);
  const bool stated = facts.payload.known() || !weights.format.empty() || request.weights.bits;
  const Value& used = facts.payload.known() ? facts.payload : facts.floor;
  facts.covered = fits && stated && used.known();
  facts.used = used.number;
  facts.card = both->model.card;
  facts.cache_depends_on_chip = states_cache_format(both->model);
  add_notes(both->model.notes, row);
  add_notes(weights.notes, row);
  facts.sources = sources_of(graph, row);
  return facts;
}

DeviceFacts device_facts(const plan::FitRequest& request, catalog::Catalogue& catalogue) {
  DeviceFacts facts;
  Graph graph;
  const auto device = plan::open_device(graph, catalogue, request.on, request.capacity);
  if (!device) return facts;
  facts.name = device->entry->id;
  if (request.on.find('@') != std::string::npos) facts.name += "@" + device->entry->version;
  facts.chip = device->chip;
  bool fits = true;
  facts.capacity = value_of(graph, device->capacity, fits);
  Row row;
  row.results.push_back({"capacity", device->capacity});
  if (device->chips) {
    facts.chips = value_of(graph, *device->chips, fits);
    row.results.push_back({"chips", *device->chips});
    fits = fits && facts.chips.known();
  }
  const Rational reserve = request.reserve ? request.reserve->value : Rational(15) / Rational(100);
  facts.reserve = number_of(reserve, fits);
  if (facts.capacity.known()) {
    const Rational budget = memory::DeviceBudget::evaluate(graph.value(device->capacity), reserve);
    facts.budget = number_of(budget, fits);
    fits = fits && budget.sign() > 0;
  }
  add_notes(device->notes, row);
  facts.sources = sources_of(graph, row);
  facts.covered = fits;
  return facts;
}

CacheFacts cache_facts(const plan::FitRequest& request, const catalog::Entry* chip,
                       catalog::Catalogue& catalogue, const base::FileSystem& files) {
  CacheFacts facts;
  Graph graph;
  const auto both = opened(request, catalogue, files, graph);
  if (!both) return facts;
  const auto serving =
      plan::serve(graph, both->model, &both->weights, request.serve, {}, chip, catalogue);
  if (!serving || !serving->weights_per_device) return facts;
  bool fits = true;
  const Value weights = value_of(graph, serving->weights_per_device->id(), fits);
  facts.weights = weights.number;
  for (const memory::CacheClass& each : serving->classes) {
    CacheLayers layers;
    layers.recurrent = each.kind == model::CacheKind::recurrent;
    layers.keeps_tokens = engine::keeps_tokens(each.kind);
    const Rational one = graph.value(layers.keeps_tokens ? each.entry : each.fixed);
    layers.entry = number_of(one * each.layers.value, fits);
    const bool bounded =
        each.kind == model::CacheKind::window || each.kind == model::CacheKind::chunked;
    if (bounded) layers.window = number_of(each.window->value, fits);
    if (each.compress) layers.compress = number_of(each.compress->value, fits);
    facts.layers.push_back(std::move(layers));
  }
  Row row;
  row.results = plan::serving_results(*serving);
  row.results.push_back({"weights", serving->weights_per_device->id()});
  const plan::LoadNeed load = plan::load_need(graph, both->model, both->weights, catalogue);
  row.results.push_back({"disk", load.disk.id()});
  if (load.host_min) row.results.push_back({"host", load.host_min->id()});
  add_notes(serving->notes, row);
  facts.sources = sources_of(graph, row);
  facts.covered = fits && weights.known();
  return facts;
}

bool literal_facts(std::string_view model, const ModelFacts& other, ModelFacts& facts) {
  const auto literal = import::parse_literal(model);
  if (!literal || !*literal) return false;
  bool fits = true;
  const Number parameters = number_of((*literal)->total, fits);
  facts.parameters = Value::of(parameters);
  facts.active_parameters = {};
  if ((*literal)->active) {
    facts.active_parameters = Value::of(number_of(*(*literal)->active, fits));
  }
  facts.bits = other.bits;
  facts.floor = Value::of(memory::WeightFloor::evaluate(parameters, other.bits.number));
  facts.payload = {Value::State::unknown, {}};
  facts.used = facts.floor.number;
  facts.sources = other.sources;
  facts.covered = other.covered && other.bits.known() && fits && !facts.used.overflowed();
  return facts.covered;
}

}  // namespace ullage::batch
