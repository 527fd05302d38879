// Mixtures behind grouped-query attention: dots.llm1, Ling (bailing_moe), ERNIE 4.5, K-EXAONE,
// Hunyuan 3 and Arctic. They differ in norms, in which layers have experts and in what their
// prediction module holds. Tensors as transformers defines them in models/dots1, ernie4_5_moe,
// exaone_moe and hy_v3, as vLLM does in arctic.py, and as the publisher's modeling_bailing_moe.py
// and modeling_bailing_moe_v2.py do.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

struct Mixed {
  DecoderShape decoder;
  AttentionShape attention;
  MixtureShape mixture;
  SparseLayers kinds;
};

// `key` says how many shared experts there are, each as wide as a routed one.
base::Result<std::optional<Extent>> read_shared(ConfigReader& config, std::string_view key,
                                                const Extent& width) {
  ULLAGE_TRY(const auto stated, config.optional_number(key));
  if (stated.value_or(0) == 0) return std::optional<Extent>();
  ULLAGE_TRY(const Extent number, config.count(key));
  return std::optional(config.derived("shared expert width", number.value * width.value,
                                      number.name + " × " + width.name,
                                      {number.figure, width.figure}));
}

// As read_dense_first, where the class has `first` dense layers unless the file says otherwise.
base::Result<SparseLayers> read_sparse(ConfigReader& config, const Extent& layers,
                                       std::int64_t first, const std::string& class_name) {
  for (const char* key : {"mlp_layer_types", "first_k_dense_replace", "moe_layer_freq"}) {
    if (config.find(key) != nullptr) return read_dense_first(config, layers);
  }
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  config.note("class-default", "the first " + std::to_string(first) +
                                   " layers are dense by default of " + class_name);
  const std::string source = "first_k_dense_replace of " + class_name;
  const auto dense = layers_where(total, [&](std::int64_t i) { return i < first; });
  return SparseLayers{
      layers_of_kind(config, layers, "dense layers", dense, source),
      layers_of_kind(config, layers, "layers with experts", other_layers(total, dense), source)};
}

// Everything but the caches.
base::Result<Inventory> list_mixed(ConfigReader& config, const Mixed& mixed) {
  const Extent& hidden = mixed.decoder.hidden;
  Inventory inventory;
  add_embeddings(inventory, mixed.decoder);
  add_attention(inventory, mixed.decoder.layers, hidden, mixed.attention);
  if (mixed.kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *mixed.kinds.dense, hidden, intermediate, false);
  }
  if (mixed.kinds.sparse) {
    TensorList sparse(inventory, "layers.*.", {*mixed.kinds.sparse});
    add_mixture(sparse, hidden, mixed.mixture);
  }
  add_decoder_norms(config, inventory, mixed.decoder);
  return inventory;
}

// Attention, norms and MLP of a decoder layer in `modules` prediction modules, without table and
// head of their own; `dense` where they hold a plain MLP instead of experts.
base::Result<void> add_module_layer(ConfigReader& config, Inventory& inventory, const Mixed& mixed,
                                    const Extent& modules, bool dense) {
  const Extent& hidden = mixed.decoder.hidden;
  Inventory layer;
  add_attention(layer, modules, hidden, mixed.attention);
  if (dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(layer, modules, hidden, intermediate, false);
  }
  for (model::TensorGroup& group : layer.tensors) {
    group.name = "mtp." + group.name;
    group.component = Component::mtp;
    group.use = model::Use::apart;
    inventory.tensors.push_back(std::move(group));
  }
  TensorList module = module_list(inventory, "mtp.*.", modules);
  add_layer_norms(config, module, hidden);
  if (!dense) add_mixture(module, hidden, mixed.mixture);
  Inventory caches;
  add_attention_cache(caches, modules, mixed.attention);
  inventory.draft_caches = std::move(caches.caches);
  return {};
}

// Modules behind a projection with three norms, where the file announces them.
base::Result<void> add_modules(ConfigReader& config, Inventory& inventory, const Mixed& mixed,
                               bool dense) {
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (!modules) return {};
  TensorList module = module_list(inventory, "mtp.*.", *modules);
  add_module_frame(config, module, mixed.decoder.hidden);
  return add_module_layer(config, inventory, mixed, *modules, dense);
}

// Error unsupported_architecture where `key` switches on what no published checkpoint has.
base::Result<void> refuse_flag(ConfigReader& config, std::string_view key) {
  ULLAGE_TRY(const bool on, config.flag(key, false));
  if (!on) return {};
  return config.fault(base::Code::unsupported_architecture, key,
                      std::string(key) + " is true, which is not counted in this family",
                      "published checkpoints have it off");
}

