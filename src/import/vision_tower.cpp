// Tensors as transformers defines them in models/qwen3_vl, models/qwen3_5, models/minimax_m3_vl and
// models/step3p7, as Kimi-K2.5's modeling_kimi_k25.py does, and for Kimi-K3 as Megatron-Bridge does
// in models/kimi/kimi_k3_vision.py.
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Split;

// Far above any tower; published ones merge 2 × 2 patches.
constexpr std::int64_t kLargestMerge = 1'000;

void add_linear(TensorList& list, const std::string& name, const Axis& out, const Axis& in,
                bool bias = true) {
  list.add(name + ".weight", Component::vision, {out, in});
  if (bias) list.add(name + ".bias", Component::vision, {out});
}

void add_norm(ConfigReader& vision, TensorList& list, const std::string& name, const Axis& width,
              bool bias = true) {
  if (!bias) {
    list.add(name + ".weight", Component::vision, {width});
    return;
  }
  const Extent two = vision.derived("weight and bias", 2, "of a LayerNorm", {width.front().figure});
  list.add(name + ".{weight,bias}", Component::vision, {width, {two}});
}

// Attention with one matrix for q, k and v, and an MLP of two matrices, all with biases.
void add_blocks(ConfigReader& vision, model::Inventory& inventory, const Extent& depth,
                const Extent& hidden, const Extent& intermediate) {
  const Extent three = vision.derived("q, k and v", 3, "in one matrix", {hidden.figure});
  TensorList blocks(inventory, "visual.blocks.*.", {depth}, Component::vision);
  add_norm(vision, blocks, "norm1", {hidden});
  add_norm(vision, blocks, "norm2", {hidden});
  add_linear(blocks, "attn.qkv", {three, hidden}, {hidden});
  add_linear(blocks, "attn.proj", {hidden}, {hidden});
  add_linear(blocks, "mlp.linear_fc1", {intermediate}, {hidden});
  add_linear(blocks, "mlp.linear_fc2", {hidden}, {intermediate});
}

}  // namespace

