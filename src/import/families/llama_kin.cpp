// Decoders with Llama's layer under other names: SmolLM3, Granite, EXAONE 3, InternLM, Baichuan,
// Orion, MiniCPM, openPangu, Phi-3, Ministral 3, MiMo, ERNIE 4.5, Seed-OSS, AFM and Apertus. What
// differs is the head's default, which biases there are and how the keys are spelt. Tensors as
// transformers defines them in the models of these names, and as the publishers' own modeling files
// do where it has none.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// `biased` names the key that gives biases to the projections of attention.
base::Result<DenseShape> read_biased(ConfigReader& config, const HeadDefault& head,
                                     std::string_view key, bool output_too) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, head));
  ULLAGE_TRY(const bool bias, config.flag(key, false));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias && output_too;
  return shape;
}

// MiMo's prediction layers: a decoder layer behind a projection of hidden state and embedding, five
// norms, table and head shared with the model.
void add_mimo_prediction(ConfigReader& config, Inventory& inventory, const Extent& modules,
                         const DenseShape& shape) {
  const Extent& hidden = shape.decoder.hidden;
  Inventory layer;
  add_attention(layer, modules, hidden, shape.attention);
  add_gated_mlp(layer, modules, hidden, shape.intermediate, shape.mlp_bias);
  for (model::TensorGroup& group : layer.tensors) {
    group.name = "mtp_" + group.name;
    group.component = Component::mtp;
    group.use = model::Use::apart;
    inventory.tensors.push_back(std::move(group));
  }
  const Extent two =
      constant(config, "state and embedding", 2, "what a prediction layer joins", hidden);
  const Extent norms = constant(config, "norms per prediction layer", 5, "by the family", modules);
  TensorList frame(inventory, "mtp_layers.*.", {modules}, Component::mtp);
  frame.add("input_proj.weight", Component::mtp, {{hidden}, {two, hidden}});
  frame.add("{norms}.weight", Component::mtp, {{norms}, {hidden}});
  Inventory caches;
  add_attention_cache(caches, modules, shape.attention);
  inventory.draft_caches = std::move(caches.caches);
}

}  // namespace

base::Result<Inventory> read_smollm3(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape,
             read_biased(config, {true, "SmolLM3Config (transformers)"}, "attention_bias", true));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  config.find("no_rope_layers");  // which layers rotate: no tensor and no cache differs
  config.find("no_rope_layer_interval");
  return list_dense(config, shape);
}

base::Result<Inventory> read_granite(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape,
             read_biased(config, {false, "GraniteConfig (transformers)"}, "attention_bias", true));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  return list_dense(config, shape);
}

base::Result<Inventory> read_granitemoe(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {false, "GraniteMoeConfig (transformers)"},
                                           "attention_bias", true));
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  add_experts(inventory, shape.decoder.layers, shape.decoder.hidden, experts);
  return inventory;
}

base::Result<Inventory> read_exaone(ConfigReader& config) {
  config.spell("num_hidden_layers", {"num_layers"});
  ULLAGE_TRY(const DenseShape shape,
             read_dense_shape(config, {true, "ExaoneConfig (publisher's code)"}));
  return list_dense(config, shape);
}

base::Result<Inventory> read_internlm2(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "InternLM2Config"}));
  ULLAGE_TRY(const bool bias, config.flag("bias", false));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  return list_dense(config, shape);
}

base::Result<Inventory> read_baichuan(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape, read_dense_shape(config, {false, "BaichuanConfig"}));
  return list_dense(config, shape);
}

base::Result<Inventory> read_orion(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "OrionConfig"}));
  shape.norm_bias = true;
  return list_dense(config, shape);
}

