// Qwen3-Next and Qwen3.5 (also 3.6): three layers of gated delta net for one of gated attention,
// with an MLP or a mixture, one MTP layer, and in Qwen3.5 a vision tower. Tensors as transformers
// defines them in models/qwen3_next, models/qwen3_5 and models/qwen3_5_moe.
#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

struct Text {
  DecoderShape decoder;
  AttentionShape attention;
  bool gated = true;  // the query matrix holds a gate of the output too
  DeltaNetShape delta;
  std::optional<Extent> intermediate;  // of dense layers
  std::optional<MixtureShape> mixture;
};

base::Result<MixtureShape> read_mixture(ConfigReader& config) {
  ULLAGE_TRY(ExpertShape routed, read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  MixtureShape shape{.routed = std::move(routed), .shared = {}, .shared_gate = true};
  ULLAGE_TRY(const auto width, config.optional_number("shared_expert_intermediate_size"));
  if (width.value_or(0) == 0) return shape;
  ULLAGE_TRY(shape.shared, config.optional_count("shared_expert_intermediate_size"));
  return shape;
}

base::Result<Text> read_text(ConfigReader& config, bool mixture, bool tied) {
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  ULLAGE_TRY(AttentionShape attention,
             read_attention_shape(config, decoder.hidden,
                                  config.find("head_dim") != nullptr
                                      ? std::optional<Extent>()
                                      : config.assumed("head_dim", 256,
                                                       "class default of the family's config "
                                                       "(transformers)")));
  ULLAGE_TRY(attention.input_bias, config.flag("attention_bias", false));
  attention.output_bias = attention.input_bias;
  ULLAGE_TRY(const bool gated, config.flag("attn_output_gate", true));
  ULLAGE_TRY(DeltaNetShape delta, read_delta_net_shape(config));
  Text text{.decoder = std::move(decoder),
            .attention = std::move(attention),
            .gated = gated,
            .delta = std::move(delta),
            .intermediate = {},
            .mixture = {}};
  ULLAGE_TRY(const auto dense_layers, config.numbers("mlp_only_layers"));
  ULLAGE_TRY(const auto step, config.optional_number("decoder_sparse_step"));
  if (mixture && (!dense_layers.empty() || step.value_or(1) != 1)) {
    return config.fault(base::Code::unsupported_architecture, "mlp_only_layers",
                        "dense layers among the mixtures are not counted in this family",
                        "published checkpoints have mlp_only_layers [] and "
                        "decoder_sparse_step 1");
  }
  if (mixture) {
    config.find("intermediate_size");  // of dense layers, which this model has none of
    ULLAGE_TRY(text.mixture, read_mixture(config));
  } else {
    ULLAGE_TRY(text.intermediate, config.optional_count("intermediate_size"));
    if (!text.intermediate) ULLAGE_CHECK(config.count("intermediate_size"));
  }
  return text;
}

// Which layers have attention: layer_types, else every full_attention_interval-th.
base::Result<std::vector<std::int64_t>> attention_layers(ConfigReader& config,
                                                         const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto interval, config.optional_count("full_attention_interval"));
  if (config.find("layer_types") == nullptr) {
    const std::int64_t every = interval ? interval->value.to_int64().value_or(total + 1) : 4;
    return layers_where(total, [&](std::int64_t layer) { return (layer + 1) % every == 0; });
  }
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (word != "linear_attention" && word != "full_attention") {
      return unknown_layer(config, "layer_types", word, "linear_attention, full_attention");
    }
  }
  return layers_called(words, total, "full_attention");
}

