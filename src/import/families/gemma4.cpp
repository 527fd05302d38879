// Gemma 4: layers with a window and layers with all tokens, which have heads of another width; the
// last layers of the small sizes read keys and values of earlier ones, a table of their own feeds
// every layer, one size has experts beside its MLP; encoders of images and sound. Tensors as
// transformers defines them in models/gemma4.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/families/gemma_towers.hpp"
#include "import/families/layer_inputs.hpp"
#include "import/mixture.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;
using model::Use;

// Attention of one kind of layer.
struct Kind {
  Extent heads;
  Extent kv_heads;
  Extent head_dim;
  bool one_matrix = false;  // values are the keys before their norm: no matrix of their own
};

struct Shape {
  DecoderShape decoder;
  Kind full;
  Kind windowed;
  Extent intermediate;
  bool double_wide = false;            // MLPs of layers that share keys and values
  std::optional<ExpertShape> experts;  // beside the MLP
};

base::Result<Shape> read_shape(ConfigReader& config, ConfigReader* outer) {
  const std::string class_name = "Gemma4TextConfig (transformers)";
  config.class_default("head_dim", 256, class_name);
  config.class_default("global_head_dim", 512, class_name);
  config.spell("num_experts_per_tok", {"top_k_experts"});
  ULLAGE_TRY(const bool tied, read_tied_head(config, {true, class_name}, outer));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const Extent wide_head, config.count("global_head_dim"));
  ULLAGE_TRY(const bool one_matrix, config.flag("attention_k_eq_v", false));
  ULLAGE_TRY(const auto kv_heads, config.optional_count("num_global_key_value_heads"));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  if (bias) {
    return config.fault(base::Code::unsupported_architecture, "attention_bias",
                        "attention biases are not counted in this family",
                        "published checkpoints have none");
  }
  ULLAGE_TRY(Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool double_wide, config.flag("use_double_wide_mlp", false));
  ULLAGE_TRY(const bool mixed, config.flag("enable_moe_block", false));
  Kind windowed{attention.heads, attention.kv_heads, attention.head_dim};
  Kind full{attention.heads, one_matrix && kv_heads ? *kv_heads : attention.kv_heads, wide_head,
            one_matrix};
  Shape shape{std::move(decoder),      std::move(full), std::move(windowed),
              std::move(intermediate), double_wide,     {}};
  for (const char* key : {"num_experts", "top_k_experts", "moe_intermediate_size",
                          "expert_intermediate_size", "use_bidirectional_attention"})
    config.find(key);  // null where there are no experts
  if (!mixed) return shape;
  ULLAGE_TRY(shape.experts, read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  return shape;
}

// Layers that share keep matrices for keys and values that nothing reads; the checkpoints hold
// them.
void add_attention_of(ConfigReader& config, Inventory& inventory, const Extent& layers,
                      const Extent& hidden, const Kind& kind, bool sharing) {
  TensorList list(inventory, "layers.*.self_attn.", {layers});
  const model::Axis query{kind.heads, kind.head_dim};
  const model::Axis key{kind.kv_heads, kind.head_dim};
  list.add("q_proj.weight", Component::attention, {query, {hidden}}, Split::columns);
  list.add("o_proj.weight", Component::attention, {{hidden}, query}, Split::rows);
  list.add("q_norm.weight", Component::norms, {{kind.head_dim}});
  const Use use = sharing ? Use::apart : Use::every_token;
  list.add("k_proj.weight", Component::attention, {key, {hidden}}, Split::columns).use = use;
  if (!kind.one_matrix)
    list.add("v_proj.weight", Component::attention, {key, {hidden}}, Split::columns).use = use;
  list.add("k_norm.weight", Component::norms, {{kind.head_dim}}).use = use;
  if (sharing) {
    config.note("unread-weights", layers.value.to_string() +
                                      " layers read the keys and values of earlier ones; the "
                                      "matrices that they store for their own are counted");
  }
}

void add_cache(Inventory& inventory, const std::optional<Extent>& layers, const Kind& kind,
               std::optional<Extent> window) {
  if (!layers) return;
  add_attention_cache(inventory, *layers, {kind.heads, kind.kv_heads, kind.head_dim},
                      std::move(window));
}

