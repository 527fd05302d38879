// Runs importer and weights over one text.
#include "count_config.hpp"

#include <doctest/doctest.h>

#include "document/read.hpp"
#include "import/config.hpp"
#include "import/quantization.hpp"
#include "memory/weights.hpp"

namespace ullage::testing {

exact::Rational elements_of(const std::vector<model::CachePart>& parts) {
  exact::Rational sum;
  for (const model::CachePart& part : parts) {
    exact::Rational product = 1;
    for (const model::Extent& extent : part.elements)
      product *= extent.value;
    sum += product;
  }
  return sum;
}

exact::Rational CountedConfig::part(const std::string& component) const {
  const auto found = components.find(component);
  return found == components.end() ? exact::Rational() : found->second;
}

exact::Rational CountedConfig::per_token(model::CacheKind kind) const {
  exact::Rational sum;
  for (const model::CacheGroup& group : inventory.caches) {
    if (group.kind == kind) sum += group.layers.value * elements_of(group.per_token);
  }
  return sum;
}

exact::Rational CountedConfig::per_sequence(model::CacheKind kind) const {
  exact::Rational sum;
  for (const model::CacheGroup& group : inventory.caches) {
    if (group.kind == kind) sum += group.layers.value * elements_of(group.per_sequence);
  }
  return sum;
}

exact::Rational CountedConfig::window(model::CacheKind kind) const {
  for (const model::CacheGroup& group : inventory.caches) {
    if (group.kind == kind && group.window) return group.window->value;
  }
  return {};
}

bool CountedConfig::noted(const std::string& code) const {
  for (const base::Note& note : notes) {
    if (note.code == code) return true;
  }
  return false;
}

CountedConfig count_config(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE_MESSAGE(document.ok(), base::to_text(document.error()));
  provenance::Graph graph;
  model::Model model;
  model.name = "test";
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_MESSAGE(read.ok(), base::to_text(read.error()));
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const base::MemoryFileSystem files;
  import::OpenContext context{catalogue, files, graph, std::nullopt};
  const auto quantised = import::read_quantization(context, *document, "", model);
  REQUIRE_MESSAGE(quantised.ok(), base::to_text(quantised.error()));
  const auto weights = memory::weigh(graph, model, {}, catalogue);
  REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
  CountedConfig result;
  result.total = graph.value(weights->parameters);
  result.stored = graph.value(*weights->parameters_stored);
  result.active = graph.value(*weights->active_parameters);
  exact::Rational sum;
  for (const memory::ComponentCount& part : weights->components) {
    result.components[std::string(name_of(part.component))] = graph.value(part.parameters);
    sum += graph.value(part.parameters);
  }
  CHECK(sum == result.total);
  const provenance::FigureId payload = weights->payload.id();
  result.payload = graph.known(payload) ? graph.value(payload).to_string() : graph[payload].unknown;
  result.inventory = *model.inventory;
  result.notes = model.notes;
  return result;
}

base::Diagnostic refusal_of(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE(document.ok());
  provenance::Graph graph;
  model::Model model;
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_FALSE(read.ok());
  return read.error();
}

std::string small_config(const std::string& type, const std::string& more) {
  return "{\n\"model_type\": \"" + type +
         "\",\n\"hidden_size\": 8,\n\"num_hidden_layers\": 2,\n\"num_attention_heads\": 4,\n"
         "\"num_key_value_heads\": 2,\n\"intermediate_size\": 16,\n\"vocab_size\": 10,\n"
         "\"torch_dtype\": \"bfloat16\"" +
         more + "\n}\n";
}

}  // namespace ullage::testing