base::Result<Mixed> read_mixed(ConfigReader& config, const HeadDefault& head,
                               std::string_view experts_key, std::string_view shared_key,
                               std::int64_t dense_layers) {
  ULLAGE_TRY(const bool tied, read_tied_head(config, head));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(ExpertShape routed, read_expert_shape(config, experts_key, "moe_intermediate_size"));
  ULLAGE_TRY(auto shared, read_shared(config, shared_key, routed.intermediate));
  ULLAGE_TRY(SparseLayers kinds,
             read_sparse(config, decoder.layers, dense_layers, std::string(head.class_name)));
  MixtureShape mixture{.routed = std::move(routed), .shared = std::move(shared)};
  return Mixed{std::move(decoder), std::move(attention), std::move(mixture), std::move(kinds)};
}

}  // namespace

base::Result<Inventory> read_dots1(ConfigReader& config) {
  ULLAGE_TRY(Mixed mixed, read_mixed(config, {false, "Dots1Config (transformers)"},
                                     "n_routed_experts", "n_shared_experts", 0));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  mixed.attention.input_bias = bias;
  mixed.attention.output_bias = bias;
  mixed.attention.head_norms = true;
  mixed.mixture.correction_bias = true;
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  // The class windows layers only where layer_types says so.
  if (config.find("layer_types") != nullptr) {
    ULLAGE_TRY(const WindowLayers windows, read_window_layers(config, mixed.decoder.layers, 0));
    add_window_caches(inventory, windows, mixed.attention);
    return inventory;
  }
  add_attention_cache(inventory, mixed.decoder.layers, mixed.attention);
  return inventory;
}

base::Result<Inventory> read_bailing_moe(ConfigReader& config) {
  ULLAGE_TRY(Mixed mixed, read_mixed(config, {false, "BailingMoeConfig (publisher's code)"},
                                     "num_experts", "num_shared_experts", 0));
  ULLAGE_CHECK(refuse_flag(config, "use_bias"));
  ULLAGE_TRY(mixed.attention.input_bias, config.flag("use_qkv_bias", false));
  ULLAGE_TRY(mixed.attention.head_norms, config.flag("use_qk_norm", false));
  ULLAGE_TRY(mixed.mixture.correction_bias, config.flag("moe_router_enable_expert_bias", false));
  ULLAGE_TRY(auto width, config.optional_count("moe_shared_expert_intermediate_size"));
  if (width && mixed.mixture.shared) mixed.mixture.shared = std::move(width);
  config.find("norm_head");  // normalises the head as it multiplies
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (modules) {
    return config.fault(base::Code::unsupported_architecture, "num_nextn_predict_layers",
                        "MTP modules are not counted in this family",
                        "no total of a checkpoint with one was found");
  }
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  add_attention_cache(inventory, mixed.decoder.layers, mixed.attention);
  return inventory;
}

// Layers alternate windows and all tokens as in EXAONE 4; the prediction module has a plain MLP.
base::Result<Inventory> read_exaone_moe(ConfigReader& config) {
  ULLAGE_TRY(Mixed mixed, read_mixed(config, {false, "ExaoneMoeConfig (transformers)"},
                                     "num_experts", "num_shared_experts", 1));
  mixed.attention.head_norms = true;
  mixed.mixture.correction_bias = true;
  config.find("is_moe_layer");  // repeats mlp_layer_types
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  ULLAGE_TRY(const WindowLayers windows, read_window_layers(config, mixed.decoder.layers, 4));
  add_window_caches(inventory, windows, mixed.attention);
  ULLAGE_CHECK(add_modules(config, inventory, mixed, true));
  return inventory;
}

base::Result<Inventory> read_hy_v3(ConfigReader& config) {
  ULLAGE_TRY(Mixed mixed, read_mixed(config, {false, "HYV3Config (transformers)"}, "num_experts",
                                     "num_shared_experts", 1));
  ULLAGE_CHECK(refuse_flag(config, "attention_bias"));
  ULLAGE_CHECK(refuse_flag(config, "mlp_bias"));
  mixed.attention.head_norms = true;
  mixed.mixture.correction_bias = true;
  for (const char* key : {"moe_router_use_sigmoid", "router_scaling_factor", "expert_hidden_dim"})
    config.find(key);  // how experts are weighed, or their width again
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  add_attention_cache(inventory, mixed.decoder.layers, mixed.attention);
  ULLAGE_CHECK(add_modules(config, inventory, mixed, false));
  return inventory;
}

