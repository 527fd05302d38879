// Falcon in its three forms: one KV head (7B), grouped heads with two norms (40B, 180B), and as
// many KV heads as heads (RW). The head is tied and the checkpoints store it again. Tensors as
// transformers defines them in models/falcon; RefinedWeb and RefinedWebModel are its first names.
#include "import/dense.hpp"
#include "import/families/families.hpp"

namespace ullage::import {

using model::Extent;
using model::Inventory;

base::Result<Inventory> read_falcon(ConfigReader& config) {
  spell_like_gpt2(config);
  // The first configurations have no switch: they state n_head_kv or multi_query.
  const bool grouped_by_key = config.find("n_head_kv") != nullptr;
  ULLAGE_TRY(const bool grouped, config.flag("new_decoder_architecture", grouped_by_key));
  ULLAGE_TRY(const bool multi_query, config.flag("multi_query", true));
  ULLAGE_TRY(const bool parallel, config.flag("parallel_attn", true));
  ULLAGE_TRY(const bool bias, config.flag("bias", false));
  ULLAGE_TRY(DenseShape shape,
             read_widened_shape(config, {true, "FalconConfig (transformers)"}, 4));
  ULLAGE_TRY(const auto norms, config.optional_number("num_ln_in_parallel_attn"));
  AttentionShape& attention = shape.attention;
  if (!grouped) {
    attention.kv_heads =
        config.derived("KV heads", multi_query ? exact::Rational(1) : attention.heads.value,
                       multi_query ? "multi_query: one for all heads" : "one for each head",
                       {attention.heads.figure});
  }
  attention.input_bias = bias;
  attention.output_bias = bias;
  shape.mlp_bias = bias;
  shape.gated = false;
  shape.norm_bias = true;
  if (parallel) shape.layer_norms = norms.value_or(grouped ? 2 : 1) == 2 ? 2 : 1;
  Inventory inventory = list_dense(config, shape);
  if (!shape.decoder.tied_head) return inventory;
  TensorList whole(inventory, "", {});
  auto& copy =
      whole.add("lm_head.weight", model::Component::head,
                {{shape.decoder.vocabulary}, {shape.decoder.hidden}}, model::Split::vocabulary);
  copy.counted = false;
  return inventory;
}

}  // namespace ullage::import
