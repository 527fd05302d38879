// Tensors as transformers defines them in models/siglip, clip and pixtral.
#include "import/encoder_blocks.hpp"

namespace ullage::import {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

void add_encoder_attention(TensorList& layers, const std::string& name, const EncoderLayer& layer) {
  const Axis width{layer.width};
  const Axis inner = layer.inner.empty() ? width : layer.inner;
  const bool bias = layer.attention_bias;
  const auto part = Component::attention;
  add_linear(layers, name + ".q_proj", part, inner, width, bias, Split::columns);
  add_linear(layers, name + ".k_proj", part, inner, width, bias && layer.key_bias, Split::columns);
  add_linear(layers, name + ".v_proj", part, inner, width, bias, Split::columns);
  add_linear(layers, name + ".out_proj", part, width, inner, bias, Split::rows);
}

void add_encoder_layer(ConfigReader& config, TensorList& layers, const EncoderLayer& layer) {
  add_encoder_attention(layers, "self_attn", layer);
  const Axis width{layer.width};
  const Axis wide{layer.intermediate};
  const auto part = Component::mlp;
  if (layer.gated)
    add_linear(layers, "mlp.gate", part, wide, width, layer.mlp_bias, Split::columns);
  add_linear(layers, "mlp.fc1", part, wide, width, layer.mlp_bias, Split::columns);
  add_linear(layers, "mlp.fc2", part, width, wide, layer.mlp_bias, Split::rows);
  const Extent norms =
      constant(config, "norms per layer", layer.norms, "by the family", layer.width);
  add_norm(layers, "{norms}", {norms, layer.width}, layer.norm_bias);
}

base::Result<TowerShape> read_tower(ConfigReader& vision, bool learned_positions) {
  vision.class_default("num_channels", 3, "the tower's class (RGB images)");
  ULLAGE_TRY(Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(Extent layers, vision.count("num_hidden_layers"));
  ULLAGE_TRY(Extent channels, vision.count("num_channels"));
  ULLAGE_TRY(Extent patch, vision.count("patch_size"));
  vision.find("num_attention_heads");  // divides the width and adds no tensor
  vision.find("attention_heads");
  vision.find("head_dim");
  TowerShape tower{std::move(width),    std::move(intermediate), std::move(layers),
                   std::move(channels), std::move(patch),        {}};
  if (!learned_positions) return tower;
  ULLAGE_TRY(tower.image, vision.count("image_size"));
  return tower;
}

base::Result<Extent> tower_positions(ConfigReader& vision, const TowerShape& tower,
                                     std::int64_t more) {
  const exact::Rational side = tower.image->value / tower.patch.value;
  const exact::Rational rows = side.is_whole() ? side : side.floor();
  const std::string extra = more == 0 ? "" : " + " + std::to_string(more);
  return vision.derived("positions", rows * rows + exact::Rational(more),
                        "⌊image_size ÷ patch_size⌋²" + extra,
                        {tower.image->figure, tower.patch.figure});
}

namespace {

EncoderLayer plain_layer(const TowerShape& tower) {
  return {.width = tower.width, .intermediate = tower.intermediate};
}

Axis patch_inputs(const TowerShape& tower) {
  return {tower.channels, tower.patch, tower.patch};
}

}  // namespace

base::Result<Extent> add_siglip(ConfigReader& vision, Inventory& inventory) {
  const std::string class_name = "SiglipVisionConfig (transformers)";
  vision.class_default("image_size", 224, class_name);
  ULLAGE_TRY(const bool pooled, vision.flag("vision_use_head", true));
  vision.find("vision_use_head");
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, true));
  ULLAGE_TRY(const Extent positions, tower_positions(vision, tower, 0));
  if (pooled) {
    // Every published multimodal model with this tower leaves its pooling head out.
    vision.note("class-default", "the pooling head of SigLIP is left out, as the family does");
  }
  TensorList whole(inventory, "vision_tower.", {}, Component::vision);
  add_linear(whole, "patch_embedding", Component::vision, {tower.width}, patch_inputs(tower), true);
  whole.add("position_embedding.weight", Component::vision, {{positions}, {tower.width}});
  TensorList layers = whole.under("vision_tower.layers.*.", {tower.layers});
  add_encoder_layer(vision, layers, plain_layer(tower));
  add_norm(whole, "post_layernorm", {tower.width}, true);
  return tower.width;
}

base::Result<Extent> add_clip(ConfigReader& vision, Inventory& inventory) {
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, true));
  ULLAGE_TRY(const Extent positions, tower_positions(vision, tower, 1));
  TensorList whole(inventory, "vision_tower.", {}, Component::vision);
  whole.add("class_embedding", Component::vision, {{tower.width}});
  add_linear(whole, "patch_embedding", Component::vision, {tower.width}, patch_inputs(tower),
             false);
  whole.add("position_embedding.weight", Component::vision, {{positions}, {tower.width}});
  add_norm(whole, "pre_layrnorm", {tower.width}, true);
  TensorList layers = whole.under("vision_tower.layers.*.", {tower.layers});
  add_encoder_layer(vision, layers, plain_layer(tower));
  add_norm(whole, "post_layernorm", {tower.width}, true);
  return tower.width;
}

base::Result<Extent> add_pixtral(ConfigReader& vision, Inventory& inventory) {
  const std::string class_name = "PixtralVisionConfig (transformers)";
  vision.class_default("hidden_size", 1024, class_name);
  vision.class_default("intermediate_size", 4096, class_name);
  vision.class_default("num_hidden_layers", 24, class_name);
  vision.class_default("patch_size", 16, class_name);
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, false));
  EncoderLayer layer = plain_layer(tower);
  layer.attention_bias = false;
  layer.mlp_bias = false;
  layer.gated = true;
  layer.norm_bias = false;
  TensorList whole(inventory, "vision_tower.", {}, Component::vision);
  add_linear(whole, "patch_conv", Component::vision, {tower.width}, patch_inputs(tower), false);
  add_norm(whole, "ln_pre", {tower.width}, false);
  TensorList layers = whole.under("vision_tower.layers.*.", {tower.layers});
  add_encoder_layer(vision, layers, layer);
  return tower.width;
}

}  // namespace ullage::import
