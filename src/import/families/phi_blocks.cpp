// Phi-3-small and Phi-3.5-MoE: layer norms and biases where Phi-3 has neither. Tensors as the
// publisher's modeling_phi3_small.py and transformers' models/phimoe define them.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {

using model::Inventory;

// Block-sparse attention in every second layer reads less and keeps all.
base::Result<Inventory> read_phi3small(ConfigReader& config) {
  config.spell("intermediate_size", {"ff_intermediate_size"});
  ULLAGE_TRY(DenseShape shape,
             read_dense_shape(config, {true, "Phi3SmallConfig (publisher's code)"}));
  shape.attention.input_bias = true;
  shape.attention.output_bias = true;
  shape.mlp_bias = true;
  shape.norm_bias = true;
  return list_dense(config, shape);
}

base::Result<Inventory> read_phimoe(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "PhimoeConfig (transformers)"}));
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  ULLAGE_TRY(shape.head_bias, config.flag("lm_head_bias", false));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  shape.norm_bias = true;
  shape.lists_mlp = false;
  ULLAGE_TRY(Inventory inventory, list_windowed(config, shape, 0));
  add_experts(inventory, shape.decoder.layers, shape.decoder.hidden, experts);
  return inventory;
}

}  // namespace ullage::import
