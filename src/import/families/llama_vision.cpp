// Llama 4, whose layers attend to chunks or to everything and hold experts at an interval, and
// Llama 3.2 Vision, whose text decoder has cross-attention layers; both with their towers. Tensors
// as transformers defines them in models/llama4 and models/mllama.
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// Layers with rotary positions attend to chunks; each no_rope_layer_interval-th has neither.
base::Result<WindowLayers> read_chunks(ConfigReader& text, const Extent& layers) {
  ULLAGE_TRY(const auto stated, text.optional_number("no_rope_layer_interval"));
  ULLAGE_TRY(const std::vector<std::int64_t> rotary, text.numbers("no_rope_layers"));
  const std::int64_t interval = stated.value_or(4);
  if (interval == 0) {
    return text.fault(base::Code::out_of_range, "no_rope_layer_interval",
                      "no_rope_layer_interval is 0", "4 makes each fourth layer full");
  }
  if (rotary.empty() || text.find("layer_types") != nullptr) {
    return read_window_layers(text, layers, interval, "attention_chunk_size");
  }
  ULLAGE_TRY(auto chunk, text.optional_count("attention_chunk_size"));
  ULLAGE_TRY(const std::int64_t total, layer_total(text, layers));
  ULLAGE_TRY(const auto list, layer_numbers(text, "no_rope_layers", total));
  const auto full = layers_where(
      total, [&](std::int64_t layer) { return list[static_cast<std::size_t>(layer)] == 0; });
  if (!chunk) return WindowLayers{layers, {}, {}};
  return WindowLayers{
      layers_of_kind(text, layers, "layers with full attention", full, "no_rope_layers"),
      layers_of_kind(text, layers, "layers with chunks", other_layers(total, full),
                     "no_rope_layers"),
      std::move(chunk)};
}

base::Result<void> add_llama4_mlps(ConfigReader& text, Inventory& inventory,
                                   const DecoderShape& decoder) {
  ULLAGE_TRY(const std::int64_t total, layer_total(text, decoder.layers));
  ULLAGE_TRY(const auto stated, text.optional_count("interleave_moe_layer_step"));
  ULLAGE_TRY(const std::vector<std::int64_t> listed, text.numbers("moe_layers"));
  const std::int64_t step = stated ? stated->value.to_int64().value_or(total + 1) : 1;
  const auto sparse = layers_where(total, [&](std::int64_t layer) {
    if (listed.empty()) return (layer + 1) % step == 0;
    return std::find(listed.begin(), listed.end(), layer) != listed.end();
  });
  if (!listed.empty() && sparse.size() != listed.size()) {
    return text.fault(base::Code::out_of_range, "moe_layers",
                      "moe_layers names a layer twice or one beyond " + std::to_string(total),
                      "layers count from 0");
  }
  const char* source = listed.empty() ? "interleave_moe_layer_step" : "moe_layers";
  const auto with = layers_of_kind(text, decoder.layers, "layers with experts", sparse, source);
  const auto dense =
      layers_of_kind(text, decoder.layers, "dense layers", other_layers(total, sparse), source);
  ULLAGE_TRY(const Extent width, text.count("intermediate_size_mlp"));
  if (dense) add_gated_mlp(inventory, *dense, decoder.hidden, width, false);
  if (!with) return {};
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(text, "num_local_experts", "intermediate_size"));
  add_experts(inventory, *with, decoder.hidden, experts);
  add_shared_expert(inventory, *with, decoder.hidden, experts.intermediate, false);
  return {};
}

base::Result<void> add_llama4_tower(ConfigReader& config, Inventory& inventory,
                                    const Extent& hidden) {
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, true));
  ULLAGE_TRY(const Extent positions, tower_positions(vision, tower, 1));
  ULLAGE_TRY(const Extent shuffled, vision.count("projector_input_dim"));
  ULLAGE_TRY(const Extent projected, vision.count("projector_output_dim"));
  ULLAGE_TRY(const Extent out, vision.count("vision_output_dim"));
  vision.find("vision_feature_layer");
  const auto part = Component::vision;
  TensorList whole(inventory, "vision_model.", {}, part);
  add_linear(whole, "patch_embedding.linear", part, {tower.width},
             {tower.channels, tower.patch, tower.patch}, false);
  whole.add("class_embedding", part, {{tower.width}});
  whole.add("positional_embedding_vlm", part, {{positions}, {tower.width}});
  const EncoderLayer layer{.width = tower.width, .intermediate = tower.intermediate};
  TensorList layers = whole.under("vision_model.layers.*.", {tower.layers});
  add_encoder_layer(vision, layers, layer);
  add_norm(whole, "layernorm_pre", {tower.width}, true);
  add_norm(whole, "layernorm_post", {tower.width}, true);
  add_linear(whole, "vision_adapter.mlp.fc1", part, {shuffled}, {tower.intermediate}, false);
  add_linear(whole, "vision_adapter.mlp.fc2", part, {projected}, {projected}, false);
  ULLAGE_TRY(const bool bias, vision.flag("multi_modal_projector_bias", false));
  TensorList projector = whole.under("multi_modal_projector.", {});
  add_linear(projector, "linear_1", part, {hidden}, {out}, bias);
  return {};
}

}  // namespace

