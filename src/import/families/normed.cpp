// Decoders that differ by their norms: OLMo (none that is stored), OLMo 2 and 3 (after attention
// and MLP, q and k over all heads), EXAONE 4 (q and k per head), Cohere (one layer norm a layer)
// and GLM-4 0414 (four). Tensors as transformers defines them in models/olmo, olmo2, olmo3,
// exaone4, cohere, cohere2 and glm4.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Inventory;

base::Result<DenseShape> read_biased(ConfigReader& config, const HeadDefault& head,
                                     bool output_too) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, head));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias && output_too;
  return shape;
}

}  // namespace

// The norms of OLMo have no weights; a token's channels are only centred and scaled.
base::Result<Inventory> read_olmo(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape,
             read_biased(config, {false, "OlmoConfig (transformers)"}, true));
  Inventory inventory = list_dense(config, shape);
  std::erase_if(inventory.tensors, [](const model::TensorGroup& group) {
    return group.component == model::Component::norms;
  });
  return inventory;
}

base::Result<Inventory> read_olmo2(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {false, "Olmo2Config (transformers)"}, true));
  shape.wide_norms = true;
  return list_dense(config, shape);
}

// OLMoE puts its norms before attention and experts, and norms q and k over all heads.
base::Result<Inventory> read_olmoe(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {false, "OlmoeConfig (transformers)"}, true));
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_experts", "intermediate_size"));
  shape.wide_norms = true;
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  add_experts(inventory, shape.decoder.layers, shape.decoder.hidden, experts);
  return inventory;
}

base::Result<Inventory> read_olmo3(ConfigReader& config) {
  config.class_default("sliding_window", 4096, "Olmo3Config (transformers)");
  ULLAGE_TRY(DenseShape shape, read_biased(config, {false, "Olmo3Config (transformers)"}, true));
  shape.wide_norms = true;
  return list_windowed(config, shape, 4);
}

base::Result<Inventory> read_exaone4(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "Exaone4Config (transformers)"}));
  shape.attention.head_norms = true;
  return list_windowed(config, shape, 4);
}

base::Result<Inventory> read_cohere(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {true, "CohereConfig (transformers)"}, true));
  shape.layer_norms = 1;
  // A norm of its own for each head: together as wide as q and k.
  ULLAGE_TRY(shape.wide_norms, config.flag("use_qk_norm", false));
  return list_dense(config, shape);
}

base::Result<Inventory> read_cohere2(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {true, "Cohere2Config (transformers)"}, true));
  shape.layer_norms = 1;
  return list_windowed(config, shape, 4);
}

// GLM-4-9B in transformers' own form: Llama's norms, biases on q, k and v.
base::Result<Inventory> read_glm(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape,
             read_biased(config, {false, "GlmConfig (transformers)"}, false));
  return list_dense(config, shape);
}

base::Result<Inventory> read_glm4(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_biased(config, {false, "Glm4Config (transformers)"}, false));
  shape.layer_norms = 4;
  return list_dense(config, shape);
}

}  // namespace ullage::import
