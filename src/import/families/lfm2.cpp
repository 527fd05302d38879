// LFM2: short convolutions with gates beside grouped-query attention; an MLP in each layer, or
// experts behind the first ones. Tensors as transformers defines them in models/lfm2 and
// models/lfm2_moe.
#include <algorithm>

#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

base::Result<std::vector<std::int64_t>> attention_layers(ConfigReader& config,
                                                         const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  if (config.find("layer_types") == nullptr) {
    ULLAGE_TRY(auto indices, layer_numbers(config, "full_attn_idxs", 0));
    for (const std::int64_t index : indices) {
      if (index < total) continue;
      return config.fault(
          base::Code::out_of_range, "full_attn_idxs",
          "full_attn_idxs names layer " + std::to_string(index) + " of " + std::to_string(total),
          "layers count from 0");
    }
    std::sort(indices.begin(), indices.end());
    return indices;
  }
  config.find("full_attn_idxs");
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (const std::string& word : words) {
    if (word != "conv" && word != "full_attention") {
      return unknown_layer(config, "layer_types", word, "conv, full_attention");
    }
  }
  return layers_called(words, total, "full_attention");
}

// The class takes two thirds of the stated width, times a multiplier, up to the next multiple.
base::Result<Extent> read_width(ConfigReader& config) {
  const char* key = config.find("block_ff_dim") != nullptr ? "block_ff_dim" : "intermediate_size";
  ULLAGE_TRY(const Extent stated, config.count(key));
  ULLAGE_TRY(const bool adjusts, config.flag("block_auto_adjust_ff_dim", true));
  if (!adjusts) return stated;
  Rational width = (Rational(2) * stated.value / Rational(3)).floor();
  if (const document::Value* multiplier = config.find("block_ffn_dim_multiplier")) {
    ULLAGE_TRY(const Rational factor,
               document::as_number(config.document(), *multiplier, "block_ffn_dim_multiplier"));
    width = (width * factor).floor();
    if (factor.sign() <= 0 || width.sign() <= 0) {
      return config.fault(base::Code::out_of_range, "block_ffn_dim_multiplier",
                          "block_ffn_dim_multiplier leaves no width");
    }
  }
  ULLAGE_TRY(const auto multiple, config.optional_count("block_multiple_of"));
  const Rational step = multiple ? multiple->value : Rational(256);
  return config.derived("MLP width", (width / step).ceil() * step,
                        "⌊2 × " + stated.name +
                            " ÷ 3 × block_ffn_dim_multiplier⌋, up to a multiple of "
                            "block_multiple_of",
                        {stated.figure});
}

void add_short_convolution(ConfigReader& config, TensorList& layers, const Extent& hidden,
                           const Extent& kernel, bool bias) {
  const Extent three =
      config.derived("B, C and input", 3, "side by side in one matrix", {hidden.figure});
  layers.add("conv.in_proj.weight", Component::attention, {{three, hidden}, {hidden}},
             Split::columns);
  layers.add("conv.conv.weight", Component::attention, {{hidden}, {kernel}}, Split::columns);
  layers.add("conv.out_proj.weight", Component::attention, {{hidden}, {hidden}}, Split::rows);
  if (!bias) return;
  layers.add("conv.in_proj.bias", Component::attention, {{three, hidden}}, Split::columns);
  layers.add("conv.conv.bias", Component::attention, {{hidden}}, Split::columns);
  layers.add("conv.out_proj.bias", Component::attention, {{hidden}});
}

}  // namespace

namespace {

// Everything but what stands behind attention or convolution.
base::Result<Inventory> read_mixers(ConfigReader& config, DecoderShape& decoder) {
  if (config.find("tie_word_embeddings") == nullptr) {
    ULLAGE_TRY(decoder.tied_head, config.flag("tie_embedding", true));
  }
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  attention.head_norms = true;
  ULLAGE_TRY(const Extent kernel, config.count("conv_L_cache"));
  ULLAGE_TRY(const Extent taps, kept_taps(config, kernel));
  ULLAGE_TRY(const bool bias, config.flag("conv_bias", false));
  ULLAGE_TRY(const auto full, attention_layers(config, decoder.layers));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  for (const char* key :
       {"conv_dim", "conv_dim_out", "block_ff_dim", "intermediate_size", "num_heads", "block_dim"})
    config.find(key);  // repeat hidden_size and the widths above
  Inventory inventory;
  add_embeddings(inventory, decoder);
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with attention", full,
                                         "the layer pattern")) {
    add_attention(inventory, *layers, decoder.hidden, attention);
    add_attention_cache(inventory, *layers, attention);
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with a convolution",
                                         other_layers(total, full), "the layer pattern")) {
    TensorList list(inventory, "layers.*.", {*layers});
    add_short_convolution(config, list, decoder.hidden, kernel, bias);
    inventory.caches.push_back({.name = "layers.*.conv",
                                .kind = model::CacheKind::recurrent,
                                .layers = *layers,
                                .per_token = {},
                                .per_sequence = {{"conv", {decoder.hidden, taps}, decoder.hidden}},
                                .window = {},
                                .compress = {}});
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace

base::Result<Inventory> read_lfm2(ConfigReader& config) {
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, true));
  ULLAGE_TRY(const Extent width, read_width(config));
  ULLAGE_TRY(Inventory inventory, read_mixers(config, decoder));
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, width, false);
  return inventory;
}

base::Result<Inventory> read_lfm2_moe(ConfigReader& config) {
  config.spell("first_k_dense_replace", {"num_dense_layers"});
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, true));
  ULLAGE_TRY(ExpertShape routed, read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  ULLAGE_TRY(const bool bias, config.flag("use_expert_bias", true));
  const MixtureShape mixture{.routed = std::move(routed), .shared = {}, .correction_bias = bias};
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(config, decoder.layers));
  ULLAGE_TRY(Inventory inventory, read_mixers(config, decoder));
  if (kinds.dense) {
    ULLAGE_TRY(const Extent width, config.count("intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, decoder.hidden, width, false);
  }
  if (kinds.sparse) {
    TensorList list(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(list, decoder.hidden, mixture);
  }
  return inventory;
}

}  // namespace ullage::import
