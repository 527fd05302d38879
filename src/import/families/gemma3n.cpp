// Gemma 3n: four streams of which each layer computes one and predicts the others (AltUp), a
// low-rank residual (LAuReL), a table of its own that feeds every layer, last layers that read the
// keys and values of earlier ones, encoders of images and sound. Tensors as transformers defines
// them in models/gemma3n.
#include <map>

#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/families/gemma_towers.hpp"
#include "import/families/layer_inputs.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

const std::string kClass = "Gemma3nTextConfig (transformers)";

// One width for all layers, or a list with one for each.
base::Result<void> add_mlps(ConfigReader& config, Inventory& inventory,
                            const DecoderShape& decoder) {
  const document::Value* widths = config.find("intermediate_size");
  if (widths == nullptr || widths->type != document::Type::array) {
    config.class_default("intermediate_size", 16'384, kClass);
    ULLAGE_TRY(const Extent width, config.count("intermediate_size"));
    add_gated_mlp(inventory, decoder.layers, decoder.hidden, width, false);
    return {};
  }
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  ULLAGE_TRY(const auto numbers, layer_numbers(config, "intermediate_size", total));
  std::map<std::int64_t, std::vector<std::int64_t>> by_width;
  for (std::int64_t i = 0; i < total; ++i)
    by_width[numbers[static_cast<std::size_t>(i)]].push_back(i);
  for (const auto& [width, some] : by_width) {
    if (width == 0) {
      return config.fault(base::Code::out_of_range, "intermediate_size",
                          "intermediate_size holds 0", "one width for each layer");
    }
    const auto layers =
        layers_of_kind(config, decoder.layers, "layers of MLP width " + std::to_string(width), some,
                       "intermediate_size");
    add_gated_mlp(inventory, *layers, decoder.hidden,
                  config.counted("MLP width", width, "intermediate_size"), false);
  }
  return {};
}

// What predicts the streams that a layer does not compute, and corrects them after it.
void add_streams(ConfigReader& config, Inventory& inventory, const DecoderShape& decoder,
                 const Extent& streams, const Extent& rank) {
  const Extent& hidden = decoder.hidden;
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  layers.add("altup.correct_output_scale", Component::mlp, {{hidden}});
  layers.add("altup.correction_coefs.weight", Component::mlp, {{streams}, {streams}});
  layers.add("altup.prediction_coefs.weight", Component::mlp, {{streams, streams}, {streams}});
  layers.add("altup.modality_router.weight", Component::mlp, {{streams}, {hidden}});
  layers.add("altup.router_norm.weight", Component::norms, {{hidden}});
  layers.add("laurel.linear_left.weight", Component::mlp, {{rank}, {hidden}});
  layers.add("laurel.linear_right.weight", Component::mlp, {{hidden}, {rank}});
  layers.add("laurel.post_laurel_norm.weight", Component::norms, {{hidden}});
  const Extent others = config.derived("other streams", streams.value - exact::Rational(1),
                                       "altup_num_inputs − 1", {streams.figure});
  const Extent two = constant(config, "two", 2, "into the streams and out of them", streams);
  TensorList(inventory, "", {})
      .add("altup_{,unembed_}projections.*.weight", Component::mlp,
           {{two}, {others}, {hidden}, {hidden}});
}

base::Result<Inventory> read_layers(ConfigReader& config, ConfigReader* outer) {
  config.class_default("vocab_size", 262'400, kClass);
  config.class_default("hidden_size", 2048, kClass);
  config.class_default("num_hidden_layers", 35, kClass);
  config.class_default("num_attention_heads", 8, kClass);
  config.class_default("num_key_value_heads", 2, kClass);
  config.class_default("head_dim", 256, kClass);
  config.class_default("sliding_window", 512, kClass);
  config.class_default("altup_num_inputs", 4, kClass);
  config.class_default("laurel_rank", 64, kClass);
  ULLAGE_TRY(const bool tied, read_tied_head(config, {true, kClass}, outer));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  attention.head_norms = true;
  ULLAGE_TRY(const Extent streams, config.count("altup_num_inputs"));
  ULLAGE_TRY(const Extent rank, config.count("laurel_rank"));
  if (streams.value < exact::Rational(2)) {
    return config.fault(base::Code::out_of_range, "altup_num_inputs", "altup_num_inputs is below 2",
                        "4 in the published sizes");
  }
  ULLAGE_TRY(const SharingLayers kinds, read_sharing_layers(config, decoder.layers, 5, false));
  config.find("activation_sparsity_pattern");  // which MLPs compute less; all of them are stored
  Inventory inventory;
  add_embeddings(inventory, decoder);
  // Layers that share store matrices for keys and values too, which nothing reads.
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_window_caches(inventory, kinds.own, attention);
  ULLAGE_CHECK(add_mlps(config, inventory, decoder));
  ULLAGE_CHECK(add_layer_inputs(config, inventory, decoder, kClass));
  add_streams(config, inventory, decoder, streams, rank);
  const Extent four = constant(config, "norms per layer", 4, "of hidden_size", decoder.layers);
  TensorList(inventory, "layers.*.", {decoder.layers})
      .add("{norms}.weight", Component::norms, {{four}, {decoder.hidden}});
  TensorList(inventory, "", {}).add("norm.weight", Component::norms, {{decoder.hidden}});
  return inventory;
}

}  // namespace

base::Result<Inventory> read_gemma3n_text(ConfigReader& config) {
  return read_layers(config, nullptr);
}

base::Result<Inventory> read_gemma3n(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_layers(text, &config));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  config.find("vision_soft_tokens_per_image");  // how many tokens an image becomes
  if (config.find("vision_config") != nullptr) {
    ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
    ULLAGE_CHECK(add_gemma3n_vision(vision, inventory, hidden));
  }
  if (config.find("audio_config") != nullptr) {
    ULLAGE_TRY(ConfigReader audio, config.nested("audio_config"));
    ULLAGE_CHECK(add_gemma3n_audio(audio, inventory, hidden));
  }
  return inventory;
}

}  // namespace ullage::import
