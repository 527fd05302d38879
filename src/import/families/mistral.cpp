// Mistral (dense) and Mixtral (mixture of experts): no biases, no q/k norms; the sliding window of
// some revisions changes the cache and no weight. Tensors as transformers defines them in
// models/mistral/modeling_mistral.py and models/mixtral.
#include "import/blocks.hpp"
#include "import/families/families.hpp"

namespace ullage::import {

using model::Inventory;

base::Result<Inventory> read_mistral(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const model::Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const auto window, config.optional_count("sliding_window"));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention, window);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, false);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_mixtral(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(ExpertShape experts,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  ULLAGE_TRY(const auto window, config.optional_count("sliding_window"));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention, window);
  add_experts(inventory, decoder.layers, decoder.hidden, experts);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace ullage::import
