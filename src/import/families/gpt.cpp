// Decoders in the line of GPT-2: layer norms with a bias, two matrices in the MLP, learned, ALiBi
// or rotary positions. GPT-2, GPT-J, GPT-Neo, GPT-NeoX and its reward model, BigCode, BLOOM, OPT,
// MPT, StarCoder2, StableLM and Phi. Tensors as transformers defines them in the models of these
// names.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

// GPT-2's layer: biases everywhere unless the family says otherwise.
base::Result<DenseShape> read_gpt_shape(ConfigReader& config, const HeadDefault& head) {
  spell_like_gpt2(config);
  ULLAGE_TRY(DenseShape shape, read_widened_shape(config, head, 4));
  shape.gated = false;
  shape.attention.input_bias = true;
  shape.attention.output_bias = true;
  shape.mlp_bias = true;
  shape.norm_bias = true;
  return shape;
}

// One key and value for all heads.
void use_one_kv_head(ConfigReader& config, DenseShape& shape) {
  shape.attention.kv_heads = config.derived("KV heads", 1, "multi_query: one for all heads",
                                            {shape.attention.heads.figure});
}

// A table narrower than the layers, and the projections between them (OPT-350M).
void narrow_table(Inventory& inventory, const DecoderShape& decoder, const Extent& width) {
  for (model::TensorGroup& group : inventory.tensors) {
    if (group.name == "embed_tokens.weight" || group.name == "lm_head.weight")
      group.shape = {{decoder.vocabulary}, {width}};
  }
  TensorList whole(inventory, "", {});
  whole.add("project_in.weight", Component::embedding, {{decoder.hidden}, {width}});
  whole.add("project_out.weight", Component::head, {{width}, {decoder.hidden}});
}

base::Result<DenseShape> read_neox_shape(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {false, "GPTNeoXConfig (transformers)"}));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", true));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  return shape;
}

}  // namespace

base::Result<Inventory> read_gpt2(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "GPT2Config (transformers)"}));
  ULLAGE_TRY(shape.positions, config.count("max_position_embeddings"));
  return list_dense(config, shape);
}

base::Result<Inventory> read_gpt_bigcode(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "GPTBigCodeConfig (transformers)"}));
  ULLAGE_TRY(shape.positions, config.count("max_position_embeddings"));
  ULLAGE_TRY(const bool multi_query, config.flag("multi_query", true));
  if (multi_query) use_one_kv_head(config, shape);
  return list_dense(config, shape);
}

base::Result<Inventory> read_gptj(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {false, "GPTJConfig (transformers)"}));
  shape.attention.input_bias = false;
  shape.attention.output_bias = false;
  shape.layer_norms = 1;
  shape.head_bias = true;
  return list_dense(config, shape);
}

// Every second layer attends to the last 256 tokens only, but transformers keeps all of them.
base::Result<Inventory> read_gpt_neo(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "GPTNeoConfig (transformers)"}));
  ULLAGE_TRY(shape.positions, config.count("max_position_embeddings"));
  shape.attention.input_bias = false;
  return list_dense(config, shape);
}

base::Result<Inventory> read_gpt_neox(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape, read_neox_shape(config));
  return list_dense(config, shape);
}

// One score a sequence in place of the head.
base::Result<Inventory> read_gpt_neox_reward_model(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_neox_shape(config));
  shape.decoder.tied_head = true;  // there is no head
  Inventory inventory = list_dense(config, shape);
  inventory.tensors.front().use = model::Use::look_up;
  const Extent score = constant(config, "score", 1, "one number a sequence", shape.decoder.hidden);
  TensorList whole(inventory, "", {});
  add_linear(whole, "out_proj", Component::head, {score}, {shape.decoder.hidden}, true);
  return inventory;
}

base::Result<Inventory> read_bloom(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape, read_gpt_shape(config, {true, "BloomConfig (transformers)"}));
  Inventory inventory = list_dense(config, shape);
  TensorList whole(inventory, "", {});
  add_norm(whole, "word_embeddings_layernorm", {shape.decoder.hidden}, true);
  return inventory;
}