base::Result<Inventory> read_llama4(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(const bool tied,
             read_tied_head(text, {false, "Llama4TextConfig (transformers)"}, &config));
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(text, tied));
  text.class_default("head_dim", 128, "Llama4TextConfig (transformers)");
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(text, decoder.hidden));
  ULLAGE_TRY(const bool bias, text.flag("attention_bias", false));
  attention.input_bias = bias;
  attention.output_bias = bias;
  ULLAGE_TRY(const WindowLayers chunks, read_chunks(text, decoder.layers));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_window_caches(inventory, chunks, attention, model::CacheKind::chunked);
  ULLAGE_CHECK(add_llama4_mlps(text, inventory, decoder));
  add_decoder_norms(text, inventory, decoder);
  if (config.find("vision_config") == nullptr) {
    config.note("vision-absent",
                "the configuration has no vision_config: the tower that the published checkpoints "
                "hold is not counted");
    return inventory;
  }
  ULLAGE_CHECK(add_llama4_tower(config, inventory, decoder.hidden));
  return inventory;
}

namespace {

// Tiles: positions inside one, and one table for each arrangement of tiles.
base::Result<Extent> add_tile_tables(ConfigReader& vision, TensorList& whole,
                                     const TowerShape& tower) {
  ULLAGE_TRY(const Extent tiles, vision.count("max_num_tiles"));
  ULLAGE_TRY(const Extent positions, tower_positions(vision, tower, 1));
  const document::Value* ratios = vision.find("supported_aspect_ratios");
  if (ratios == nullptr || ratios->items.empty()) {
    return vision.fault(base::Code::missing_key, "supported_aspect_ratios",
                        "supported_aspect_ratios is missing",
                        "the tile tables have one row for each");
  }
  const Extent listed = vision.counted(
      "arrangements", static_cast<std::int64_t>(ratios->items.size()), "supported_aspect_ratios");
  const Extent arrangements =
      vision.derived("arrangements of tiles", listed.value + exact::Rational(1),
                     "supported_aspect_ratios and one for padding", {listed.figure});
  const auto part = Component::vision;
  const Extent one = constant(vision, "gate", 1, "one number", tower.width);
  whole.add("gated_positional_embedding.embedding", part, {{positions}, {tower.width}});
  whole.add("gated_positional_embedding.gate", part, {{one}});
  whole.add("gated_positional_embedding.tile_embedding.weight", part,
            {{arrangements}, {tiles, positions, tower.width}});
  for (const char* name : {"pre_tile_positional_embedding", "post_tile_positional_embedding"}) {
    whole.add(std::string(name) + ".embedding.weight", part,
              {{arrangements}, {tiles, tower.width}});
    whole.add(std::string(name) + ".gate", part, {{one}});
  }
  return vision.derived("image positions", tiles.value * positions.value,
                        "max_num_tiles × positions of a tile", {tiles.figure, positions.figure});
}

// Returns how many positions the cross-attention layers keep for an image.
base::Result<Extent> add_mllama_tower(ConfigReader& config, Inventory& inventory,
                                      const Extent& hidden) {
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const TowerShape tower, read_tower(vision, true));
  ULLAGE_TRY(const Extent global, vision.count("num_global_layers"));
  ULLAGE_TRY(const Extent out, vision.count("vision_output_dim"));
  for (const char* key : {"intermediate_layers_indices", "cross_attention_hidden_size"}) {
    vision.find(key);  // adds no tensor
  }
  const auto part = Component::vision;
  TensorList whole(inventory, "vision_model.", {}, part);
  add_linear(whole, "patch_embedding", part, {tower.width},
             {tower.channels, tower.patch, tower.patch}, false);
  whole.add("class_embedding", part, {{tower.width}});
  ULLAGE_TRY(const Extent kept, add_tile_tables(vision, whole, tower));
  EncoderLayer layer{.width = tower.width, .intermediate = tower.intermediate};
  layer.attention_bias = false;
  TensorList local = whole.under("vision_model.transformer.layers.*.", {tower.layers});
  add_encoder_layer(vision, local, layer);
  TensorList wide = whole.under("vision_model.global_transformer.layers.*.", {global});
  add_encoder_layer(vision, wide, layer);
  const Extent gates = constant(vision, "gates", 2, "of attention and MLP", tower.layers);
  wide.add("{gate_attn,gate_ffn}", part, {{gates}});
  add_norm(whole, "layernorm_pre", {tower.width}, true);
  add_norm(whole, "layernorm_post", {tower.width}, true);
  TensorList projector = whole.under("", {});
  add_linear(projector, "multi_modal_projector", part, {hidden}, {out}, true);
  return kept;
}

