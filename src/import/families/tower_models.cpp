// A tower before a decoder of another family: InternVL (InternViT), LFM2-VL (SigLIP 2 without fixed
// sizes) and Command A Vision (SigLIP 2). Tensors as transformers defines them in models/internvl,
// lfm2_vl, siglip2 and cohere2_vision, and as InternVL's modeling_internvl_chat.py does.
#include <algorithm>
#include <array>

#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/family.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;

constexpr auto kPart = Component::vision;

// Decoders that published checkpoints of InternVL have behind the tower.
constexpr std::array<std::string_view, 7> kInternText{"gpt_oss", "internlm2", "llama",    "phi3",
                                                      "qwen2",   "qwen3",     "qwen3_moe"};

base::Result<Inventory> read_intern_text(ConfigReader& text) {
  ULLAGE_TRY(const auto type, text.optional_text("model_type"));
  const std::string name = type.value_or("(none)");
  const bool known = std::find(kInternText.begin(), kInternText.end(), name) != kInternText.end();
  if (known) return find_family(name)->read(text);
  return text.fault(base::Code::unsupported_architecture, "model_type",
                    "a text model of type " + base::printable(name) + " is not counted here",
                    "counted: gpt_oss, internlm2, llama, phi3, qwen2, qwen3, qwen3_moe");
}

// A side in pixels, which transformers' own form gives twice.
base::Result<Extent> read_side(ConfigReader& vision, std::string_view key) {
  const document::Value* value = vision.find(key);
  if (value == nullptr || value->type != document::Type::array) return vision.count(key);
  ULLAGE_TRY(const auto sides, vision.numbers(key));
  const bool square = sides.size() == 2 && sides[0] == sides[1] && sides[0] > 0;
  if (square) return vision.counted(std::string(key), sides[0], key);
  return vision.fault(base::Code::out_of_range, key,
                      std::string(key) + " is not one side given twice",
                      "published towers read square images and patches");
}

// InternViT: a class token, layer scales, and in the 6B form norms of q and k over the whole width,
// RMS norms and no biases on q, k and v.
base::Result<Extent> add_intern_vit(ConfigReader& vision, Inventory& inventory) {
  vision.spell("qkv_bias", {"attention_bias"});
  vision.spell("qk_normalization", {"use_qk_norm"});
  vision.class_default("num_channels", 3, "InternVisionConfig");
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent depth, vision.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent channels, vision.count("num_channels"));
  ULLAGE_TRY(const Extent patch, read_side(vision, "patch_size"));
  ULLAGE_TRY(const Extent image, read_side(vision, "image_size"));
  ULLAGE_TRY(const bool bias, vision.flag("qkv_bias", true));
  ULLAGE_TRY(const bool normed, vision.flag("qk_normalization", false));
  ULLAGE_TRY(const auto norm, vision.optional_text("norm_type"));
  for (const char* key : {"num_attention_heads", "use_mean_pooling", "use_mask_token",
                          "use_absolute_position_embeddings", "projection_dropout"})
    vision.find(key);  // heads divide the width; the others are as in every published tower
  const bool norm_bias = norm.value_or("layer_norm") == "layer_norm";
  const exact::Rational side = (image.value / patch.value).floor();
  const Extent positions =
      vision.derived("positions", side * side + exact::Rational(1),
                     "⌊image_size ÷ patch_size⌋² + 1", {image.figure, patch.figure});
  const Extent two = constant(vision, "two", 2, "behind attention and MLP, or of q and k", width);
  const Extent three = constant(vision, "q, k and v", 3, "in one matrix", width);
  TensorList tower(inventory, "vision_tower.", {}, kPart);
  tower.add("class_embedding", kPart, {{width}});
  add_linear(tower, "patch_embedding", kPart, {width}, {channels, patch, patch}, true);
  tower.add("position_embedding", kPart, {{positions}, {width}});
  TensorList layers = tower.under("vision_tower.layers.*.", {depth});
  add_linear(layers, "attn.qkv", kPart, {three, width}, {width}, bias);
  add_linear(layers, "attn.proj", kPart, {width}, {width}, true);
  add_linear(layers, "mlp.fc1", kPart, {intermediate}, {width}, true);
  add_linear(layers, "mlp.fc2", kPart, {width}, {intermediate}, true);
  layers.add("{ls1,ls2}", kPart, {{two}, {width}});
  add_norm(layers, "norm1", {width}, norm_bias);
  add_norm(layers, "norm2", {width}, norm_bias);
  if (normed) layers.add("attn.{q,k}_norm.weight", kPart, {{two}, {width}});
  return width;
}

