// Runs importer and weights over one text.
#include "count_config.hpp"

#include <doctest/doctest.h>

#include "document/read.hpp"
#include "import/config.hpp"
#include "import/open.hpp"
#include "import/quantization.hpp"
#include "memory/weights.hpp"
#include "support/checkpoints.hpp"

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

namespace {

// Above this a header is not made: its zeros would fill the memory.
constexpr std::int64_t kLargestCheckpoint = 400'000;

std::uint64_t whole(const exact::Rational& number) {
  return static_cast<std::uint64_t>(number.to_int64().value_or(0));
}

// `layers.*.mlp.experts.*.up_proj` once for each of the repeats; a layer by its number where the
// family says it, a prediction module behind the last layer, as checkpoints have them.
void write_group(const model::TensorGroup& group, std::int64_t main_layers,
                 std::vector<test::Tensor>& tensors) {
  std::vector<std::uint64_t> shape;
  for (const model::Axis& axis : group.shape) {
    exact::Rational product = 1;
    for (const model::Extent& extent : axis)
      product *= extent.value;
    shape.push_back(whole(product));
  }
  std::vector<std::string> names{group.name};
  for (const model::Extent& extent : group.repeat) {
    std::vector<std::string> more;
    for (const std::string& name : names) {
      const bool module = name.starts_with("mtp.*.");
      for (std::uint64_t i = 0; i < whole(extent.value); ++i) {
        std::uint64_t number = i;
        if (extent.layers) number = static_cast<std::uint64_t>((*extent.layers)[i]);
        std::string one = name;
        const std::size_t star = one.find('*');
        if (module) {
          one.replace(0, 5,
                      "layers." + std::to_string(static_cast<std::uint64_t>(main_layers) + i));
        } else if (star != std::string::npos) {
          one.replace(star, 1, std::to_string(number));
        } else {
          one += "." + std::to_string(number);
        }
        more.push_back(std::move(one));
      }
    }
    names = std::move(more);
  }
  for (const std::string& name : names)
    tensors.push_back({name, "BF16", shape});
}

// Every small configuration of these tests is held against the header of a checkpoint that holds
// its inventory, tensor by tensor: what the names and shapes of the header sum to is what the
// configuration counts.
void demand_header_agrees(const std::string& json, const CountedConfig& counted) {
  if (json.find("quantization_config") != std::string::npos) return;
  if (counted.stored > exact::Rational(kLargestCheckpoint)) return;
  std::vector<test::Tensor> tensors;
  for (const model::TensorGroup& group : counted.inventory.tensors) {
    if (group.stored) write_group(group, counted.inventory.main_layers, tensors);
  }
  base::MemoryFileSystem files;
  files.files["m/config.json"] = json;
  files.files["m/model.safetensors"] = test::safetensors(tensors);
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  provenance::Graph graph;
  import::OpenContext context{catalogue, files, graph, std::nullopt};
  const auto both = import::open_model(context, "m");
  REQUIRE_MESSAGE(both.ok(), base::to_text(both.error()) << " for " << json);
  for (const base::Note& note : both->notes)
    CHECK_MESSAGE(note.code != "conflict", note.text << " for " << json);
  const auto weights = memory::weigh(graph, *both, {}, catalogue);
  REQUIRE(weights.ok());
  CHECK_MESSAGE(graph.value(weights->parameters) == counted.total, json);
}

}  // namespace

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
  demand_header_agrees(json, result);
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