base::Result<void> add_qwen_vision(ConfigReader& vision, model::Inventory& inventory) {
  ULLAGE_TRY(const Extent depth, vision.count("depth"));
  ULLAGE_TRY(const Extent hidden, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent channels, vision.count("in_channels"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent frames, vision.count("temporal_patch_size"));
  ULLAGE_TRY(const Extent positions, vision.count("num_position_embeddings"));
  ULLAGE_TRY(const Extent merge, vision.count("spatial_merge_size"));
  ULLAGE_TRY(const Extent out, vision.count("out_hidden_size"));
  ULLAGE_TRY(const auto deep, vision.numbers("deepstack_visual_indexes"));
  vision.find("num_heads");  // divides hidden_size and adds no tensor
  TensorList tower(inventory, "visual.", {}, Component::vision);
  add_linear(tower, "patch_embed.proj", {hidden}, {channels, frames, patch, patch});
  tower.add("pos_embed.weight", Component::vision, {{positions}, {hidden}});
  add_blocks(vision, inventory, depth, hidden, intermediate);
  const Axis merged{merge, merge, hidden};
  add_norm(vision, tower, "merger.norm", {hidden});
  add_linear(tower, "merger.linear_fc1", merged, merged);
  add_linear(tower, "merger.linear_fc2", {out}, merged);
  if (deep.empty()) return {};
  const Extent mergers = vision.counted("deepstack mergers", static_cast<std::int64_t>(deep.size()),
                                        "deepstack_visual_indexes");
  TensorList more = tower.under("visual.deepstack_merger_list.*.", {mergers});
  add_norm(vision, more, "norm", merged);
  add_linear(more, "linear_fc1", merged, merged);
  add_linear(more, "linear_fc2", {out}, merged);
  return {};
}

namespace {

// What differs between the towers of Kimi-K2.5 and K3.
struct MoonKind {
  bool norm_bias = true;
  bool attention_bias = true;
  bool mlp_bias = true;
  bool patch_bias = true;
  bool second_projector = false;  // no biases, a norm behind it instead of before it
};

base::Result<MoonKind> read_moon_kind(ConfigReader& vision) {
  struct Word {
    const char* key;
    const char* first;   // of Kimi-K2.5, and where the key is absent
    const char* second;  // of Kimi-K3
  };
  const auto is_second = [&](const Word& word) -> base::Result<bool> {
    ULLAGE_TRY(const auto stated, vision.optional_text(word.key));
    if (!stated || *stated == word.first) return false;
    if (*stated == word.second) return true;
    return vision.fault(
        base::Code::unsupported_architecture, word.key,
        std::string(word.key) + " " + base::printable(*stated) + " is not counted in this tower",
        std::string("counted: ") + word.first + ", " + word.second);
  };
  MoonKind kind;
  ULLAGE_TRY(const bool root_mean, is_second({"norm_type", "layernorm", "rmsnorm"}));
  kind.norm_bias = !root_mean;
  ULLAGE_TRY(kind.second_projector,
             is_second({"mm_projector_type", "patchmerger", "patchmergerv2"}));
  ULLAGE_CHECK(is_second({"mlp_type", "mlp2", "mlp2"}));
  ULLAGE_TRY(kind.attention_bias, vision.flag("attn_bias", true));
  ULLAGE_TRY(kind.mlp_bias, vision.flag("linear_bias", true));
  ULLAGE_TRY(kind.patch_bias, vision.flag("patch_embed_proj_bias", true));
  return kind;
}

// Rows × columns of patches that merge into one token.
base::Result<Extent> read_merge_kernel(ConfigReader& vision) {
  ULLAGE_TRY(const std::vector<std::int64_t> kernel, vision.numbers("merge_kernel_size"));
  const auto sensible = [](std::int64_t side) { return side >= 1 && side <= kLargestMerge; };
  if (kernel.size() == 2 && sensible(kernel[0]) && sensible(kernel[1])) {
    return vision.counted("patches merged", kernel[0] * kernel[1], "merge_kernel_size");
  }
  return vision.fault(
      base::Code::out_of_range, "merge_kernel_size",
      "merge_kernel_size is not two numbers from 1 to " + std::to_string(kLargestMerge),
      "rows and columns of patches that merge");
}

base::Result<void> add_moon_blocks(ConfigReader& vision, model::Inventory& inventory,
                                   const Extent& hidden, const MoonKind& kind) {
  ULLAGE_TRY(const Extent depth, vision.count("vt_num_hidden_layers"));
  ULLAGE_TRY(const Extent intermediate, vision.count("vt_intermediate_size"));
  ULLAGE_TRY(const auto stated, vision.optional_count("qkv_hidden_size"));
  const Extent inner = stated ? *stated : hidden;
  const Extent three = vision.derived("q, k and v", 3, "in one matrix", {hidden.figure});
  TensorList blocks(inventory, "visual.blocks.*.", {depth}, Component::vision);
  add_norm(vision, blocks, "norm0", {hidden}, kind.norm_bias);
  add_norm(vision, blocks, "norm1", {hidden}, kind.norm_bias);
  add_linear(blocks, "wqkv", {three, inner}, {hidden}, kind.attention_bias);
  add_linear(blocks, "wo", {hidden}, {inner}, kind.attention_bias);
  add_linear(blocks, "mlp.fc0", {intermediate}, {hidden}, kind.mlp_bias);
  add_linear(blocks, "mlp.fc1", {hidden}, {intermediate}, kind.mlp_bias);
  return {};
}

}  // namespace

base::Result<void> add_moon_vision(ConfigReader& vision, model::Inventory& inventory,
                                   const std::optional<Extent>& outer) {
  vision.spell("vt_hidden_size", {"hidden_size"});
  vision.spell("vt_intermediate_size", {"intermediate_size"});
  vision.spell("vt_num_hidden_layers", {"num_hidden_layers"});
  vision.spell("vt_num_attention_heads", {"num_attention_heads"});
  vision.spell("mm_hidden_size", {"vt_hidden_size", "hidden_size"});
  ULLAGE_TRY(const Extent hidden, vision.count("vt_hidden_size"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent height, vision.count("init_pos_emb_height"));
  ULLAGE_TRY(const Extent width, vision.count("init_pos_emb_width"));
  ULLAGE_TRY(const Extent projected, vision.count("mm_hidden_size"));
  ULLAGE_TRY(const auto stated, vision.optional_count("text_hidden_size"));
  if (!stated && !outer) ULLAGE_CHECK(vision.count("text_hidden_size"));
  const Extent text = stated ? *stated : *outer;
  ULLAGE_TRY(const MoonKind kind, read_moon_kind(vision));
  ULLAGE_TRY(const Extent patches, read_merge_kernel(vision));
  for (const char* key : {"vt_num_attention_heads", "video_attn_type"})
    vision.find(key);  // heads divide the width; how frames attend
  const Extent colours = vision.assumed("image channels", 3, "RGB images");
  TensorList tower(inventory, "visual.", {}, Component::vision);
  add_linear(tower, "patch_embed.proj", {hidden}, {colours, patch, patch}, kind.patch_bias);
  tower.add("patch_embed.pos_emb.weight", Component::vision, {{height}, {width}, {hidden}});
  ULLAGE_CHECK(add_moon_blocks(vision, inventory, hidden, kind));
  add_norm(vision, tower, "final_layernorm", {hidden}, kind.norm_bias);
  const Axis merged{patches, projected};
  const bool first = !kind.second_projector;
  if (first) add_norm(vision, tower, "mm_projector.pre_norm", {projected});
  add_linear(tower, "mm_projector.proj.0", merged, merged, first);
  add_linear(tower, "mm_projector.proj.2", {text}, merged, first);
  if (!first) add_norm(vision, tower, "mm_projector.post_norm", {text}, false);
  return {};
}

base::Result<void> add_glm_vision(ConfigReader& vision, model::Inventory& inventory) {
  ULLAGE_TRY(const Extent depth, vision.count("depth"));
  ULLAGE_TRY(const Extent hidden, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent heads, vision.count("num_heads"));
  ULLAGE_TRY(const Extent channels, vision.count("in_channels"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent frames, vision.count("temporal_patch_size"));
  ULLAGE_TRY(const Extent merge, vision.count("spatial_merge_size"));
  ULLAGE_TRY(const Extent out, vision.count("out_hidden_size"));
  ULLAGE_TRY(const Extent projection, vision.count("projection_intermediate_size"));
  ULLAGE_TRY(const bool bias, vision.flag("attention_bias", true));
  if (!bias) {
    return vision.fault(base::Code::unsupported_architecture, "attention_bias",
                        "a tower without biases is not counted in this family",
                        "the published checkpoint has them");
  }
  ULLAGE_TRY(const Extent head_dim, vision.quotient("head width", hidden, heads));
  const Extent two =
      vision.derived("norms", 2, "before attention and MLP, or of q and k", {hidden.figure});
  const Extent three = vision.derived("q, k and v", 3, "in one matrix", {hidden.figure});
  TensorList tower(inventory, "visual.", {}, Component::vision);
  add_linear(tower, "patch_embed.proj", {hidden}, {channels, frames, patch, patch});
  TensorList blocks = tower.under("visual.blocks.*.", {depth});
  blocks.add("{norm1,norm2}.weight", Component::vision, {{hidden}, {two}});
  add_linear(blocks, "attn.qkv", {three, hidden}, {hidden});
  blocks.add("attn.{q_norm,k_norm}.weight", Component::vision, {{head_dim}, {two}});
  add_linear(blocks, "attn.proj", {hidden}, {hidden});
  add_linear(blocks, "mlp.gate_proj", {intermediate}, {hidden});
  add_linear(blocks, "mlp.up_proj", {intermediate}, {hidden});
  add_linear(blocks, "mlp.down_proj", {hidden}, {intermediate});
  tower.add("post_layernorm.weight", Component::vision, {{hidden}});
  add_linear(tower, "downsample", {out}, {hidden, merge, merge});
  tower.add("merger.proj.weight", Component::vision, {{out}, {out}});
  add_norm(vision, tower, "merger.post_projection_norm", {out});
  tower.add("merger.gate_proj.weight", Component::vision, {{projection}, {out}});
  tower.add("merger.up_proj.weight", Component::vision, {{projection}, {out}});
  tower.add("merger.down_proj.weight", Component::vision, {{out}, {projection}});
  return {};
}

namespace {

// The object that says how patches merge: published files of MiniMax-M3 nest what the class of
// transformers reads flat.
base::Result<ConfigReader> merging_of(ConfigReader& vision) {
  constexpr std::string_view kNested = "img_token_compression_config";
  if (vision.find(kNested) != nullptr) return vision.nested(kNested);
  return vision;
}

// Blocks of CLIP's form with rotary positions: q, k, v, output and two matrices, all with biases.
void add_clip_blocks(ConfigReader& vision, TensorList& blocks, const Extent& width,
                     const Extent& intermediate) {
  const Extent four =
      vision.derived("q, k, v and output", 4, "four square matrices", {width.figure});
  blocks.add("self_attn.{q,k,v,out}_proj.weight", Component::vision, {{four, width}, {width}});
  blocks.add("self_attn.{q,k,v,out}_proj.bias", Component::vision, {{four, width}});
  add_linear(blocks, "mlp.fc1", {intermediate}, {width});
  add_linear(blocks, "mlp.fc2", {width}, {intermediate});
  add_norm(vision, blocks, "layer_norm1", {width});
  add_norm(vision, blocks, "layer_norm2", {width});
}

}  // namespace

base::Result<void> add_minimax_vision(ConfigReader& outer, ConfigReader& vision,
                                      model::Inventory& inventory, const Extent& text) {
  const std::string class_name = "MiniMaxM3VLVisionConfig (transformers)";
  vision.class_default("num_channels", 3, class_name);
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent depth, vision.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent channels, vision.count("num_channels"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(ConfigReader merging, merging_of(vision));
  merging.class_default("temporal_patch_size", 2, class_name);
  merging.class_default("spatial_merge_size", 2, class_name);
  ULLAGE_TRY(const Extent frames, merging.count("temporal_patch_size"));
  ULLAGE_TRY(const Extent merge, merging.count("spatial_merge_size"));
  ULLAGE_TRY(const auto stated, outer.optional_count("projector_hidden_size"));
  const Extent middle = stated ? *stated : text;
  ULLAGE_TRY(const bool bias, outer.flag("multimodal_projector_bias", true));
  for (const char* key :
       {"num_attention_heads", "projection_dim", "image_size", "vision_segment_max_frames"})
    vision.find(key);  // add no tensor: heads divide the width, positions are rotary
  for (const char* key : {"img_token_compression_config", "vision_feature_layer"})
    outer.find(key);  // the tower's own again; which layer is read
  TensorList tower(inventory, "vision_tower.", {}, Component::vision);
  add_linear(tower, "patch_embedding", {width}, {channels, frames, patch, patch}, false);
  add_norm(vision, tower, "pre_layrnorm", {width});
  TensorList blocks = tower.under("vision_tower.layers.*.", {depth});
  add_clip_blocks(vision, blocks, width, intermediate);
  add_linear(tower, "multi_modal_projector.linear_1", {middle}, {width}, bias);
  add_linear(tower, "multi_modal_projector.linear_2", {text}, {middle}, bias);
  add_linear(tower, "patch_merge_mlp.linear_1", {middle}, {text, merge, merge}, bias);
  add_linear(tower, "patch_merge_mlp.linear_2", {text}, {middle}, bias);
  return {};
}

namespace {

// ⌊hidden_size × mlp_ratio⌋. Files print the ratio cut to a number of digits: a product within a
// millionth of a whole number is that number, as it is in the class's binary fractions.
base::Result<Extent> read_step_width(ConfigReader& vision, const Extent& width) {
  const document::Value* ratio = vision.find("mlp_ratio");
  if (ratio == nullptr) {
    const Extent numerator =
        vision.assumed("mlp_ratio × 1536", 8960, "default of Step3p7VisionConfig (transformers)");
    return vision.derived("intermediate_size",
                          (width.value * numerator.value / exact::Rational(1536)).floor(),
                          "⌊" + width.name + " × 8960 ÷ 1536⌋", {width.figure, numerator.figure});
  }
  const auto factor = exact::Rational::parse(ratio->text);
  const exact::Rational largest = 1'000;
  if (ratio->type != document::Type::number || !factor || *factor <= exact::Rational(0) ||
      *factor > largest) {
    return vision.fault(base::Code::out_of_range, "mlp_ratio",
                        "mlp_ratio is no number above 0 and up to 1000");
  }
  const exact::Rational product = width.value * *factor;
  const exact::Rational nearly =
      (product + exact::Rational(1) / exact::Rational(1'000'000)).floor();
  return vision.derived("intermediate_size", nearly, "⌊" + width.name + " × mlp_ratio⌋",
                        {width.figure});
}

}  // namespace

base::Result<void> add_step_vision(ConfigReader& outer, ConfigReader& vision,
                                   model::Inventory& inventory, const Extent& text) {
  const std::string class_name = "Step3p7VisionConfig (transformers)";
  vision.spell("hidden_size", {"width"});
  vision.spell("num_hidden_layers", {"layers"});
  vision.class_default("hidden_size", 1536, class_name);
  vision.class_default("num_hidden_layers", 47, class_name);
  vision.class_default("num_channels", 3, class_name);
  vision.class_default("patch_size", 14, class_name);
  vision.class_default("image_size", 728, class_name);
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent depth, vision.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent channels, vision.count("num_channels"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent image, vision.count("image_size"));
  ULLAGE_TRY(const Extent intermediate, read_step_width(vision, width));
  ULLAGE_TRY(const bool bias, outer.flag("projector_bias", false));
  const Extent two =
      vision.derived("twice", 2, "each convolution doubles the channels", {width.figure});
  const Extent three = vision.derived("kernel", 3, "3 × 3 convolutions", {width.figure});
  const exact::Rational side = (image.value / patch.value).floor();
  const Extent positions = vision.derived("positions", side * side, "⌊image_size ÷ patch_size⌋²",
                                          {image.figure, patch.figure});
  for (const char* key : {"heads", "num_attention_heads", "intermediate_size"})
    vision.find(key);  // heads divide the width; the class computes the width of the MLP
  TensorList tower(inventory, "vision_model.", {}, Component::vision);
  add_linear(tower, "patch_embedding", {width}, {channels, patch, patch}, false);
  tower.add("position_embedding.weight", Component::vision, {{positions}, {width}});
  add_norm(vision, tower, "pre_layernorm", {width});
  TensorList blocks = tower.under("vision_model.layers.*.", {depth});
  add_clip_blocks(vision, blocks, width, intermediate);
  blocks.add("lambda_{1,2}", Component::vision, {{two}, {width}});
  add_linear(tower, "downsampler1", {two, width}, {width, three, three});
  add_linear(tower, "downsampler2", {two, two, width}, {two, width, three, three});
  add_linear(tower, "multi_modal_projector", {text}, {two, two, width}, bias);
  return {};
}

}  // namespace ullage::import
