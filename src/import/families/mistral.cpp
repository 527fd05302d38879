// Mistral (dense) and Mixtral (mixture of experts): no biases, no q/k norms; the sliding window of
// some revisions changes the cache and no weight. Tensors as transformers defines them in
// models/mistral/modeling_mistral.py and models/mixtral; params.json is the publisher's own schema.
#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {

using model::Inventory;

base::Result<Inventory> read_mistral(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const model::Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const WindowLayers windows, read_window_layers(config, decoder.layers, 0));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_window_caches(inventory, windows, attention);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, false);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_mixtral(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(ExpertShape experts,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  ULLAGE_TRY(const WindowLayers windows, read_window_layers(config, decoder.layers, 0));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_window_caches(inventory, windows, attention);
  add_experts(inventory, decoder.layers, decoder.hidden, experts);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_mistral_native(ConfigReader& config) {
  if (config.find("vision_encoder") != nullptr) {
    return config.fault(base::Code::unsupported_architecture, "vision_encoder",
                        "a vision encoder in params.json is not counted",
                        "the config.json of the same repository is");
  }
  for (const char* key : {"kv_lora_rank", "q_lora_rank"}) {
    if (config.find(key) == nullptr) continue;
    return config.fault(base::Code::unsupported_architecture, key,
                        "latent attention in params.json is not counted",
                        "the config.json of the same repository is");
  }
  config.spell("hidden_size", {"dim"});
  config.spell("num_hidden_layers", {"n_layers"});
  config.spell("num_attention_heads", {"n_heads"});
  config.spell("num_key_value_heads", {"n_kv_heads"});
  config.spell("intermediate_size", {"hidden_dim"});
  config.spell("tie_word_embeddings", {"tied_embeddings"});
  if (config.find("moe") == nullptr) return read_mistral(config);
  ULLAGE_TRY(ConfigReader mixture, config.nested("moe"));
  for (const char* key : {"expert_hidden_dim", "first_k_dense_replace", "num_shared_experts"}) {
    if (mixture.find(key) == nullptr) continue;
    return mixture.fault(base::Code::unsupported_architecture, key,
                         "a mixture with " + std::string(key) + " is not counted in params.json",
                         "counted: num_experts, num_experts_per_tok");
  }
  ULLAGE_TRY(Inventory inventory, read_mistral(config));
  std::erase_if(inventory.tensors, [](const model::TensorGroup& group) {
    return group.component == model::Component::mlp;
  });
  ULLAGE_TRY(const model::Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(const model::Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(model::Extent width, config.count("intermediate_size"));
  ULLAGE_TRY(model::Extent experts, mixture.count("num_experts"));
  ULLAGE_TRY(model::Extent chosen, mixture.count("num_experts_per_tok"));
  if (chosen.value > experts.value) {
    return mixture.fault(base::Code::out_of_range, "num_experts_per_tok",
                         "a token passes more experts than there are");
  }
  add_experts(inventory, layers, hidden, {std::move(experts), std::move(chosen), std::move(width)});
  return inventory;
}

}  // namespace ullage::import
