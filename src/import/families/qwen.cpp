// Qwen2, Qwen2.5 and Qwen3 with their mixture forms. Qwen2 has biases on q, k and v; Qwen3 has none
// unless the config says so, but norms q and k per head and states head_dim apart from hidden ÷
// heads. Tensors as transformers defines them in models/qwen2, qwen2_moe, qwen3 and qwen3_moe.
#include <algorithm>

#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"

namespace ullage::import {
namespace {

using model::Extent;
using model::Inventory;

// Which layers hold experts: every decoder_sparse_step-th that mlp_only_layers does not name.
struct SparseLayers {
  std::optional<Extent> sparse;
  std::optional<Extent> dense;
};

base::Result<SparseLayers> read_sparse_layers(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const auto step, config.optional_number("decoder_sparse_step"));
  ULLAGE_TRY(const std::vector<std::int64_t> dense_layers, config.numbers("mlp_only_layers"));
  const std::int64_t every = step.value_or(1);
  if (every == 0) {
    return config.fault(base::Code::out_of_range, "decoder_sparse_step", "decoder_sparse_step is 0",
                        "1 puts experts into every layer");
  }
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  const auto sparse = layers_where(total, [&](std::int64_t layer) {
    const bool named =
        std::find(dense_layers.begin(), dense_layers.end(), layer) != dense_layers.end();
    return !named && (layer + 1) % every == 0;
  });
  const char* const source = "mlp_only_layers and decoder_sparse_step";
  return SparseLayers{
      layers_of_kind(config, layers, "layers with experts", sparse, source),
      layers_of_kind(config, layers, "dense layers", other_layers(total, sparse), source)};
}

base::Result<void> add_mixture(ConfigReader& config, Inventory& inventory,
                               const DecoderShape& decoder) {
  ULLAGE_TRY(const SparseLayers layers, read_sparse_layers(config, decoder.layers));
  if (layers.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *layers.dense, decoder.hidden, intermediate, false);
  } else {
    config.find("intermediate_size");  // of dense layers, which this model has none of
  }
  if (!layers.sparse) return {};
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  add_experts(inventory, *layers.sparse, decoder.hidden, experts);
  // Published configs without a shared expert say 0 or leave the key out.
  ULLAGE_TRY(const auto width, config.optional_number("shared_expert_intermediate_size"));
  if (width.value_or(0) == 0) return {};
  ULLAGE_TRY(const auto shared, config.optional_count("shared_expert_intermediate_size"));
  if (shared) add_shared_expert(inventory, *layers.sparse, decoder.hidden, *shared, true);
  return {};
}

// Qwen keeps a window only where use_sliding_window says so: in the layers from max_window_layers
// on.
base::Result<void> add_cache(ConfigReader& config, Inventory& inventory, const Extent& layers,
                             const AttentionShape& attention) {
  ULLAGE_TRY(const bool used, config.flag("use_sliding_window", false));
  ULLAGE_TRY(const auto window, config.optional_count("sliding_window"));
  ULLAGE_TRY(const auto full, config.optional_number("max_window_layers"));
  if (!used || !window || !full || exact::Rational(*full) >= layers.value) {
    add_attention_cache(inventory, layers, attention);
    return {};
  }
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  const auto windowed = layers_where(total, [&](std::int64_t layer) { return layer >= *full; });
  const auto below = layers_of_kind(config, layers, "layers with full attention",
                                    other_layers(total, windowed), "max_window_layers");
  const auto above =
      layers_of_kind(config, layers, "layers with a window", windowed, "max_window_layers");
  if (below) add_attention_cache(inventory, *below, attention);
  if (above) add_attention_cache(inventory, *above, attention, *window);
  return {};
}

base::Result<Inventory> read_qwen(ConfigReader& config, bool third, bool mixture) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  std::optional<Extent> class_head_dim;
  if (third && config.find("head_dim") == nullptr) {
    class_head_dim = config.assumed("head_dim", 128, "class default of Qwen3Config (transformers)");
  }
  ULLAGE_TRY(AttentionShape attention,
             read_attention_shape(config, decoder.hidden, std::move(class_head_dim)));
  if (third) {
    ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
    attention.input_bias = bias;
    attention.output_bias = bias;
    attention.head_norms = true;
  } else {
    ULLAGE_TRY(const bool bias, config.flag("qkv_bias", true));
    attention.input_bias = bias;
  }
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  ULLAGE_CHECK(add_cache(config, inventory, decoder.layers, attention));
  if (mixture) {
    ULLAGE_CHECK(add_mixture(config, inventory, decoder));
  } else {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, false);
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace

base::Result<Inventory> read_qwen2(ConfigReader& config) {
  return read_qwen(config, false, false);
}
base::Result<Inventory> read_qwen2_moe(ConfigReader& config) {
  return read_qwen(config, false, true);
}
base::Result<Inventory> read_qwen3(ConfigReader& config) {
  return read_qwen(config, true, false);
}
base::Result<Inventory> read_qwen3_moe(ConfigReader& config) {
  return read_qwen(config, true, true);
}

}  // namespace ullage::import
