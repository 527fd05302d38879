// ChatGLM2, ChatGLM3 and GLM-4-9B in the publisher's own form: grouped KV heads under
// multi_query_group_num, a padded vocabulary, biases on q, k and v only. Tensors as the
// publisher's modeling_chatglm.py defines them.
#include "import/dense.hpp"
#include "import/families/families.hpp"

namespace ullage::import {

using model::Extent;
using model::Inventory;

base::Result<Inventory> read_chatglm(ConfigReader& config) {
  spell_like_gpt2(config);
  config.spell("head_dim", {"kv_channels"});
  // The table has the padded number of rows; vocab_size, where stated, is what the tokenizer uses.
  ULLAGE_TRY(const auto padded, config.optional_count("padded_vocab_size"));
  config.spell("vocab_size", {"padded_vocab_size"});
  ULLAGE_TRY(const bool grouped, config.flag("multi_query_attention", false));
  if (grouped) config.spell("num_key_value_heads", {"multi_query_group_num"});
  config.find("multi_query_group_num");
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "ChatGLMConfig"}));
  if (padded) shape.decoder.vocabulary = *padded;
  ULLAGE_TRY(const bool query_bias, config.flag("add_qkv_bias", false));
  ULLAGE_TRY(const bool every_bias, config.flag("add_bias_linear", true));
  ULLAGE_TRY(const bool rms, config.flag("rmsnorm", true));
  shape.attention.input_bias = query_bias || every_bias;
  shape.attention.output_bias = every_bias;
  shape.mlp_bias = every_bias;
  shape.norm_bias = !rms;
  return list_dense(config, shape);
}

}  // namespace ullage::import
