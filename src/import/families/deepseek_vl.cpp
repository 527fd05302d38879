// DeepSeek-VL2 (SigLIP with a pooling head before a DeepSeek mixture) and DeepSeek-OCR (SAM before
// CLIP, in the second version before a Qwen2 that encodes). Tensors as the publisher's
// modeling_deepseek_vl_v2.py, modeling_deepseekocr.py and modeling_deepseekocr2.py define them.
#include "import/dense.hpp"
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/mixture.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;

constexpr auto kPart = Component::vision;

Extent of_class(ConfigReader& config, const char* name, std::int64_t value) {
  return config.assumed(name, value, "of the class (publisher's code)");
}

// ⌊width × mlp_ratio⌋.
base::Result<Extent> read_wide(ConfigReader& vision, const Extent& width) {
  const document::Value* ratio = vision.find("mlp_ratio");
  if (ratio == nullptr) {
    return vision.fault(base::Code::missing_key, "mlp_ratio", "vision_config.mlp_ratio is missing");
  }
  ULLAGE_TRY(const Rational wider, document::as_number(vision.document(), *ratio, "mlp_ratio"));
  const Rational value = (width.value * wider).floor();
  if (value.sign() <= 0) {
    return vision.fault(base::Code::out_of_range, "mlp_ratio", "mlp_ratio leaves no width");
  }
  return vision.derived("intermediate width", value, "⌊width × mlp_ratio⌋", {width.figure});
}

