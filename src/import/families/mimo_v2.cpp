// MiMo-V2-Flash: full and windowed attention with other KV heads each, keys wider than values,
// sinks in the windowed layers, and three MTP modules that no key announces. Tensors as Xiaomi's
// modeling_mimo_v2_flash.py defines them.
#include <algorithm>

#include "import/families/families.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

struct Attention {
  Extent heads;
  Extent kv_heads;
  Extent key;    // width of a head of q and k
  Extent value;  // width of a head of v
  bool sinks = false;
};

base::Result<Attention> read_attention(ConfigReader& config, const std::string& prefix,
                                       std::string_view sinks) {
  ULLAGE_TRY(Extent heads, config.count(prefix + "num_attention_heads"));
  ULLAGE_TRY(Extent kv_heads, config.count(prefix + "num_key_value_heads"));
  ULLAGE_TRY(Extent key, config.count(prefix + "head_dim"));
  ULLAGE_TRY(Extent value, config.count(prefix + "v_head_dim"));
  ULLAGE_TRY(const bool has_sinks, config.flag(sinks, false));
  return Attention{std::move(heads), std::move(kv_heads), std::move(key), std::move(value),
                   has_sinks};
}

void add_attention_layers(TensorList& layers, const Extent& hidden, const Attention& shape) {
  layers.add("self_attn.q_proj.weight", Component::attention, {{shape.heads, shape.key}, {hidden}},
             Split::columns);
  layers.add("self_attn.k_proj.weight", Component::attention,
             {{shape.kv_heads, shape.key}, {hidden}}, Split::columns);
  layers.add("self_attn.v_proj.weight", Component::attention,
             {{shape.kv_heads, shape.value}, {hidden}}, Split::columns);
  layers.add("self_attn.o_proj.weight", Component::attention,
             {{hidden}, {shape.heads, shape.value}}, Split::rows);
  if (!shape.sinks) return;
  layers.add("self_attn.attention_sink_bias", Component::attention, {{shape.heads}},
             Split::columns);
}

model::CacheGroup cache(const Extent& layers, const Attention& shape,
                        std::optional<Extent> window) {
  return {.name = "layers.*.self_attn",
          .kind = window ? model::CacheKind::window : model::CacheKind::full,
          .layers = layers,
          .per_token = {{"key", {shape.kv_heads, shape.key}, shape.kv_heads},
                        {"value", {shape.kv_heads, shape.value}, shape.kv_heads}},
          .per_sequence = {},
          .window = std::move(window),
          .compress = {}};
}

}  // namespace

base::Result<Inventory> read_mimo_v2_flash(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  const Extent& hidden = decoder.hidden;
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  if (bias) {
    return config.fault(base::Code::unsupported_architecture, "attention_bias",
                        "attention biases are not counted in this family",
                        "published checkpoints have none");
  }
  ULLAGE_TRY(const Attention full, read_attention(config, "", "add_full_attention_sink_bias"));
  ULLAGE_TRY(const Attention sliding,
             read_attention(config, "swa_", "add_swa_attention_sink_bias"));
  ULLAGE_TRY(const Extent window, config.count("sliding_window"));
  for (const char* key : {"sliding_window_size", "attention_chunk_size"})
    config.find(key);  // the window under other names
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  ULLAGE_TRY(const auto pattern, layer_numbers(config, "hybrid_layer_pattern", total));
  for (const std::int64_t kind : pattern) {
    if (kind > 1) {
      return unknown_layer(config, "hybrid_layer_pattern", std::to_string(kind),
                           "0 (full), 1 (window)");
    }
  }
  const auto windowed = layers_where(
      total, [&](std::int64_t layer) { return pattern[static_cast<std::size_t>(layer)] == 1; });
  ULLAGE_TRY(const MixtureShape mixture, read_deepseek_mixture(config, true));
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(config, decoder.layers));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with full attention",
                                         other_layers(total, windowed), "hybrid_layer_pattern")) {
    TensorList list(inventory, "layers.*.", {*layers});
    add_attention_layers(list, hidden, full);
    inventory.caches.push_back(cache(*layers, full, {}));
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with a window", windowed,
                                         "hybrid_layer_pattern")) {
    TensorList list(inventory, "layers.*.", {*layers});
    add_attention_layers(list, hidden, sliding);
    inventory.caches.push_back(cache(*layers, sliding, window));
  }
  if (kinds.dense) add_gated_mlp(inventory, *kinds.dense, hidden, intermediate, false);
  if (kinds.sparse) {
    TensorList list(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(list, hidden, mixture);
  }
  add_decoder_norms(config, inventory, decoder);
  const Extent modules = config.assumed("MTP modules", 3,
                                        "MiMo-V2-Flash's checkpoint holds three that no key "
                                        "announces");
  config.note("mtp-unannounced",
              "three MTP modules are counted: the family's checkpoint holds them, though no key "
              "says so");
  TensorList module = module_list(inventory, "mtp.*.", modules);
  add_module_frame(config, module, hidden);
  add_layer_norms(config, module, hidden);
  add_attention_layers(module, hidden, sliding);
  add_gated_projections(module, "mlp.", Component::mlp, hidden, intermediate);
  inventory.draft_caches.push_back(cache(modules, sliding, window));
  return inventory;
}

}  // namespace ullage::import
