// MiniMax: Text-01 and M1 (lightning attention beside softmax attention), M2 (softmax only, norms
// over the whole width of q and k), M3 (sparse attention with an indexer, alone or behind a tower).
// Tensors as transformers defines them in models/minimax and models/minimax_m3_vl, and as MiniMax's
// modeling files do.
#include <algorithm>

#include "import/families/families.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// Which layers have softmax attention (1 in attn_type_list, `full_attention` in layer_types).
base::Result<std::vector<std::int64_t>> softmax_layers(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  if (config.find("layer_types") != nullptr) {
    ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
    for (const std::string& word : words) {
      if (word != "full_attention" && word != "linear_attention") {
        return unknown_layer(config, "layer_types", word, "full_attention, linear_attention");
      }
    }
    return layers_called(words, total, "full_attention");
  }
  ULLAGE_TRY(const auto numbers, layer_numbers(config, "attn_type_list", total));
  for (const std::int64_t number : numbers) {
    if (number > 1) {
      return unknown_layer(config, "attn_type_list", std::to_string(number),
                           "0 (lightning), 1 (softmax)");
    }
  }
  return layers_where(
      total, [&](std::int64_t layer) { return numbers[static_cast<std::size_t>(layer)] == 1; });
}

void add_lightning(ConfigReader& config, TensorList& layers, const Extent& hidden,
                   const AttentionShape& shape) {
  const Extent three = config.derived("q, k and v", 3, "in one matrix", {hidden.figure});
  const Axis inner{shape.heads, shape.head_dim};
  layers.add("self_attn.qkv_proj.weight", Component::attention,
             {{three, shape.heads, shape.head_dim}, {hidden}}, Split::columns);
  layers.add("self_attn.norm.weight", Component::norms, {inner}, Split::columns);
  layers.add("self_attn.output_gate.weight", Component::attention, {inner, {hidden}},
             Split::columns);
  layers.add("self_attn.out_proj.weight", Component::attention, {{hidden}, inner}, Split::rows);
}

model::CacheGroup lightning_cache(const Extent& layers, const AttentionShape& shape) {
  return {.name = "layers.*.self_attn",
          .kind = model::CacheKind::recurrent,
          .layers = layers,
          .per_token = {},
          .per_sequence = {{"ssm", {shape.heads, shape.head_dim, shape.head_dim}, shape.heads}},
          .window = {},
          .compress = {}};
}

base::Result<MixtureShape> read_mixture(ConfigReader& config, bool correction_bias) {
  ULLAGE_TRY(ExpertShape routed,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  MixtureShape shape{.routed = std::move(routed), .shared = {}, .correction_bias = correction_bias};
  ULLAGE_TRY(const auto width, config.optional_number("shared_intermediate_size"));
  config.find("shared_moe_mode");  // how a shared expert is weighed, not what it stores
  if (width.value_or(0) == 0) return shape;
  ULLAGE_TRY(shape.shared, config.optional_count("shared_intermediate_size"));
  return shape;
}

// q and k norms: one for all heads together, or one a head.
base::Result<void> add_query_norms(ConfigReader& config, TensorList& layers,
                                   const AttentionShape& shape) {
  ULLAGE_TRY(const bool norms, config.flag("use_qk_norm", true));
  if (!norms) return {};
  ULLAGE_TRY(const auto type, config.optional_text("qk_norm_type"));
  const std::string kind = type.value_or("per_layer");
  if (kind == "per_layer") {
    layers.add("self_attn.q_norm.weight", Component::norms, {{shape.heads, shape.head_dim}});
    layers.add("self_attn.k_norm.weight", Component::norms, {{shape.kv_heads, shape.head_dim}});
    return {};
  }
  if (kind == "per_head") {
    layers.add("self_attn.q_norm.weight", Component::norms, {{shape.head_dim}});
    layers.add("self_attn.k_norm.weight", Component::norms, {{shape.head_dim}});
    return {};
  }
  return config.fault(base::Code::out_of_range, "qk_norm_type",
                      "qk_norm_type " + base::printable(kind) + " is not known",
                      "known: per_layer, per_head");
}

// MiniMax's checkpoints leave out the MTP modules that their configs announce.
base::Result<void> note_absent_modules(ConfigReader& config) {
  ULLAGE_TRY(const auto modules, config.optional_number("num_mtp_modules"));
  ULLAGE_TRY(const auto nextn, config.optional_number("num_nextn_predict_layers"));
  config.find("mtp_transformer_layers");
  config.find("use_mtp");
  if (modules.value_or(0) == 0 && nextn.value_or(0) == 0) return {};
  config.note("mtp-absent",
              "num_mtp_modules announces " + std::to_string(modules.value_or(nextn.value_or(0))) +
                  " MTP modules; the family's published checkpoints hold none, so none is counted");
  return {};
}

}  // namespace