// A router that norms and scales its input, experts, and three more norms.
void add_expert_block(ConfigReader& config, Inventory& inventory, const Shape& shape) {
  const Extent& hidden = shape.decoder.hidden;
  const ExpertShape& experts = *shape.experts;
  TensorList list(inventory, "layers.*.", {shape.decoder.layers});
  add_experts(inventory, shape.decoder.layers, hidden, experts);
  list.add("router.scale", Component::router, {{hidden}});
  list.add("router.per_expert_scale", Component::router, {{experts.experts}});
  const Extent three = constant(config, "norms around experts", 3, "by the class", hidden);
  list.add("{pre,post}_feedforward_layernorm_{1,2}.weight", Component::norms, {{three}, {hidden}});
}

base::Result<void> add_mlps(ConfigReader& config, Inventory& inventory, const Shape& shape,
                            const SharingLayers& kinds) {
  const Extent& layers = shape.decoder.layers;
  const Extent& hidden = shape.decoder.hidden;
  if (!shape.double_wide || !kinds.sharing) {
    add_gated_mlp(inventory, layers, hidden, shape.intermediate, false);
    return {};
  }
  Extent own = config.derived(
      "layers that keep keys and values", layers.value - kinds.sharing->value,
      layers.name + " − num_kv_shared_layers", {layers.figure, kinds.sharing->figure});
  if (const auto& sharing = kinds.sharing->layers) {
    ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
    own.layers = std::make_shared<const std::vector<std::int64_t>>(other_layers(total, *sharing));
  }
  const Extent wide =
      config.derived("doubled width", exact::Rational(2) * shape.intermediate.value,
                     "2 × intermediate_size: use_double_wide_mlp", {shape.intermediate.figure});
  add_gated_mlp(inventory, own, hidden, shape.intermediate, false);
  add_gated_mlp(inventory, *kinds.sharing, hidden, wide, false);
  return {};
}

base::Result<Inventory> read_layers(ConfigReader& config, ConfigReader* outer) {
  config.class_default("sliding_window", 512, "Gemma4TextConfig (transformers)");
  ULLAGE_TRY(const Shape shape, read_shape(config, outer));
  const Extent& hidden = shape.decoder.hidden;
  ULLAGE_TRY(const SharingLayers kinds, read_sharing_layers(config, shape.decoder.layers, 6, true));
  Inventory inventory;
  add_embeddings(inventory, shape.decoder);
  const auto attend = [&](const std::optional<Extent>& layers, const Kind& kind, bool sharing) {
    if (layers) add_attention_of(config, inventory, *layers, hidden, kind, sharing);
  };
  attend(kinds.own.full, shape.full, false);
  attend(kinds.own.windowed, shape.windowed, false);
  attend(kinds.sharing_full, shape.full, true);
  attend(kinds.sharing_windowed, shape.windowed, true);
  add_cache(inventory, kinds.own.full, shape.full, {});
  add_cache(inventory, kinds.own.windowed, shape.windowed, kinds.own.window);
  ULLAGE_CHECK(add_mlps(config, inventory, shape, kinds));
  if (shape.experts) add_expert_block(config, inventory, shape);
  ULLAGE_CHECK(
      add_layer_inputs(config, inventory, shape.decoder, "Gemma4TextConfig (transformers)"));
  const Extent four = constant(config, "norms per layer", 4, "of hidden_size", hidden);
  const Extent one = constant(config, "scalar", 1, "that scales a layer's output", hidden);
  TensorList list(inventory, "layers.*.", {shape.decoder.layers});
  list.add("{norms}.weight", Component::norms, {{four}, {hidden}});
  list.add("layer_scalar", Component::norms, {{one}});
  TensorList(inventory, "", {}).add("norm.weight", Component::norms, {{hidden}});
  return inventory;
}

}  // namespace

base::Result<Inventory> read_gemma4_text(ConfigReader& config) {
  return read_layers(config, nullptr);
}

base::Result<Inventory> read_gemma4(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_layers(text, &config));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  for (const char* key : {"vision_soft_tokens_per_image", "image_seq_length"})
    config.find(key);  // how many tokens an image becomes
  if (config.find("vision_config") != nullptr) {
    ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
    ULLAGE_CHECK(add_gemma4_vision(vision, inventory, hidden));
  }
  if (config.find("audio_config") != nullptr) {
    ULLAGE_TRY(ConfigReader audio, config.nested("audio_config"));
    ULLAGE_CHECK(add_gemma4_audio(audio, inventory, hidden));
  }
  return inventory;
}

}  // namespace ullage::import
