// T5 and Whisper: an encoder, and a decoder whose cross-attention keeps keys and values of the
// encoder's output for as long as a sequence lives. Tensors as transformers defines them in
// models/t5 and models/whisper.
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;

// Self-attention grows with the answer; cross-attention is as long as the encoder's output.
void add_decoder_caches(Inventory& inventory, const Extent& layers, const Extent& heads,
                        const Axis& inner, const Extent& source) {
  inventory.caches.push_back({.name = "decoder.layers.*.self_attn",
                              .kind = model::CacheKind::full,
                              .layers = layers,
                              .per_token = {{"key", inner, heads}, {"value", inner, heads}},
                              .per_sequence = {},
                              .window = {},
                              .compress = {}});
  Axis fixed{source};
  fixed.insert(fixed.end(), inner.begin(), inner.end());
  inventory.caches.push_back({.name = "decoder.layers.*.encoder_attn",
                              .kind = model::CacheKind::cross,
                              .layers = layers,
                              .per_token = {},
                              .per_sequence = {{"key", fixed, heads}, {"value", fixed, heads}},
                              .window = {},
                              .compress = {}});
}

struct WhisperShape {
  Extent width;
  Extent vocabulary;
  Extent bins;
  Extent sources;
  Extent targets;
};

base::Result<WhisperShape> read_whisper_shape(ConfigReader& config) {
  ULLAGE_TRY(Extent width, config.count("d_model"));
  ULLAGE_TRY(Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(Extent bins, config.count("num_mel_bins"));
  ULLAGE_TRY(Extent sources, config.count("max_source_positions"));
  ULLAGE_TRY(Extent targets, config.count("max_target_positions"));
  return WhisperShape{std::move(width), std::move(vocabulary), std::move(bins), std::move(sources),
                      std::move(targets)};
}

void add_whisper_ends(ConfigReader& config, Inventory& inventory, const WhisperShape& shape) {
  const Axis width{shape.width};
  const Extent taps = constant(config, "taps", 3, "width of both convolutions", shape.width);
  TensorList whole(inventory, "", {});
  add_linear(whole, "encoder.conv1", Component::embedding, width, {shape.bins, taps}, true);
  add_linear(whole, "encoder.conv2", Component::embedding, width, {shape.width, taps}, true);
  whole.add("encoder.embed_positions.weight", Component::embedding, {{shape.sources}, width});
  add_norm(whole, "encoder.layer_norm", width, true);
  whole.add("decoder.embed_tokens.weight", Component::embedding, {{shape.vocabulary}, width},
            model::Split::vocabulary);
  whole.add("decoder.embed_positions.weight", Component::embedding, {{shape.targets}, width}).use =
      model::Use::look_up;
  add_norm(whole, "decoder.layer_norm", width, true);
}

}  // namespace

base::Result<Inventory> read_whisper(ConfigReader& config) {
  ULLAGE_TRY(const WhisperShape shape, read_whisper_shape(config));
  ULLAGE_TRY(const Extent encoder_layers, config.count("encoder_layers"));
  ULLAGE_TRY(const Extent decoder_layers, config.count("decoder_layers"));
  ULLAGE_TRY(const Extent encoder_width, config.count("encoder_ffn_dim"));
  ULLAGE_TRY(const Extent decoder_width, config.count("decoder_ffn_dim"));
  ULLAGE_TRY(const Extent heads, config.count("decoder_attention_heads"));
  ULLAGE_TRY(const Extent head_dim, config.quotient("head_dim", shape.width, heads));
  for (const char* key : {"encoder_attention_heads", "num_hidden_layers", "encoder_layerdrop",
                          "decoder_layerdrop", "use_weighted_layer_sum"}) {
    config.find(key);  // adds no tensor
  }
  Inventory inventory;
  add_whisper_ends(config, inventory, shape);
  EncoderLayer layer{.width = shape.width, .intermediate = encoder_width};
  layer.key_bias = false;
  TensorList encoder(inventory, "encoder.layers.*.", {encoder_layers});
  add_encoder_layer(config, encoder, layer);
  layer.intermediate = decoder_width;
  layer.norms = 3;
  TensorList decoder(inventory, "decoder.layers.*.", {decoder_layers});
  add_encoder_layer(config, decoder, layer);
  add_encoder_attention(decoder, "encoder_attn", layer);
  add_decoder_caches(inventory, decoder_layers, heads, {heads, head_dim}, shape.sources);
  return inventory;
}

namespace {

struct T5Shape {
  DecoderShape decoder;  // width, encoder layers, vocabulary, tied head
  Extent decoder_layers;
  Extent heads;
  Extent head_dim;
  Extent intermediate;
  Extent buckets;
  bool gated = false;
};

base::Result<T5Shape> read_t5_shape(ConfigReader& config) {
  config.spell("hidden_size", {"d_model"});
  config.spell("num_hidden_layers", {"num_layers"});
  config.class_default("relative_attention_num_buckets", 32, "T5Config (transformers)");
  ULLAGE_TRY(const bool tied, read_tied_head(config, {true, "T5Config (transformers)"}));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  ULLAGE_TRY(auto decoder_layers, config.optional_count("num_decoder_layers"));
  ULLAGE_TRY(Extent heads, config.count("num_heads"));
  ULLAGE_TRY(Extent head_dim, config.count("d_kv"));
  ULLAGE_TRY(Extent intermediate, config.count("d_ff"));
  ULLAGE_TRY(Extent buckets, config.count("relative_attention_num_buckets"));
  ULLAGE_TRY(const auto form, config.optional_text("feed_forward_proj"));
  Extent layers = decoder_layers ? *decoder_layers : decoder.layers;
  return T5Shape{std::move(decoder),
                 std::move(layers),
                 std::move(heads),
                 std::move(head_dim),
                 std::move(intermediate),
                 std::move(buckets),
                 form && form->starts_with("gated")};
}

}  // namespace

base::Result<Inventory> read_t5(ConfigReader& config) {
  ULLAGE_TRY(const T5Shape shape, read_t5_shape(config));
  const Axis inner{shape.heads, shape.head_dim};
  Inventory inventory;
  add_embeddings(inventory, shape.decoder);
  EncoderLayer layer{.width = shape.decoder.hidden, .intermediate = shape.intermediate};
  layer.inner = inner;
  layer.attention_bias = false;
  layer.mlp_bias = false;
  layer.gated = shape.gated;
  layer.norm_bias = false;
  TensorList encoder(inventory, "encoder.block.*.", {shape.decoder.layers});
  add_encoder_layer(config, encoder, layer);
  layer.norms = 3;
  TensorList decoder(inventory, "decoder.block.*.", {shape.decoder_layers});
  add_encoder_layer(config, decoder, layer);
  add_encoder_attention(decoder, "enc_dec_attn", layer);
  for (const char* side : {"encoder.", "decoder."}) {
    // Only the first layer of each side holds the biases of relative positions.
    TensorList whole(inventory, side, {});
    whole.add("relative_attention_bias.weight", Component::attention,
              {{shape.buckets}, {shape.heads}});
    add_norm(whole, "final_layer_norm", {shape.decoder.hidden}, false);
  }
  ULLAGE_TRY(const auto length, config.optional_count("n_positions"));
  const Extent source =
      length ? *length : config.assumed("n_positions", 512, "default of T5Config (transformers)");
  add_decoder_caches(inventory, shape.decoder_layers, shape.heads, inner, source);
  return inventory;
}

}  // namespace ullage::import
