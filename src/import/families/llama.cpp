// Llama and the plain decoders with its tensors: grouped-query attention, a gated MLP, two RMS
// norms. Tensors as transformers defines them in models/llama/modeling_llama.py.
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/families/llama_eagle3.hpp"

namespace ullage::import {

using model::Inventory;

base::Result<Inventory> read_llama(ConfigReader& config) {
  ULLAGE_TRY(const std::vector<std::string> classes, config.texts("architectures"));
  const bool eagle3 = !classes.empty() && classes.front().find("Eagle3") != std::string::npos;
  if (eagle3) return read_llama_eagle3(config);
  spell_like_gpt2(config);  // the reduced schema that some tools keep
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const model::Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool attention_bias, config.flag("attention_bias", false));
  ULLAGE_TRY(const bool mlp_bias, config.flag("mlp_bias", false));
  attention.input_bias = attention_bias;
  attention.output_bias = attention_bias;
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, mlp_bias);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace ullage::import
