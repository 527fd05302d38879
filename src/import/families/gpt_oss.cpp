// gpt-oss: grouped-query attention with biases and sinks, alternating windows, experts with biases.
// Its checkpoints keep the experts' matrices in MXFP4 and all else in BF16. Tensors as transformers
// defines them in models/gpt_oss.
#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

namespace {

base::Result<void> add_caches(ConfigReader& config, Inventory& inventory, const Extent& layers,
                              const AttentionShape& attention) {
  ULLAGE_TRY(const Extent window, config.count("sliding_window"));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  std::vector<std::int64_t> windowed;
  if (config.find("layer_types") == nullptr) {
    // the class's rule: every other layer, from the first on
    windowed = layers_where(total, [](std::int64_t layer) { return layer % 2 == 0; });
  } else {
    ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
    for (std::int64_t i = 0; i < total; ++i) {
      const std::string& word = words[static_cast<std::size_t>(i)];
      if (word != "sliding_attention" && word != "full_attention") {
        return unknown_layer(config, "layer_types", word, "sliding_attention, full_attention");
      }
    }
    windowed = layers_called(words, total, "sliding_attention");
  }
  const auto full = layers_of_kind(config, layers, "layers with full attention",
                                   other_layers(total, windowed), "layer_types");
  const auto sliding =
      layers_of_kind(config, layers, "layers with a window", windowed, "layer_types");
  if (full) add_attention_cache(inventory, *full, attention);
  if (sliding) add_attention_cache(inventory, *sliding, attention, window);
  return {};
}

void add_experts_with_bias(TensorList& layers, const Extent& hidden, const ExpertShape& shape) {
  const auto expert = [&](const char* name, std::vector<model::Axis> axes, Split split,
                          const char* kept) {
    layers.add_routed(name, std::move(axes), split, shape.experts, shape.chosen).kept = kept;
  };
  expert("mlp.experts.gate_proj", {{shape.intermediate}, {hidden}}, Split::columns, "");
  expert("mlp.experts.up_proj", {{shape.intermediate}, {hidden}}, Split::columns, "");
  expert("mlp.experts.down_proj", {{hidden}, {shape.intermediate}}, Split::rows, "");
  expert("mlp.experts.gate_proj_bias", {{shape.intermediate}}, Split::columns, "bf16");
  expert("mlp.experts.up_proj_bias", {{shape.intermediate}}, Split::columns, "bf16");
  expert("mlp.experts.down_proj_bias", {{hidden}}, Split::replicated, "bf16");
}

}  // namespace

base::Result<Inventory> read_gpt_oss(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(attention.input_bias, config.flag("attention_bias", true));
  attention.output_bias = attention.input_bias;
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_local_experts", "intermediate_size"));
  config.find("experts_per_token");  // num_experts_per_tok under its first name
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  ULLAGE_CHECK(add_caches(config, inventory, decoder.layers, attention));
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  layers.add("self_attn.sinks", Component::attention, {{attention.heads}}, Split::columns);
  layers.add("mlp.router.weight", Component::router, {{experts.experts}, {decoder.hidden}});
  layers.add("mlp.router.bias", Component::router, {{experts.experts}});
  add_decoder_norms(config, inventory, decoder);
  for (model::TensorGroup& group : inventory.tensors)
    group.kept = "bf16";
  add_experts_with_bias(layers, decoder.hidden, experts);
  inventory.formats_known = true;
  return inventory;
}

}  // namespace ullage::import