// SigLIP as timm builds it: the head that pools by attention is stored, though nothing reads it.
base::Result<Extent> add_pooled_siglip(ConfigReader& vision, Inventory& inventory) {
  vision.class_default("width", 1152, "VisionEncoderConfig (publisher's code)");
  vision.class_default("layers", 27, "VisionEncoderConfig (publisher's code)");
  vision.class_default("patch_size", 14, "VisionEncoderConfig (publisher's code)");
  vision.class_default("image_size", 384, "siglip_so400m_patch14_384 (timm)");
  ULLAGE_TRY(const Extent width, vision.count("width"));
  ULLAGE_TRY(const Extent depth, vision.count("layers"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent image, vision.count("image_size"));
  ULLAGE_TRY(const Extent wide, read_wide(vision, width));
  vision.find("heads");  // divides the width and adds no tensor
  const Rational side = (image.value / patch.value).floor();
  const Extent positions = vision.derived("positions", side * side, "⌊image_size ÷ patch_size⌋²",
                                          {image.figure, patch.figure});
  const Extent colours = of_class(vision, "image channels", 3);
  const Extent one = constant(vision, "latent", 1, "one that pools", width);
  const EncoderLayer layer{.width = width, .intermediate = wide};
  TensorList whole(inventory, "vision.", {}, kPart);
  add_linear(whole, "patch_embed.proj", kPart, {width}, {colours, patch, patch}, true);
  whole.add("pos_embed", kPart, {{positions}, {width}});
  TensorList blocks = whole.under("vision.blocks.*.", {depth});
  add_encoder_layer(vision, blocks, layer);
  add_norm(whole, "norm", {width}, true);
  whole.add("attn_pool.latent", kPart, {{one}, {width}});
  add_encoder_attention(whole, "attn_pool", layer);
  add_norm(whole, "attn_pool.norm", {width}, true);
  add_linear(whole, "attn_pool.mlp.fc1", kPart, {wide}, {width}, true);
  add_linear(whole, "attn_pool.mlp.fc2", kPart, {width}, {wide}, true);
  return width;
}

// SAM's base tower, whose class fixes its sizes, and the convolutions that bring it to `out`.
void add_sam(ConfigReader& config, Inventory& inventory, const Extent& out) {
  const Extent width = of_class(config, "SAM width", 768);
  const Extent wide = of_class(config, "SAM MLP width", 3072);
  const Extent local = of_class(config, "SAM layers with windows", 8);
  const Extent global = of_class(config, "SAM layers over the image", 4);
  const Extent head = of_class(config, "SAM head width", 64);
  const Extent colours = of_class(config, "image channels", 3);
  const Extent patch = of_class(config, "SAM patch side", 16);
  const Extent grid = of_class(config, "SAM positions a side", 64);
  const Extent neck = of_class(config, "SAM neck width", 256);
  const Extent middle = of_class(config, "first downsampled width", 512);
  const Extent taps = of_class(config, "taps a side", 3);
  const Extent near = of_class(config, "relative positions in a window", 27);
  const Extent far = of_class(config, "relative positions over the image", 127);
  const Extent two = constant(config, "axes", 2, "height and width", width);
  TensorList whole(inventory, "sam_model.", {}, kPart);
  add_linear(whole, "patch_embed.proj", kPart, {width}, {colours, patch, patch}, true);
  whole.add("pos_embed", kPart, {{grid}, {grid}, {width}});
  const EncoderLayer layer{.width = width, .intermediate = wide};
  const auto blocks = [&](const char* name, const Extent& layers, const Extent& positions) {
    TensorList list = whole.under("sam_model.blocks.*.", {layers});
    add_encoder_layer(config, list, layer);
    list.add(name, kPart, {{two}, {positions}, {head}});
  };
  blocks("attn.rel_pos_{h,w} (window)", local, near);
  blocks("attn.rel_pos_{h,w}", global, far);
  whole.add("neck.0.weight", kPart, {{neck}, {width}});
  add_norm(whole, "neck.1", {neck}, true);
  whole.add("neck.2.weight", kPart, {{neck}, {neck, taps, taps}});
  add_norm(whole, "neck.3", {neck}, true);
  whole.add("net_2.weight", kPart, {{middle}, {neck, taps, taps}});
  whole.add("net_3.weight", kPart, {{out}, {middle, taps, taps}});
}

// CLIP L/14 at 224 pixels behind SAM; its own patches are stored and not read.
base::Result<void> add_ocr_clip(ConfigReader& widths, Inventory& inventory) {
  ULLAGE_TRY(ConfigReader clip, widths.nested("clip-l-14-224"));
  ULLAGE_TRY(const Extent width, clip.count("width"));
  ULLAGE_TRY(const Extent depth, clip.count("layers"));
  ULLAGE_TRY(const Extent patch, clip.count("patch_size"));
  ULLAGE_TRY(const Extent image, clip.count("image_size"));
  clip.find("heads");
  const Extent four = of_class(clip, "widening of the MLP", 4);
  const Extent wide = clip.derived("intermediate width", four.value * width.value, "4 × width",
                                   {four.figure, width.figure});
  const Rational side = (image.value / patch.value).floor();
  const Extent positions =
      clip.derived("positions", side * side + Rational(1), "⌊image_size ÷ patch_size⌋² + 1",
                   {image.figure, patch.figure});
  const Extent colours = of_class(clip, "image channels", 3);
  TensorList whole(inventory, "vision_model.", {}, kPart);
  whole.add("class_embedding", kPart, {{width}});
  whole.add("patch_embedding.weight", kPart, {{width}, {colours, patch, patch}});
  whole.add("position_embedding.weight", kPart, {{positions}, {width}});
  add_norm(whole, "pre_layrnorm", {width}, true);
  TensorList blocks = whole.under("vision_model.transformer.layers.*.", {depth});
  const EncoderLayer layer{.width = width, .intermediate = wide};
  add_encoder_layer(clip, blocks, layer);
  return {};
}

// Qwen2-0.5B's layers that encode what SAM sees for 144 or 256 queries. Returns its width.
base::Result<Extent> add_ocr_qwen(ConfigReader& widths, Inventory& inventory) {
  ULLAGE_TRY(ConfigReader qwen, widths.nested("qwen2-0-5b"));
  ULLAGE_TRY(const Extent width, qwen.count("dim"));
  const Extent depth = of_class(qwen, "encoder layers", 24);
  const Extent heads = of_class(qwen, "encoder heads", 14);
  const Extent kv_heads = of_class(qwen, "encoder KV heads", 2);
  const Extent wide = of_class(qwen, "encoder MLP width", 4864);
  const Extent queries = of_class(qwen, "queries of both image sizes", 144 + 256);
  ULLAGE_TRY(const Extent head, qwen.quotient("encoder head width", width, heads));
  const Extent two = constant(qwen, "two", 2, "of a kind in each layer", width);
  const Axis query{heads, head};
  const Axis key{kv_heads, head};
  TensorList list(inventory, "qwen2_model.layers.*.", {depth}, kPart);
  add_linear(list, "self_attn.q_proj", kPart, query, {width}, true);
  add_linear(list, "self_attn.k_proj", kPart, key, {width}, true);
  add_linear(list, "self_attn.v_proj", kPart, key, {width}, true);
  add_linear(list, "self_attn.o_proj", kPart, {width}, query, false);
  add_gated_projections(list, "mlp.", kPart, width, wide);
  list.add("{norms}.weight", kPart, {{two}, {width}});
  TensorList whole = list.under("qwen2_model.", {});
  whole.add("norm.weight", kPart, {{width}});
  whole.add("query_{768,1024}.weight", kPart, {{queries}, {width}});
  return width;
}

// The projector of VL2 joins 2 × 2 patches; OCR's is one matrix.
base::Result<void> add_projector(ConfigReader& config, Inventory& inventory, const Extent& width,
                                 const Extent& hidden, bool joins, std::int64_t separators) {
  ULLAGE_TRY(ConfigReader projector, config.nested("projector_config"));
  for (const char* key : {"n_embed", "input_dim", "depth", "mlp_ratio", "downsample_ratio"})
    projector.find(key);  // repeat both widths and the class's defaults
  TensorList whole(inventory, "projector.", {}, kPart);
  if (joins) {
    const Extent four = of_class(config, "patches joined", 4);
    add_linear(whole, "layers.0", kPart, {hidden}, {four, width}, true);
    add_linear(whole, "layers.2", kPart, {hidden}, {hidden}, true);
  } else {
    add_linear(whole, "layers", kPart, {hidden}, {width}, true);
  }
  const Extent marks = of_class(config, "separators", separators);
  whole.add("{image_newline,view_seperator}", kPart, {{marks}, {hidden}});
  return {};
}

base::Result<void> add_ocr_towers(ConfigReader& config, ConfigReader& vision, Inventory& inventory,
                                  const Extent& hidden) {
  ULLAGE_TRY(ConfigReader widths, vision.nested("width"));
  vision.find("mlp_ratio");
  vision.find("image_size");
  widths.find("sam_vit_b");
  if (widths.find("qwen2-0-5b") != nullptr) {
    ULLAGE_TRY(const Extent width, add_ocr_qwen(widths, inventory));
    add_sam(config, inventory, width);
    return add_projector(config, inventory, width, hidden, false, 1);
  }
  ULLAGE_CHECK(add_ocr_clip(widths, inventory));
  add_sam(config, inventory, of_class(config, "second downsampled width", 1024));
  // Both towers side by side.
  const Extent both = of_class(config, "width of both towers", 2048);
  return add_projector(config, inventory, both, hidden, false, 2);
}

}  // namespace

