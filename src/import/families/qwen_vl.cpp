// Qwen with eyes: Qwen2-VL, Qwen2.5-VL and Qwen3-VL around the text decoders of qwen.cpp, and the
// first Qwen, whose vision-language form holds an OpenCLIP tower. Tensors as transformers defines
// them in models/qwen2_vl, qwen2_5_vl and qwen3_vl, and as the publisher's modeling_qwen.py and
// visual.py do.
#include "import/dense.hpp"
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// Ties the head of an inventory whose text part does not say it, but the configuration around does.
base::Result<void> tie_by_outer(ConfigReader& outer, ConfigReader& text, Inventory& inventory) {
  if (text.find("tie_word_embeddings") != nullptr) return {};
  ULLAGE_TRY(const bool tied, outer.flag("tie_word_embeddings", false));
  if (!tied) return {};
  std::erase_if(inventory.tensors,
                [](const model::TensorGroup& group) { return group.component == Component::head; });
  inventory.tensors.front().use = model::Use::every_token;
  return {};
}

struct PatchShape {
  Extent width;
  Extent depth;
  Extent channels;
  Extent patch;
  Extent frames;
  Extent merge;
};

base::Result<PatchShape> read_patches(ConfigReader& vision, std::string_view width_key,
                                      const std::string& class_name) {
  vision.spell("in_channels", {"in_chans"});
  vision.spell("patch_size", {"spatial_patch_size"});
  vision.class_default("depth", 32, class_name);
  vision.class_default(width_key, 1280, class_name);
  vision.class_default("in_channels", 3, class_name);
  vision.class_default("patch_size", 14, class_name);
  vision.class_default("temporal_patch_size", 2, class_name);
  vision.class_default("spatial_merge_size", 2, class_name);
  ULLAGE_TRY(Extent width, vision.count(width_key));
  ULLAGE_TRY(Extent depth, vision.count("depth"));
  ULLAGE_TRY(Extent channels, vision.count("in_channels"));
  ULLAGE_TRY(Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(Extent frames, vision.count("temporal_patch_size"));
  ULLAGE_TRY(Extent merge, vision.count("spatial_merge_size"));
  for (const char* key : {"num_heads", "window_size", "spatial_patch_size"}) {
    vision.find(key);  // adds no tensor
  }
  return PatchShape{std::move(width), std::move(depth),  std::move(channels),
                    std::move(patch), std::move(frames), std::move(merge)};
}

// Patches without a bias, blocks, and the merger of neighbouring patches into the text's width.
void add_patch_tower(ConfigReader& vision, Inventory& inventory, const PatchShape& patches,
                     const EncoderLayer& layer, const Extent& out) {
  TensorList tower(inventory, "visual.", {}, Component::vision);
  add_linear(tower, "patch_embed.proj", Component::vision, {patches.width},
             {patches.channels, patches.frames, patches.patch, patches.patch}, false);
  TensorList blocks = tower.under("visual.blocks.*.", {patches.depth});
  add_encoder_layer(vision, blocks, layer);
  const Axis merged{patches.merge, patches.merge, patches.width};
  add_norm(tower, "merger.ln_q", {patches.width}, layer.norm_bias);
  add_linear(tower, "merger.mlp.0", Component::vision, merged, merged, true);
  add_linear(tower, "merger.mlp.2", Component::vision, {out}, merged, true);
}

}  // namespace

base::Result<Inventory> read_qwen2_vl(ConfigReader& config) {
  ULLAGE_TRY(Inventory inventory, read_qwen2(config));
  ULLAGE_TRY(const Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  const std::string class_name = "Qwen2VLVisionConfig (transformers)";
  ULLAGE_TRY(const PatchShape patches, read_patches(vision, "embed_dim", class_name));
  vision.class_default("mlp_ratio", 4, class_name);
  vision.class_default("hidden_size", 3584, class_name);
  ULLAGE_TRY(const Extent ratio, vision.count("mlp_ratio"));
  ULLAGE_TRY(const Extent out, vision.count("hidden_size"));
  Extent wide = vision.derived("intermediate width", patches.width.value * ratio.value,
                               "embed_dim × mlp_ratio", {patches.width.figure, ratio.figure});
  const EncoderLayer layer{.width = patches.width, .intermediate = std::move(wide)};
  add_patch_tower(vision, inventory, patches, layer, out);
  return inventory;
}

base::Result<Inventory> read_qwen2_5_vl(ConfigReader& config) {
  ULLAGE_TRY(Inventory inventory, read_qwen2(config));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  const std::string class_name = "Qwen2_5_VLVisionConfig (transformers)";
  ULLAGE_TRY(const PatchShape patches, read_patches(vision, "hidden_size", class_name));
  vision.class_default("intermediate_size", 3420, class_name);
  vision.class_default("out_hidden_size", 3584, class_name);
  ULLAGE_TRY(const Extent wide, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent out, vision.count("out_hidden_size"));
  vision.find("fullatt_block_indexes");  // which blocks see the whole image: no tensor differs
  EncoderLayer layer{.width = patches.width, .intermediate = wide};
  layer.gated = true;
  layer.norm_bias = false;
  add_patch_tower(vision, inventory, patches, layer, out);
  return inventory;
}

namespace {

base::Result<Inventory> read_third_vl(ConfigReader& config, bool mixture) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, mixture ? read_qwen3_moe(text) : read_qwen3(text));
  ULLAGE_CHECK(tie_by_outer(config, text, inventory));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_CHECK(add_qwen_vision(vision, inventory));
  return inventory;
}

