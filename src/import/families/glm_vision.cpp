// GLM-4.1V, 4.5V and 4.6V: the text models GLM-4 0414 and GLM-4.5 behind a tower with gated MLPs.
// Tensors as transformers defines them in models/glm4v and models/glm4v_moe.
#include "import/dense.hpp"
#include "import/families/families.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

constexpr auto kPart = Component::vision;

// A matrix or a vector of `outer` that has no bias anywhere in this tower.
void add_merger(TensorList& tower, const Extent& out, const Extent& middle) {
  add_linear(tower, "merger.proj", kPart, {out}, {out}, false);
  add_norm(tower, "merger.post_projection_norm", {out}, true);
  add_linear(tower, "merger.gate_proj", kPart, {middle}, {out}, false);
  add_linear(tower, "merger.up_proj", kPart, {middle}, {out}, false);
  add_linear(tower, "merger.down_proj", kPart, {out}, {middle}, false);
}

// The MLP of a block is as wide as the tower's output; intermediate_size is the merger's.
base::Result<void> add_tower(ConfigReader& vision, Inventory& inventory) {
  const std::string class_name = "Glm4vVisionConfig (transformers)";
  vision.class_default("in_channels", 3, class_name);
  vision.class_default("temporal_patch_size", 2, class_name);
  vision.class_default("spatial_merge_size", 2, class_name);
  vision.class_default("image_size", 336, class_name);
  ULLAGE_TRY(const Extent depth, vision.count("depth"));
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent middle, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent out, vision.count("out_hidden_size"));
  ULLAGE_TRY(const Extent channels, vision.count("in_channels"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent frames, vision.count("temporal_patch_size"));
  ULLAGE_TRY(const Extent merge, vision.count("spatial_merge_size"));
  ULLAGE_TRY(const Extent image, vision.count("image_size"));
  ULLAGE_TRY(const bool bias, vision.flag("attention_bias", false));
  vision.find("num_heads");  // divides the width and adds no tensor
  const exact::Rational side = (image.value / patch.value).floor();
  const Extent positions = vision.derived("positions", side * side, "⌊image_size ÷ patch_size⌋²",
                                          {image.figure, patch.figure});
  const Extent three = constant(vision, "q, k and v", 3, "in one matrix", width);
  TensorList tower(inventory, "visual.", {}, kPart);
  add_linear(tower, "patch_embed.proj", kPart, {width}, {channels, frames, patch, patch}, true);
  tower.add("embeddings.position_embedding.weight", kPart, {{positions}, {width}});
  add_norm(tower, "post_conv_layernorm", {width}, false);
  add_norm(tower, "post_layernorm", {width}, false);
  add_linear(tower, "downsample", kPart, {out}, {width, merge, merge}, true);
  add_merger(tower, out, middle);
  TensorList blocks = tower.under("visual.blocks.*.", {depth});
  add_linear(blocks, "attn.qkv", kPart, {three, width}, {width}, bias);
  add_linear(blocks, "attn.proj", kPart, {width}, {width}, false);
  add_linear(blocks, "mlp.gate_proj", kPart, {out}, {width}, false);
  add_linear(blocks, "mlp.up_proj", kPart, {out}, {width}, false);
  add_linear(blocks, "mlp.down_proj", kPart, {width}, {out}, false);
  add_norm(blocks, "norm1", {width}, false);
  add_norm(blocks, "norm2", {width}, false);
  return {};
}

}  // namespace

base::Result<Inventory> read_glm4v(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_glm4(text));
  ULLAGE_CHECK(add_tower(vision, inventory));
  return inventory;
}

base::Result<Inventory> read_glm4v_moe(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_glm4_moe_text(text));
  ULLAGE_CHECK(add_tower(vision, inventory));
  return inventory;
}

}  // namespace ullage::import