struct CrossLayers {
  Extent self;
  Extent cross;
};

base::Result<CrossLayers> read_cross_layers(ConfigReader& text, const Extent& layers) {
  ULLAGE_TRY(const std::vector<std::int64_t> listed, text.numbers("cross_attention_layers"));
  const auto count = static_cast<std::int64_t>(listed.size());
  if (count == 0 || exact::Rational(count) >= layers.value) {
    return text.fault(base::Code::out_of_range, "cross_attention_layers",
                      "cross_attention_layers names " + std::to_string(count) + " of " +
                          layers.value.to_string() + " layers",
                      "some layers are cross-attention and some are not");
  }
  ULLAGE_TRY(const std::int64_t total, layer_total(text, layers));
  std::vector<std::int64_t> numbers = layers_where(total, [&](std::int64_t layer) {
    return std::find(listed.begin(), listed.end(), layer) != listed.end();
  });
  if (numbers.size() != listed.size()) {
    return text.fault(
        base::Code::out_of_range, "cross_attention_layers",
        "cross_attention_layers names a layer twice or one beyond " + std::to_string(total),
        "layers count from 0");
  }
  Extent cross = text.derived("cross-attention layers", count, "entries of cross_attention_layers",
                              {layers.figure});
  Extent self =
      text.derived("self-attention layers", layers.value - cross.value,
                   "num_hidden_layers − cross-attention layers", {layers.figure, cross.figure});
  self.layers = std::make_shared<const std::vector<std::int64_t>>(other_layers(total, numbers));
  cross.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
  return CrossLayers{std::move(self), std::move(cross)};
}

void add_cross_layers(ConfigReader& text, Inventory& inventory, const CrossLayers& layers,
                      const DenseShape& shape, const Extent& kept) {
  AttentionShape cross = shape.attention;
  cross.head_norms = true;
  Inventory part;
  add_attention(part, layers.cross, shape.decoder.hidden, cross);
  for (model::TensorGroup& group : part.tensors) {
    group.name = "cross_" + group.name;
    inventory.tensors.push_back(std::move(group));
  }
  const Extent gates = constant(text, "gates", 2, "of attention and MLP", layers.cross);
  TensorList gated(inventory, "cross_layers.*.", {layers.cross});
  gated.add("{cross_attn_attn_gate,cross_attn_mlp_gate}", Component::attention, {{gates}});
  const Axis fixed{kept, cross.kv_heads, cross.head_dim};
  inventory.caches.push_back(
      {.name = "cross_layers.*.self_attn",
       .kind = model::CacheKind::cross,
       .layers = layers.cross,
       .per_token = {},
       .per_sequence = {{"key", fixed, cross.kv_heads}, {"value", fixed, cross.kv_heads}},
       .window = {},
       .compress = {}});
}

}  // namespace

base::Result<Inventory> read_mllama(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(const DenseShape shape,
             read_dense_shape(text, {false, "MllamaTextConfig (transformers)"}));
  ULLAGE_TRY(const CrossLayers layers, read_cross_layers(text, shape.decoder.layers));
  text.find("cross_attention_hidden_size");
  const DecoderShape& decoder = shape.decoder;
  Inventory inventory;
  add_embeddings(inventory, decoder);
  // Eight more rows for the image token, in the input table only.
  const Extent more =
      constant(text, "rows for images", 8, "beyond vocab_size, by the family", decoder.vocabulary);
  TensorList whole(inventory, "", {});
  whole.add("embed_tokens.weight (image rows)", Component::embedding, {{more}, {decoder.hidden}})
      .use = model::Use::look_up;
  add_attention(inventory, layers.self, decoder.hidden, shape.attention);
  add_attention_cache(inventory, layers.self, shape.attention);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, shape.intermediate, false);
  add_decoder_norms(text, inventory, decoder);
  ULLAGE_TRY(const Extent kept, add_mllama_tower(config, inventory, decoder.hidden));
  add_cross_layers(text, inventory, layers, shape, kept);
  return inventory;
}

}  // namespace ullage::import