// The tower of Qwen-VL: OpenCLIP's blocks, a resampler of 256 queries, and a projection.
base::Result<void> add_open_clip(ConfigReader& config, Inventory& inventory) {
  ULLAGE_TRY(ConfigReader visual, config.nested("visual"));
  ULLAGE_TRY(const Extent width, visual.count("width"));
  ULLAGE_TRY(const Extent depth, visual.count("layers"));
  ULLAGE_TRY(const Extent out, visual.count("output_dim"));
  ULLAGE_TRY(const Extent patch, visual.count("patch_size"));
  visual.find("heads");  // divides the width and adds no tensor
  const document::Value* ratio = visual.find("mlp_ratio");
  if (ratio == nullptr)
    return visual.fault(base::Code::missing_key, "mlp_ratio", "visual.mlp_ratio is missing");
  ULLAGE_TRY(const exact::Rational wider,
             document::as_number(visual.document(), *ratio, "mlp_ratio"));
  const Extent colours = visual.assumed("image channels", 3, "RGB images");
  const Extent queries = visual.assumed("n_queries", 256, "default of the class in visual.py");
  // The table keeps the resampler's 16 × 16 positions, whatever the image; it is interpolated.
  const Extent positions = visual.assumed("positions", 256, "of the class in visual.py");
  Extent wide = visual.derived("intermediate width", (width.value * wider).floor(),
                               "⌊width × mlp_ratio⌋", {width.figure});
  const EncoderLayer layer{.width = width, .intermediate = std::move(wide)};
  TensorList whole(inventory, "visual.", {}, Component::vision);
  const auto part = Component::vision;
  add_linear(whole, "conv1", part, {width}, {colours, patch, patch}, false);
  whole.add("positional_embedding", part, {{positions}, {width}});
  add_norm(whole, "ln_pre", {width}, true);
  TensorList blocks = whole.under("visual.transformer.resblocks.*.", {depth});
  add_encoder_layer(visual, blocks, layer);
  const EncoderLayer pool{.width = out, .intermediate = out};
  add_encoder_attention(whole, "attn_pool.attn", pool);
  add_linear(whole, "attn_pool.kv_proj", part, {out}, {width}, false);
  whole.add("attn_pool.query", part, {{queries}, {out}});
  whole.add("attn_pool.pos_embed", part, {{queries}, {out}});
  add_norm(whole, "attn_pool.ln_q", {out}, true);
  add_norm(whole, "attn_pool.ln_kv", {out}, true);
  add_norm(whole, "ln_post", {out}, true);
  whole.add("proj", part, {{out}, {out}});
  return {};
}

}  // namespace

base::Result<Inventory> read_qwen3_vl(ConfigReader& config) {
  return read_third_vl(config, false);
}
base::Result<Inventory> read_qwen3_vl_moe(ConfigReader& config) {
  return read_third_vl(config, true);
}

// intermediate_size of the first Qwen is twice the width of its matrices.
base::Result<Inventory> read_qwen(ConfigReader& config) {
  config.spell("head_dim", {"kv_channels"});
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "QWenConfig"}));
  ULLAGE_TRY(const bool no_bias, config.flag("no_bias", true));
  const Extent two = constant(config, "two matrices", 2, "which intermediate_size counts together",
                              shape.intermediate);
  const exact::Rational half = shape.intermediate.value / two.value;
  if (!half.is_whole()) {
    return config.fault(base::Code::out_of_range, "intermediate_size",
                        "intermediate_size " + shape.intermediate.value.to_string() +
                            " is odd, but counts two matrices of equal width");
  }
  shape.intermediate = config.derived("matrix width", half, "intermediate_size ÷ 2",
                                      {shape.intermediate.figure, two.figure});
  shape.attention.input_bias = true;
  shape.attention.output_bias = !no_bias;
  shape.mlp_bias = !no_bias;
  Inventory inventory = list_dense(config, shape);
  if (config.find("visual") != nullptr) ULLAGE_CHECK(add_open_clip(config, inventory));
  return inventory;
}

}  // namespace ullage::import