base::Result<Inventory> read_minicpm(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {true, "MiniCPMConfig"}));
  ULLAGE_TRY(const auto number, config.optional_number("num_experts"));
  if (number.value_or(0) == 0) return list_dense(config, shape);
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_experts", "intermediate_size"));
  config.note("rounded-total",
              "the form with experts was held against rounded totals of MiniCPM-MoE-8x2B alone: "
              "13.6B without embeddings, 4B active (docs/families.md)");
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  add_experts(inventory, shape.decoder.layers, shape.decoder.hidden, experts);
  return inventory;
}

base::Result<Inventory> read_internlm(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "InternLMConfig"}));
  ULLAGE_TRY(const bool bias, config.flag("bias", true));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  return list_dense(config, shape);
}

base::Result<Inventory> read_ernie4_5(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape,
             read_biased(config, {true, "Ernie4_5Config (transformers)"}, "use_bias", true));
  shape.mlp_bias = shape.attention.input_bias;
  return list_dense(config, shape);
}

base::Result<Inventory> read_seed_oss(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "SeedOssConfig (transformers)"}));
  ULLAGE_TRY(shape.attention.input_bias, config.flag("attention_bias", true));
  ULLAGE_TRY(shape.attention.output_bias, config.flag("attention_out_bias", false));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  return list_dense(config, shape);
}

base::Result<Inventory> read_arcee(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape,
             read_biased(config, {false, "ArceeConfig (transformers)"}, "attention_bias", true));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  shape.gated = false;
  return list_dense(config, shape);
}

// The activation of each layer has two trained numbers.
base::Result<Inventory> read_apertus(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape,
             read_biased(config, {false, "ApertusConfig (transformers)"}, "attention_bias", true));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  ULLAGE_TRY(shape.attention.head_norms, config.flag("qk_norm", true));
  shape.gated = false;
  Inventory inventory = list_dense(config, shape);
  const Extent two = constant(config, "of xIELU", 2, "alpha_p and alpha_n", shape.decoder.layers);
  TensorList(inventory, "layers.*.", {shape.decoder.layers})
      .add("mlp.act_fn.alpha_{p,n}", Component::mlp, {{two}});
  return inventory;
}

base::Result<Inventory> read_pangu_embedded(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape,
             read_biased(config, {false, "PanguEmbeddedConfig"}, "bias", true));
  return list_dense(config, shape);
}

base::Result<Inventory> read_phi3(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape,
             read_dense_shape(config, {false, "Phi3Config (transformers)"}));
  // No published Phi-3 or Phi-4 has a bias; a stated one would be another architecture.
  for (const char* key : {"attention_bias", "mlp_bias", "lm_head_bias"}) {
    ULLAGE_TRY(const bool stated, config.flag(key, false));
    if (!stated) continue;
    return config.fault(base::Code::unsupported_architecture, key,
                        std::string(key) + " is true, which no Phi-3 class of transformers reads");
  }
  return list_windowed(config, shape, 0);
}

base::Result<Inventory> read_ministral3_text(ConfigReader& config, ConfigReader* outer) {
  ULLAGE_TRY(const DenseShape shape,
             read_dense_shape(config, {false, "Ministral3Config (transformers)"}, outer));
  return list_windowed(config, shape, 0);
}

// Qwen2's layer with a switch for its biases, and prediction layers of the same form that have no
// copy of table or head.
base::Result<Inventory> read_mimo(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "MiMoConfig"}));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", true));
  shape.attention.input_bias = bias;
  ULLAGE_TRY(const bool windowed, config.flag("use_sliding_window", false));
  ULLAGE_TRY(auto window, config.optional_count("sliding_window"));
  if (!windowed) window.reset();
  Inventory inventory = list_dense(config, shape, std::move(window));
  ULLAGE_TRY(const auto modules, config.optional_number("num_nextn_predict_layers"));
  if (modules.value_or(0) == 0) return inventory;
  ULLAGE_TRY(const auto count, config.optional_count("num_nextn_predict_layers"));
  add_mimo_prediction(config, inventory, *count, shape);
  return inventory;
}

}  // namespace ullage::import