base::Result<Inventory> read_opt(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "OPTConfig (transformers)"}));
  ULLAGE_TRY(const Extent positions, config.count("max_position_embeddings"));
  shape.positions =
      config.derived("positions", positions.value + exact::Rational(2),
                     "max_position_embeddings + 2 rows that OPT leaves unused", {positions.figure});
  ULLAGE_TRY(const auto narrow, config.optional_count("word_embed_proj_dim"));
  ULLAGE_TRY(const bool normed_first, config.flag("do_layer_norm_before", true));
  Inventory inventory = list_dense(config, shape);
  // Norms behind attention and MLP leave none for the end.
  if (!normed_first) {
    std::erase_if(inventory.tensors,
                  [](const model::TensorGroup& group) { return group.name.starts_with("norm."); });
  }
  if (!narrow || narrow->value == shape.decoder.hidden.value) return inventory;
  narrow_table(inventory, shape.decoder, *narrow);
  return inventory;
}

base::Result<Inventory> read_mpt(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "MptConfig (transformers)"}));
  ULLAGE_TRY(const bool no_bias, config.flag("no_bias", true));
  shape.attention.input_bias = !no_bias;
  shape.attention.output_bias = !no_bias;
  shape.mlp_bias = !no_bias;
  shape.norm_bias = !no_bias;
  ULLAGE_TRY(const auto ratio, config.optional_count("expansion_ratio"));
  if (ratio) {
    const Extent& hidden = shape.decoder.hidden;
    shape.intermediate =
        config.derived("intermediate_size", hidden.value * ratio->value,
                       "d_model × expansion_ratio", {hidden.figure, ratio->figure});
  }
  if (config.find("attn_config") == nullptr) return list_dense(config, shape);
  ULLAGE_TRY(ConfigReader attention, config.nested("attn_config"));
  ULLAGE_TRY(const auto type, attention.optional_text("attn_type"));
  if (type && *type == "multiquery_attention") use_one_kv_head(config, shape);
  ULLAGE_TRY(const auto kv_heads, attention.optional_count("kv_n_heads"));
  if (kv_heads) shape.attention.kv_heads = *kv_heads;
  ULLAGE_TRY(const bool normed, attention.flag("qk_ln", false));
  if (normed) {
    return attention.fault(base::Code::unsupported_architecture, "qk_ln",
                           "norms on q and k are not counted in MPT");
  }
  return list_dense(config, shape);
}

base::Result<Inventory> read_starcoder2(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {true, "Starcoder2Config (transformers)"}));
  ULLAGE_TRY(const bool bias, config.flag("use_bias", true));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  shape.mlp_bias = bias;
  return list_windowed(config, shape, 0);
}

base::Result<Inventory> read_stablelm(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "StableLmConfig (transformers)"}));
  shape.norm_bias = true;
  ULLAGE_TRY(shape.attention.input_bias, config.flag("use_qkv_bias", false));
  // A norm of its own for each head: together as wide as q and k.
  ULLAGE_TRY(shape.wide_norms, config.flag("qk_layernorm", false));
  ULLAGE_TRY(const bool parallel, config.flag("use_parallel_residual", false));
  if (parallel) shape.layer_norms = 1;
  return list_dense(config, shape);
}

// Phi-1, 1.5 and 2, also in their first form (model_type mixformer-sequential).
base::Result<Inventory> read_phi(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_gpt_shape(config, {false, "PhiConfig (transformers)"}));
  shape.layer_norms = 1;
  shape.head_bias = true;
  ULLAGE_TRY(const bool normed, config.flag("qk_layernorm", false));
  if (normed) {
    return config.fault(base::Code::unsupported_architecture, "qk_layernorm",
                        "norms on q and k are not counted in Phi");
  }
  return list_dense(config, shape);
}

}  // namespace ullage::import
