// Counting a small configuration: what the tests of families share.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "document/read.hpp"
#include "import/config.hpp"
#include "memory/weights.hpp"

namespace ullage::test {

struct Counted {
  exact::Rational total;
  exact::Rational stored;
  std::map<std::string, exact::Rational> components;
  // Elements that each further token adds, and those of a fixed size, by kind of cache.
  std::map<std::string, exact::Rational> per_token;
  std::map<std::string, exact::Rational> per_sequence;
  std::map<std::string, exact::Rational> windows;
  std::vector<base::Note> notes;
};

inline exact::Rational elements_of(const std::vector<model::CachePart>& parts) {
  exact::Rational sum;
  for (const model::CachePart& part : parts) {
    exact::Rational product = 1;
    for (const model::Extent& extent : part.elements)
      product *= extent.value;
    sum += product;
  }
  return sum;
}

inline Counted count_family(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE_MESSAGE(document.ok(), base::to_text(document.error()));
  provenance::Graph graph;
  model::Model model;
  model.name = "test";
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_MESSAGE(read.ok(), base::to_text(read.error()));
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const auto weights = memory::weigh(graph, model, {}, catalogue);
  REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
  Counted result;
  result.total = graph.value(weights->parameters);
  result.stored = graph.value(*weights->parameters_stored);
  result.notes = model.notes;
  exact::Rational sum;
  for (const memory::ComponentCount& part : weights->components) {
    result.components[std::string(name_of(part.component))] = graph.value(part.parameters);
    sum += graph.value(part.parameters);
  }
  CHECK(sum == result.total);
  for (const model::CacheGroup& group : model.inventory->caches) {
    const std::string kind(name_of(group.kind));
    result.per_token[kind] += group.layers.value * elements_of(group.per_token);
    result.per_sequence[kind] += group.layers.value * elements_of(group.per_sequence);
    if (group.window) result.windows[kind] = group.window->value;
  }
  return result;
}

inline base::Diagnostic refuse_family(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE(document.ok());
  provenance::Graph graph;
  model::Model model;
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_FALSE(read.ok());
  return read.error();
}

// hidden 8, two layers, 4 heads of 2, 2 KV heads, MLP 16, vocabulary 10.
inline std::string small_config(const std::string& type, const std::string& more = "") {
  return "{\"model_type\": \"" + type +
         "\", \"hidden_size\": 8, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
         "\"num_key_value_heads\": 2, \"intermediate_size\": 16, \"vocab_size\": 10, "
         "\"torch_dtype\": \"bfloat16\"" +
         more + "}";
}

// The parts of small_config: q 8×8, k and v 4×8, o 8×8; gate, up, down; norms of 8.
inline constexpr int kAttention = 2 * (64 + 32 + 32 + 64);
inline constexpr int kAttentionBiases = 2 * (8 + 4 + 4 + 8);
inline constexpr int kGated = 2 * 3 * 16 * 8;
inline constexpr int kUngated = 2 * 2 * 16 * 8;
inline constexpr int kUngatedBiases = 2 * (16 + 8);
inline constexpr int kTable = 10 * 8;
inline constexpr int kTwoNorms = 2 * 2 * 8 + 8;
inline constexpr int kOneNorm = 2 * 8 + 8;
inline constexpr int kFourNorms = 2 * 4 * 8 + 8;

}  // namespace ullage::test