namespace {

// Layers with experts: each moe_layer_interval-th from moe_layer_start_index to the last of
// moe_layer_end_index (−1: the model's).
base::Result<SparseLayers> read_ernie_layers(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto start, config.optional_number("moe_layer_start_index"));
  ULLAGE_TRY(const auto interval, config.optional_count("moe_layer_interval"));
  std::int64_t last = total - 1;
  const document::Value* end = config.find("moe_layer_end_index");
  if (end != nullptr && end->text != "-1") {
    ULLAGE_TRY(const auto stated, config.optional_number("moe_layer_end_index"));
    last = stated.value_or(last);
  }
  const std::int64_t first = start.value_or(1);
  const std::int64_t step = interval ? interval->value.to_int64().value_or(total + 1) : 1;
  const auto sparse = layers_where(
      total, [&](std::int64_t i) { return i >= first && i <= last && (i + 1) % step == 0; });
  constexpr std::string_view kSource = "moe_layer_start_index";
  return SparseLayers{
      layers_of_kind(config, layers, "dense layers", other_layers(total, sparse), kSource),
      layers_of_kind(config, layers, "layers with experts", sparse, kSource)};
}

}  // namespace

base::Result<Inventory> read_ernie4_5_moe(ConfigReader& config) {
  const HeadDefault head{true, "Ernie4_5_MoeConfig (transformers)"};
  config.spell("num_experts", {"moe_num_experts"});
  config.spell("num_experts_per_tok", {"moe_k"});
  ULLAGE_CHECK(refuse_flag(config, "use_bias"));
  ULLAGE_TRY(const bool tied, read_tied_head(config, head));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(ExpertShape routed, read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  ULLAGE_TRY(auto shared, read_shared(config, "moe_num_shared_experts", routed.intermediate));
  ULLAGE_TRY(const bool bias, config.flag("moe_use_aux_free", true));
  ULLAGE_TRY(SparseLayers kinds, read_ernie_layers(config, decoder.layers));
  for (const char* key : {"moe_capacity", "moe_gate", "moe_layer_intervals"})
    config.find(key);  // how experts are chosen
  const Mixed mixed{
      std::move(decoder),
      std::move(attention),
      {.routed = std::move(routed), .shared = std::move(shared), .correction_bias = bias},
      std::move(kinds)};
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  add_attention_cache(inventory, mixed.decoder.layers, mixed.attention);
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (!modules) return inventory;
  // Two norms before the projection and none behind the layer, which has a plain MLP.
  const Extent& hidden = mixed.decoder.hidden;
  const Extent two = constant(config, "two", 2, "hidden state and embedding", hidden);
  TensorList module = module_list(inventory, "mtp.*.", *modules);
  module.add("mtp_linear_proj.weight", Component::mtp, {{hidden}, {two, hidden}});
  module.add("mtp_{emb,hidden}_norm.weight", Component::mtp, {{two}, {hidden}});
  ULLAGE_CHECK(add_module_layer(config, inventory, mixed, *modules, true));
  return inventory;
}

// A dense MLP as wide as the model beside the experts of each layer that has them.
base::Result<Inventory> read_arctic(ConfigReader& config) {
  const std::string class_name = "ArcticConfig";
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(ExpertShape routed,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  config.class_default("moe_layer_frequency", 2, class_name);
  ULLAGE_TRY(const Extent frequency, config.count("moe_layer_frequency"));
  config.spell("use_residual", {"parallel_attn_mlp_res"});
  ULLAGE_TRY(const bool residual, config.flag("use_residual", false));
  config.find("parallel_attn_mlp_res");  // repeats use_residual
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  const std::int64_t step = frequency.value.to_int64().value_or(total + 1);
  const auto numbers =
      layers_where(total, [&](std::int64_t layer) { return (layer + 1) % step == 0; });
  constexpr std::string_view kSource = "moe_layer_frequency";
  Mixed mixed{decoder,
              attention,
              {.routed = std::move(routed), .shared = {}},
              {layers_of_kind(config, decoder.layers, "dense layers", other_layers(total, numbers),
                              kSource),
               layers_of_kind(config, decoder.layers, "layers with experts", numbers, kSource)}};
  ULLAGE_TRY(Inventory inventory, list_mixed(config, mixed));
  add_attention_cache(inventory, decoder.layers, attention);
  if (!residual || !mixed.kinds.sparse) return inventory;
  TensorList layers(inventory, "layers.*.", {*mixed.kinds.sparse});
  add_gated_projections(layers, "residual_mlp.", Component::mlp, decoder.hidden, decoder.hidden);
  layers.add("residual_layernorm.weight", Component::norms, {{decoder.hidden}});
  return inventory;
}

}  // namespace ullage::import
