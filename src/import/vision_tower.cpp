// Tensors as transformers defines them in models/qwen3_vl and models/qwen3_5, and as Kimi-K2.5's
// modeling_kimi_k25.py does.
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Split;

// Far above any tower; published ones merge 2 × 2 patches.
constexpr std::int64_t kLargestMerge = 1'000;

void add_linear(TensorList& list, const std::string& name, const Axis& out, const Axis& in) {
  list.add(name + ".weight", Component::vision, {out, in});
  list.add(name + ".bias", Component::vision, {out});
}

void add_norm(ConfigReader& vision, TensorList& list, const std::string& name, const Axis& width) {
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

base::Result<void> add_moon_vision(ConfigReader& vision, model::Inventory& inventory) {
  ULLAGE_TRY(const Extent depth, vision.count("vt_num_hidden_layers"));
  ULLAGE_TRY(const Extent hidden, vision.count("vt_hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("vt_intermediate_size"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent height, vision.count("init_pos_emb_height"));
  ULLAGE_TRY(const Extent width, vision.count("init_pos_emb_width"));
  ULLAGE_TRY(const Extent projected, vision.count("mm_hidden_size"));
  ULLAGE_TRY(const Extent text, vision.count("text_hidden_size"));
  ULLAGE_TRY(const std::vector<std::int64_t> kernel, vision.numbers("merge_kernel_size"));
  vision.find("vt_num_attention_heads");  // divides vt_hidden_size and adds no tensor
  const auto sensible = [](std::int64_t side) { return side >= 1 && side <= kLargestMerge; };
  if (kernel.size() != 2 || !sensible(kernel[0]) || !sensible(kernel[1])) {
    return vision.fault(
        base::Code::out_of_range, "merge_kernel_size",
        "merge_kernel_size is not two numbers from 1 to " + std::to_string(kLargestMerge),
        "rows and columns of patches that merge");
  }
  const Extent patches =
      vision.counted("patches merged", kernel[0] * kernel[1], "merge_kernel_size");
  const Extent colours = vision.assumed("image channels", 3, "RGB images");
  TensorList tower(inventory, "visual.", {}, Component::vision);
  add_linear(tower, "patch_embed.proj", {hidden}, {colours, patch, patch});
  tower.add("patch_embed.pos_emb.weight", Component::vision, {{height}, {width}, {hidden}});
  add_blocks(vision, inventory, depth, hidden, intermediate);
  add_norm(vision, tower, "final_layernorm", {hidden});
  const Axis merged{patches, projected};
  add_norm(vision, tower, "mm_projector.pre_norm", {projected});
  add_linear(tower, "mm_projector.proj.0", merged, merged);
  add_linear(tower, "mm_projector.proj.2", {text}, merged);
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

}  // namespace ullage::import
