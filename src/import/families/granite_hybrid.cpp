// Granite 4 (Mamba-2 or attention in each layer, then experts and a shared MLP) and Bamba (the same
// mixers before a plain MLP). Tensors as transformers defines them in models/granitemoehybrid and
// models/bamba.
#include <algorithm>

#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/mixture.hpp"
#include "import/state_space.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

base::Result<std::vector<std::int64_t>> attention_by_words(ConfigReader& config,
                                                           std::int64_t total) {
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (word != "attention" && word != "mamba") {
      return unknown_layer(config, "layer_types", word, "mamba, attention");
    }
  }
  return layers_called(words, total, "attention");
}

// attn_layer_indices count from 0; without the list no layer attends.
base::Result<std::vector<std::int64_t>> attention_by_indices(ConfigReader& config,
                                                             std::int64_t total) {
  ULLAGE_TRY(auto indices, config.numbers("attn_layer_indices"));
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  if (indices.empty() || indices.back() < total) return indices;
  return config.fault(base::Code::out_of_range, "attn_layer_indices",
                      "attn_layer_indices names layer " + std::to_string(indices.back()) + " of " +
                          std::to_string(total),
                      "layers count from 0");
}

// The class takes `auto` for expand × hidden_size ÷ heads.
base::Result<Mamba2Shape> read_mixer(ConfigReader& config, const Extent& hidden) {
  const document::Value* width = config.find("mamba_d_head");
  if (width == nullptr || width->type != document::Type::string) {
    return read_mamba2_shape(config, kShortMamba2Keys);
  }
  ULLAGE_TRY(const auto word, config.optional_text("mamba_d_head"));
  if (*word != "auto") {
    return config.fault(base::Code::wrong_type, "mamba_d_head",
                        "mamba_d_head is " + base::printable(*word), "a whole number or auto");
  }
  ULLAGE_TRY(const Extent heads, config.count("mamba_n_heads"));
  ULLAGE_TRY(const Extent expand, config.count("mamba_expand"));
  const exact::Rational quotient = expand.value * hidden.value / heads.value;
  if (!quotient.is_whole()) {
    return config.fault(
        base::Code::out_of_range, "mamba_n_heads",
        "mamba_n_heads " + heads.value.to_string() + " does not divide mamba_expand × hidden_size");
  }
  Mamba2Keys keys = kShortMamba2Keys;
  keys.head_dim = keys.heads;  // replaced below: the key holds a word
  ULLAGE_TRY(Mamba2Shape shape, read_mamba2_shape(config, keys));
  shape.head_dim =
      config.derived("mamba_d_head", quotient, "mamba_expand × hidden_size ÷ mamba_n_heads",
                     {expand.figure, hidden.figure, heads.figure});
  return shape;
}

base::Result<Inventory> read_hybrid(
    ConfigReader& config, const HeadDefault& head,
    base::Result<std::vector<std::int64_t>> (*attending)(ConfigReader&, std::int64_t)) {
  ULLAGE_TRY(const bool tied, read_tied_head(config, head));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  ULLAGE_TRY(const std::vector<std::int64_t> full, attending(config, total));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  attention.input_bias = bias;
  attention.output_bias = bias;
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with attention", full,
                                         "the layer pattern")) {
    add_attention(inventory, *layers, decoder.hidden, attention);
    add_attention_cache(inventory, *layers, attention);
  }
  const auto mamba = layers_of_kind(config, decoder.layers, "Mamba layers",
                                    other_layers(total, full), "the layer pattern");
  if (mamba) {
    ULLAGE_TRY(const Mamba2Shape mixer, read_mixer(config, decoder.hidden));
    TensorList list(inventory, "layers.*.", {*mamba});
    add_mamba2(config, list, decoder.hidden, mixer);
    inventory.caches.push_back(mamba2_cache(config, *mamba, mixer));
  } else {
    for (const char* key : {"mamba_n_heads", "mamba_d_head", "mamba_d_conv", "mamba_conv_bias",
                            "mamba_d_state", "mamba_expand", "mamba_n_groups", "mamba_chunk_size"})
      config.find(key);  // of layers that this model has none of
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace

base::Result<Inventory> read_granitemoehybrid(ConfigReader& config) {
  ULLAGE_TRY(
      Inventory inventory,
      read_hybrid(config, {false, "GraniteMoeHybridConfig (transformers)"}, attention_by_words));
  ULLAGE_TRY(const Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(const Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(const auto experts, config.optional_number("num_local_experts"));
  if (experts.value_or(0) > 0) {
    ULLAGE_TRY(const ExpertShape routed,
               read_expert_shape(config, "num_local_experts", "intermediate_size"));
    add_experts(inventory, layers, hidden, routed);
  }
  for (const char* key : {"num_experts_per_tok", "intermediate_size"})
    config.find(key);  // of experts, which the dense sizes have none of
  ULLAGE_TRY(const Extent shared, config.count("shared_intermediate_size"));
  TensorList list(inventory, "layers.*.", {layers});
  add_gated_projections(list, "shared_mlp.",
                        experts.value_or(0) > 0 ? Component::shared_experts : Component::mlp,
                        hidden, shared);
  return inventory;
}

base::Result<Inventory> read_bamba(ConfigReader& config) {
  ULLAGE_TRY(Inventory inventory,
             read_hybrid(config, {false, "BambaConfig (transformers)"}, attention_by_indices));
  ULLAGE_TRY(const Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(const Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool bias, config.flag("mlp_bias", false));
  add_gated_mlp(inventory, layers, hidden, intermediate, bias);
  return inventory;
}

}  // namespace ullage::import
