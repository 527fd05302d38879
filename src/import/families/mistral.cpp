// Mistral (dense) and Mixtral (mixture of experts): no biases, no q/k norms; the sliding window of
// some revisions changes the cache and no weight. Tensors as transformers defines them in
// models/mistral/modeling_mistral.py and models/mixtral; params.json is the publisher's own schema.
#include "import/encoder_blocks.hpp"
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

namespace {

// The tower of params.json: Pixtral's, a norm and a matrix that merges patches where the file has
// them, and an adapter of two matrices.
base::Result<void> add_native_vision(ConfigReader& config, Inventory& inventory) {
  if (config.find("vision_encoder") == nullptr) return {};
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_encoder"));
  ULLAGE_TRY(const model::Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(const model::Extent width, add_pixtral(vision, inventory));
  ULLAGE_TRY(const auto projector, vision.optional_text("mm_projector_id"));
  ULLAGE_TRY(const bool normed, vision.flag("add_pre_mm_projector_layer_norm", false));
  ULLAGE_TRY(const bool bias, vision.flag("adapter_bias", true));
  vision.find("image_size");  // positions are rotary
  TensorList list(inventory, "", {}, model::Component::vision);
  if (normed) add_norm(list, "pre_mm_projector_norm", {width}, false);
  if (projector && *projector == "patch_merge") {
    vision.class_default("spatial_merge_size", 2, "mistral-inference");
    ULLAGE_TRY(const model::Extent merge, vision.count("spatial_merge_size"));
    add_linear(list, "patch_merger.merging_layer", model::Component::vision, {width},
               {width, merge, merge}, false);
  } else if (projector && !projector->empty()) {
    return vision.fault(base::Code::unsupported_architecture, "mm_projector_id",
                        "mm_projector_id " + base::printable(*projector) + " is not counted",
                        "counted: patch_merge");
  }
  add_linear(list, "vision_language_adapter.w_in", model::Component::vision, {hidden}, {width},
             bias);
  add_linear(list, "vision_language_adapter.w_out", model::Component::vision, {hidden}, {hidden},
             bias);
  return {};
}

// Latent attention before a mixture, as Mistral Large 3 has it.
base::Result<Inventory> read_native_latent(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader experts, config.nested("moe"));
  experts.spell("n_routed_experts", {"num_experts"});
  experts.spell("n_shared_experts", {"num_shared_experts"});
  experts.spell("moe_intermediate_size", {"expert_hidden_dim"});
  for (const char* key : {"num_expert_groups", "num_expert_groups_per_tok", "expert_parallel",
                          "expert_model_parallel"})
    experts.find(key);  // how experts are chosen and placed
  ULLAGE_TRY(const auto every, experts.optional_number("route_every_n"));
  if (every.value_or(1) != 1) {
    return experts.fault(base::Code::unsupported_architecture, "route_every_n",
                         "experts in some layers only are not counted in params.json",
                         "published files route in every layer behind first_k_dense_replace");
  }
  return read_latent_mixture_in(config, experts);
}

// Experts as wide as hidden_dim in every layer, as the first Mixtral has them.
base::Result<Inventory> read_native_mixture(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader mixture, config.nested("moe"));
  for (const char* key : {"expert_hidden_dim", "first_k_dense_replace", "num_shared_experts"}) {
    if (mixture.find(key) == nullptr) continue;
    return mixture.fault(base::Code::unsupported_architecture, key,
                         "a mixture with " + std::string(key) +
                             " is counted in params.json behind latent attention only",
                         "counted here: num_experts, num_experts_per_tok");
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

}  // namespace

base::Result<Inventory> read_mistral_native(ConfigReader& config) {
  config.spell("hidden_size", {"dim"});
  config.spell("num_hidden_layers", {"n_layers"});
  config.spell("num_attention_heads", {"n_heads"});
  config.spell("num_key_value_heads", {"n_kv_heads"});
  config.spell("intermediate_size", {"hidden_dim"});
  config.spell("tie_word_embeddings", {"tied_embeddings"});
  const bool latent = config.find("kv_lora_rank") != nullptr;
  ULLAGE_TRY(Inventory inventory, latent                          ? read_native_latent(config)
                                  : config.find("moe") == nullptr ? read_mistral(config)
                                                                  : read_native_mixture(config));
  ULLAGE_CHECK(add_native_vision(config, inventory));
  return inventory;
}

}  // namespace ullage::import