base::Result<Inventory> read_minimax_m1(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const MixtureShape mixture, read_mixture(config, false));
  ULLAGE_TRY(const auto softmax, softmax_layers(config, decoder.layers));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with softmax attention",
                                         softmax, "the layer pattern")) {
    add_attention(inventory, *layers, decoder.hidden, attention);
    add_attention_cache(inventory, *layers, attention);
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with lightning attention",
                                         other_layers(total, softmax), "the layer pattern")) {
    TensorList list(inventory, "layers.*.", {*layers});
    add_lightning(config, list, decoder.hidden, attention);
    inventory.caches.push_back(lightning_cache(*layers, attention));
  }
  TensorList all(inventory, "layers.*.", {decoder.layers});
  add_mixture(all, decoder.hidden, mixture);
  add_decoder_norms(config, inventory, decoder);
  // The router is stored in F32 beside BF16 weights.
  for (model::TensorGroup& group : inventory.tensors) {
    if (group.component == Component::router) group.kept = "fp32";
  }
  return inventory;
}

base::Result<Inventory> read_minimax_m2(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const bool routing_bias, config.flag("use_routing_bias", true));
  ULLAGE_TRY(const MixtureShape mixture, read_mixture(config, routing_bias));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  if (config.find("attn_type_list") != nullptr) {
    ULLAGE_TRY(const auto softmax, softmax_layers(config, decoder.layers));
    if (static_cast<std::int64_t>(softmax.size()) != total) {
      return config.fault(base::Code::unsupported_architecture, "attn_type_list",
                          "lightning attention is not counted in this family",
                          "published checkpoints of MiniMax-M2 have softmax attention only");
    }
  }
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  TensorList all(inventory, "layers.*.", {decoder.layers});
  ULLAGE_CHECK(add_query_norms(config, all, attention));
  add_mixture(all, decoder.hidden, mixture);
  add_decoder_norms(config, inventory, decoder);
  // Checkpoints hold the router and its correction in F32 (vLLM's minimax_m2.py makes the gate so).
  for (model::TensorGroup& group : inventory.tensors) {
    if (group.component == Component::router) group.kept = "fp32";
  }
  ULLAGE_CHECK(note_absent_modules(config));
  return inventory;
}

namespace {

// Which layers are sparse: those where the list under sparse_attention_freq says 1.
base::Result<std::optional<Extent>> read_sparse_attention(ConfigReader& config,
                                                          ConfigReader& sparse,
                                                          const Extent& layers) {
  ULLAGE_TRY(const bool used, sparse.flag("use_sparse_attention", true));
  if (!used) return std::optional<Extent>();
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto numbers, layer_numbers(sparse, "sparse_attention_freq", total));
  return layers_of_kind(
      config, layers, "layers with sparse attention",
      layers_where(total,
                   [&](std::int64_t i) { return numbers[static_cast<std::size_t>(i)] == 1; }),
      "sparse_attention_freq");
}

base::Result<void> add_indexers(ConfigReader& config, Inventory& inventory,
                                const DecoderShape& decoder) {
  if (config.find("sparse_attention_config") == nullptr) return {};
  ULLAGE_TRY(ConfigReader sparse, config.nested("sparse_attention_config"));
  ULLAGE_TRY(const auto layers, read_sparse_attention(config, sparse, decoder.layers));
  if (!layers) return {};
  ULLAGE_TRY(const Extent heads, sparse.count("sparse_num_index_heads"));
  ULLAGE_TRY(const Extent width, sparse.count("sparse_index_dim"));
  for (const char* key : {"sparse_disable_index_value", "sparse_topk_blocks"})
    sparse.find(key);  // how it is used, not what it stores
  TensorList list(inventory, "layers.*.self_attn.", {*layers});
  list.add("index_q_proj.weight", Component::attention, {{heads, width}, {decoder.hidden}});
  list.add("index_k_proj.weight", Component::attention, {{width}, {decoder.hidden}});
  list.add("index_q_norm.weight", Component::norms, {{width}});
  list.add("index_k_norm.weight", Component::norms, {{width}});
  inventory.caches.push_back({.name = "layers.*.self_attn.index",
                              .kind = model::CacheKind::index,
                              .layers = *layers,
                              .per_token = {{"index key", {width}, {}}},
                              .per_sequence = {},
                              .window = {},
                              .compress = {}});
  return {};
}

}  // namespace

base::Result<Inventory> read_minimax_m3(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const bool routing_bias, config.flag("use_routing_bias", true));
  ULLAGE_TRY(const MixtureShape mixture, read_mixture(config, routing_bias));
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(config, decoder.layers));
  for (const char* key : {"n_shared_experts", "moe_intermediate_size"})
    config.find(key);  // repeat shared_intermediate_size and intermediate_size
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  TensorList all(inventory, "layers.*.", {decoder.layers});
  ULLAGE_CHECK(add_query_norms(config, all, attention));
  ULLAGE_CHECK(add_indexers(config, inventory, decoder));
  if (kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("dense_intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, decoder.hidden, intermediate, false);
  }
  if (kinds.sparse) {
    TensorList list(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(list, decoder.hidden, mixture);
  }
  add_decoder_norms(config, inventory, decoder);
  ULLAGE_CHECK(note_absent_modules(config));
  return inventory;
}

base::Result<Inventory> read_minimax_m3_vl(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  config.find("num_reward_heads");  // published checkpoints have none
  ULLAGE_TRY(Inventory inventory, read_minimax_m3(text));
  if (config.find("vision_config") == nullptr) {
    config.note("vision-absent", "the configuration has no vision_config: no tower is counted");
    return inventory;
  }
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_CHECK(add_minimax_vision(config, vision, inventory, hidden));
  return inventory;
}

}  // namespace ullage::import