// downsample_ratio 0.5 joins 2 × 2 patches.
base::Result<Extent> read_joined(ConfigReader& config) {
  const document::Value* ratio = config.find("downsample_ratio");
  const auto value =
      ratio == nullptr ? exact::Rational::parse("0.5") : exact::Rational::parse(ratio->text);
  const bool sensible = value && *value > exact::Rational(0) && *value <= exact::Rational(1);
  const exact::Rational side = sensible ? exact::Rational(1) / *value : exact::Rational(0);
  if (!sensible || !side.is_whole() || side > exact::Rational(1'000)) {
    return config.fault(base::Code::out_of_range, "downsample_ratio",
                        "downsample_ratio is not one divided by a whole number up to 1000",
                        "published files have 0.5");
  }
  if (ratio == nullptr) return config.assumed("patches joined", 4, "downsample_ratio 0.5");
  return config.counted("patches joined", (side * side).to_int64().value_or(1), "downsample_ratio");
}

base::Result<Inventory> read_intern(ConfigReader& config, std::string_view text_key) {
  ULLAGE_TRY(ConfigReader text, config.nested(text_key));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_intern_text(text));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(const Extent width, add_intern_vit(vision, inventory));
  ULLAGE_TRY(const Extent joined, read_joined(config));
  for (const char* key : {"select_layer", "vision_feature_layer", "ps_version"})
    config.find(key);  // which layer is read, and in which order
  TensorList projector(inventory, "mlp1.", {}, kPart);
  add_norm(projector, "0", {joined, width}, true);
  add_linear(projector, "1", kPart, {hidden}, {joined, width}, true);
  add_linear(projector, "3", kPart, {hidden}, {hidden}, true);
  return inventory;
}

// SigLIP 2 without fixed sizes: patches enter a matrix, positions are a table of num_patches.
base::Result<Extent> add_siglip2(ConfigReader& vision, Inventory& inventory) {
  const std::string class_name = "Siglip2VisionConfig (transformers)";
  vision.class_default("num_patches", 256, class_name);
  vision.class_default("patch_size", 16, class_name);
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, false));
  ULLAGE_TRY(const Extent positions, vision.count("num_patches"));
  vision.find("vision_use_head");
  TensorList whole(inventory, "vision_tower.", {}, kPart);
  add_linear(whole, "patch_embedding", kPart, {tower.width},
             {tower.channels, tower.patch, tower.patch}, true);
  whole.add("position_embedding.weight", kPart, {{positions}, {tower.width}});
  TensorList layers = whole.under("vision_tower.layers.*.", {tower.layers});
  add_encoder_layer(vision, layers, {.width = tower.width, .intermediate = tower.intermediate});
  add_norm(whole, "post_layernorm", {tower.width}, true);
  return tower.width;
}

}  // namespace

base::Result<Inventory> read_internvl_chat(ConfigReader& config) {
  return read_intern(config, "llm_config");
}

base::Result<Inventory> read_internvl(ConfigReader& config) {
  return read_intern(config, "text_config");
}

base::Result<Inventory> read_lfm2_vl(ConfigReader& config) {
  const std::string class_name = "Lfm2VlConfig (transformers)";
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_lfm2(text));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(const Extent width, add_siglip2(vision, inventory));
  config.class_default("projector_hidden_size", 2560, class_name);
  config.class_default("downsample_factor", 2, class_name);
  ULLAGE_TRY(const Extent middle, config.count("projector_hidden_size"));
  ULLAGE_TRY(const Extent factor, config.count("downsample_factor"));
  ULLAGE_TRY(const bool bias, config.flag("projector_bias", true));
  ULLAGE_TRY(const bool normed, config.flag("projector_use_layernorm", true));
  config.find("vision_feature_layer");
  const Axis joined{width, factor, factor};
  TensorList projector(inventory, "multi_modal_projector.", {}, kPart);
  if (normed) add_norm(projector, "layer_norm", joined, true);
  add_linear(projector, "linear_1", kPart, {middle}, joined, bias);
  add_linear(projector, "linear_2", kPart, {hidden}, {middle}, bias);
  return inventory;
}

// The first matrix makes two halves, of which one gates the other.
base::Result<Inventory> read_cohere2_vision(ConfigReader& config) {
  const std::string class_name = "Cohere2VisionConfig (transformers)";
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_cohere2(text));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(const Extent width, add_siglip(vision, inventory));
  config.class_default("downsample_factor", 2, class_name);
  config.class_default("alignment_intermediate_size", 36864, class_name);
  ULLAGE_TRY(const Extent factor, config.count("downsample_factor"));
  ULLAGE_TRY(const Extent middle, config.count("alignment_intermediate_size"));
  const Extent two = constant(config, "halves", 2, "one gates the other", middle);
  ULLAGE_TRY(const Extent half, config.quotient("half of it", middle, two));
  TensorList projector(inventory, "multi_modal_projector.", {}, kPart);
  add_linear(projector, "linear_1", kPart, {middle}, {width, factor, factor}, true);
  add_linear(projector, "linear_2", kPart, {hidden}, {half}, true);
  return inventory;
}

}  // namespace ullage::import