void add_gated_attention(ConfigReader& config, TensorList& layers, const Text& text) {
  const AttentionShape& shape = text.attention;
  const Extent& hidden = text.decoder.hidden;
  const model::Axis output{shape.heads, shape.head_dim};
  const model::Axis key{shape.kv_heads, shape.head_dim};
  model::Axis query = output;
  if (text.gated) {
    query.push_back(
        config.derived("query and gate", 2, "side by side in one matrix", {shape.heads.figure}));
  }
  layers.add("self_attn.q_proj.weight", Component::attention, {query, {hidden}}, Split::columns);
  layers.add("self_attn.k_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  layers.add("self_attn.v_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  layers.add("self_attn.o_proj.weight", Component::attention, {{hidden}, output}, Split::rows);
  if (shape.input_bias) {
    layers.add("self_attn.q_proj.bias", Component::attention, {query}, Split::columns);
    layers.add("self_attn.k_proj.bias", Component::attention, {key}, Split::columns);
    layers.add("self_attn.v_proj.bias", Component::attention, {key}, Split::columns);
    layers.add("self_attn.o_proj.bias", Component::attention, {{hidden}});
  }
  layers.add("self_attn.q_norm.weight", Component::norms, {{shape.head_dim}});
  layers.add("self_attn.k_norm.weight", Component::norms, {{shape.head_dim}});
}

void add_feed_forward(TensorList& layers, const Text& text) {
  if (text.mixture) {
    add_mixture(layers, text.decoder.hidden, *text.mixture);
  } else {
    add_gated_projections(layers, "mlp.", Component::mlp, text.decoder.hidden, *text.intermediate);
  }
}

base::Result<void> add_prediction(ConfigReader& config, Inventory& inventory, const Text& text,
                                  bool announced) {
  std::optional<Extent> modules;
  if (announced) {
    ULLAGE_TRY(modules, read_modules(config, "mtp_num_hidden_layers"));
    ULLAGE_TRY(const bool own, config.flag("mtp_use_dedicated_embeddings", false));
    if (own) {
      return config.fault(base::Code::unsupported_architecture, "mtp_use_dedicated_embeddings",
                          "MTP layers with input tables of their own are not counted",
                          "published checkpoints share the model's");
    }
  } else {
    modules =
        config.assumed("MTP layers", 1, "Qwen3-Next's checkpoints hold one that no key announces");
    config.note(
        "mtp-unannounced",
        "one MTP layer is counted: the family's checkpoints hold it, though no key says so");
  }
  if (!modules) return {};
  const Extent& hidden = text.decoder.hidden;
  const Extent one =
      config.derived("joining projections", 1, "one before the MTP layers", {modules->figure});
  const Extent two =
      config.derived("states joined", 2, "hidden state and embedding", {hidden.figure});
  const Extent three = config.derived(
      "norms of MTP", 3, "of the embedding, the hidden state and the result", {hidden.figure});
  TensorList frame = module_list(inventory, "mtp.", one);
  frame.add("fc.weight", Component::mtp, {{hidden}, {two, hidden}});
  frame.add("{pre_fc_norm_embedding,pre_fc_norm_hidden,norm}.weight", Component::mtp,
            {{hidden}, {three}});
  TensorList layers = module_list(inventory, "mtp.layers.*.", *modules);
  add_layer_norms(config, layers, hidden);
  add_gated_attention(config, layers, text);
  add_feed_forward(layers, text);
  Inventory caches;
  add_attention_cache(caches, *modules, text.attention);
  inventory.draft_caches = std::move(caches.caches);
  return {};
}

base::Result<Inventory> read_hybrid(ConfigReader& config, bool mixture, bool tied, bool announced) {
  ULLAGE_TRY(const Text text, read_text(config, mixture, tied));
  const Extent& layers = text.decoder.layers;
  ULLAGE_TRY(const auto full, attention_layers(config, layers));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  Inventory inventory;
  add_embeddings(inventory, text.decoder);
  if (const auto attending =
          layers_of_kind(config, layers, "layers with attention", full, "the layer pattern")) {
    TensorList list(inventory, "layers.*.", {*attending});
    add_gated_attention(config, list, text);
    add_attention_cache(inventory, *attending, text.attention);
  }
  if (const auto linear = layers_of_kind(config, layers, "layers with linear attention",
                                         other_layers(total, full), "the layer pattern")) {
    TensorList list(inventory, "layers.*.", {*linear});
    add_delta_net(config, list, text.decoder.hidden, text.delta);
    inventory.caches.push_back(delta_net_cache(config, *linear, text.delta));
  }
  TensorList all(inventory, "layers.*.", {layers});
  add_feed_forward(all, text);
  add_decoder_norms(config, inventory, text.decoder);
  ULLAGE_CHECK(add_prediction(config, inventory, text, announced));
  return inventory;
}

// The text model under text_config and the tower under vision_config; the head is tied where either
// level says so.
base::Result<Inventory> read_multimodal(ConfigReader& config, bool mixture) {
  ULLAGE_TRY(const bool tied, config.flag("tie_word_embeddings", false));
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_hybrid(text, mixture, tied, true));
  if (config.find("vision_config") == nullptr) return inventory;
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_CHECK(add_qwen_vision(vision, inventory));
  return inventory;
}

}  // namespace

base::Result<Inventory> read_qwen3_next(ConfigReader& config) {
  return read_hybrid(config, true, false, false);
}
base::Result<Inventory> read_qwen3_5(ConfigReader& config) {
  return read_multimodal(config, false);
}
base::Result<Inventory> read_qwen3_5_text(ConfigReader& config) {
  return read_hybrid(config, false, false, true);
}
base::Result<Inventory> read_qwen3_5_moe(ConfigReader& config) {
  return read_multimodal(config, true);
}
base::Result<Inventory> read_qwen3_5_moe_text(ConfigReader& config) {
  return read_hybrid(config, true, false, true);
}

}  // namespace ullage::import
