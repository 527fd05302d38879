// DBRX: grouped heads and a mixture under nested attn_config and ffn_config, layer norms without a
// bias. Tensors as transformers defines them in models/dbrx.
#include "import/dense.hpp"
#include "import/families/families.hpp"

namespace ullage::import {

using model::Extent;
using model::Inventory;

base::Result<Inventory> read_dbrx(ConfigReader& config) {
  spell_like_gpt2(config);
  ULLAGE_TRY(ConfigReader attention, config.nested("attn_config"));
  ULLAGE_TRY(ConfigReader mixture, config.nested("ffn_config"));
  mixture.spell("num_experts_per_tok", {"moe_top_k"});
  ULLAGE_TRY(DenseShape shape, read_widened_shape(config, {false, "DbrxConfig (transformers)"}, 4));
  ULLAGE_TRY(shape.attention.kv_heads, attention.count("kv_n_heads"));
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(mixture, "moe_num_experts", "ffn_hidden_size"));
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  add_experts(inventory, shape.decoder.layers, shape.decoder.hidden, experts);
  return inventory;
}

}  // namespace ullage::import