base::Result<Inventory> read_deepseek_vl_v2(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("language_config"));
  // Without latent attention the layers are those of DeepSeek-MoE.
  ULLAGE_TRY(const bool latent, text.flag("use_mla", true));
  for (const char* key : {"q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim",
                          "v_head_dim", "lm_head", "rm_head"})
    text.find(key);  // null or 0 where attention is plain
  ULLAGE_TRY(Inventory inventory, latent ? read_deepseek_v2(text) : read_deepseek(text));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  for (const char* key :
       {"first_k_dense_replace", "intermediate_size", "moe_intermediate_size", "n_routed_experts",
        "n_shared_experts", "num_attention_heads", "num_experts_per_tok", "num_hidden_layers",
        "num_key_value_heads", "q_lora_rank", "kv_lora_rank", "qk_nope_head_dim",
        "qk_rope_head_dim", "v_head_dim", "lm_head", "rm_head"})
    config.find(key);  // DeepSeek-OCR repeats its language_config at the root
  const document::Value* width = vision.find("width");
  if (width != nullptr && width->type == document::Type::object) {
    ULLAGE_CHECK(add_ocr_towers(config, vision, inventory, hidden));
    return inventory;
  }
  ULLAGE_TRY(const auto name, vision.optional_text("model_name"));
  if (name && *name != "siglip_so400m_patch14_384") {
    return vision.fault(base::Code::unsupported_architecture, "model_name",
                        "a tower " + base::printable(*name) + " is not counted here",
                        "counted: siglip_so400m_patch14_384, SAM with CLIP or Qwen2");
  }
  ULLAGE_TRY(const Extent tower, add_pooled_siglip(vision, inventory));
  ULLAGE_CHECK(add_projector(config, inventory, tower, hidden, true, 2));
  return inventory;
}

}  // namespace ullage::import
