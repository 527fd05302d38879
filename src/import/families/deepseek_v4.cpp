// DeepSeek-V4: one head of keys that are values too, a window in every layer and in most of them
// compressed entries beside it (one for each 4 tokens, chosen by an indexer, or one for each 128),
// an output projection in groups, hyper-connections around every part, experts chosen by token id
// in the first layers, MTP modules. Tensors as transformers defines them in models/deepseek_v4 and
// the publisher in inference/model.py.
#include <algorithm>

#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/hyper_connections.hpp"
#include "import/latent_attention.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// Entries that stand for 4 tokens overlap the ones before and are chosen by an indexer.
constexpr std::int64_t kIndexedRatio = 4;

struct Shape {
  DecoderShape decoder;
  Extent heads;
  Extent head_dim;
  Extent query_rank;
  Extent groups;
  Extent output_rank;
  Extent group_width;  // outputs of the heads of one group
  Extent window;
  IndexerShape indexer;
  MixtureShape mixture;
  Extent streams;
  std::vector<model::CachePart> entry;  // of the cache
};

// Layers whose entries stand for `ratio` tokens each.
struct Compressed {
  Extent layers;
  Extent ratio;
  bool indexed = false;
};

// An entry is a vector of head_dim, of which qk_rope_head_dim elements turn with the position:
// those engines keep in 16 bits where the rest has 8.
base::Result<std::vector<model::CachePart>> read_entry(ConfigReader& config,
                                                       const Extent& head_dim) {
  ULLAGE_TRY(const auto turned, config.optional_count("qk_rope_head_dim"));
  if (!turned) return std::vector<model::CachePart>{{"latent", {head_dim}, {}}};
  if (turned->value >= head_dim.value) {
    return config.fault(base::Code::out_of_range, "qk_rope_head_dim",
                        "qk_rope_head_dim " + turned->value.to_string() +
                            " leaves nothing of head_dim " + head_dim.value.to_string());
  }
  const Extent rest =
      config.derived("elements without a position", head_dim.value - turned->value,
                     "head_dim − qk_rope_head_dim", {head_dim.figure, turned->figure});
  return std::vector<model::CachePart>{{"latent", {rest}, {}}, {"rope", {*turned}, {}}};
}

base::Result<Shape> read_shape(ConfigReader& config) {
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(Extent heads, config.count("num_attention_heads"));
  ULLAGE_TRY(Extent head_dim, config.count("head_dim"));
  ULLAGE_TRY(Extent query_rank, config.count("q_lora_rank"));
  ULLAGE_TRY(Extent groups, config.count("o_groups"));
  ULLAGE_TRY(Extent output_rank, config.count("o_lora_rank"));
  ULLAGE_TRY(Extent window, config.count("sliding_window"));
  ULLAGE_TRY(IndexerShape indexer, read_indexer_shape(config));
  ULLAGE_TRY(MixtureShape mixture, read_deepseek_mixture(config, false));
  ULLAGE_TRY(Extent streams, config.count("hc_mult"));
  const Rational width = heads.value * head_dim.value / groups.value;
  if (!width.is_whole()) {
    return config.fault(
        base::Code::out_of_range, "o_groups",
        "o_groups " + groups.value.to_string() + " does not divide num_attention_heads × head_dim");
  }
  Extent group_width =
      config.derived("width of an output group", width, "num_attention_heads × head_dim ÷ o_groups",
                     {heads.figure, head_dim.figure, groups.figure});
  ULLAGE_TRY(std::vector<model::CachePart> entry, read_entry(config, head_dim));
  config.find("num_key_value_heads");  // one KV head
  return Shape{std::move(decoder),     std::move(heads),   std::move(head_dim),
               std::move(query_rank),  std::move(groups),  std::move(output_rank),
               std::move(group_width), std::move(window),  std::move(indexer),
               std::move(mixture),     std::move(streams), std::move(entry)};
}

// From compress_ratios: 0 for layers with the window alone.
base::Result<std::vector<Compressed>> read_compressed(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto ratios, layer_numbers(config, "compress_ratios", total));
  std::vector<std::int64_t> kinds(ratios.begin(), ratios.begin() + total);
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::vector<Compressed> found;
  for (const std::int64_t ratio : kinds) {
    if (ratio == 0) continue;
    const std::string name = "layers with an entry for " + std::to_string(ratio) + " tokens";
    const auto some = layers_of_kind(
        config, layers, name,
        layers_where(total,
                     [&](std::int64_t i) { return ratios[static_cast<std::size_t>(i)] == ratio; }),
        "compress_ratios");
    found.push_back({*some, config.counted("tokens an entry", ratio, "compress_ratios"),
                     ratio == kIndexedRatio});
  }
  return found;
}

void add_attention_part(TensorList& list, const Shape& shape) {
  const Extent& hidden = shape.decoder.hidden;
  const model::Axis query{shape.heads, shape.head_dim};
  const auto part = Component::attention;
  list.add("self_attn.q_a_proj.weight", part, {{shape.query_rank}, {hidden}});
  list.add("self_attn.q_norm.weight", Component::norms, {{shape.query_rank}});
  list.add("self_attn.q_b_proj.weight", part, {query, {shape.query_rank}}, Split::columns);
  list.add("self_attn.kv_proj.weight", part, {{shape.head_dim}, {hidden}});
  list.add("self_attn.kv_norm.weight", Component::norms, {{shape.head_dim}});
  list.add("self_attn.o_a_proj.weight", part,
           {{shape.groups, shape.output_rank}, {shape.group_width}}, Split::columns);
  list.add("self_attn.o_b_proj.weight", part, {{hidden}, {shape.groups, shape.output_rank}},
           Split::rows);
  list.add("self_attn.sinks", part, {{shape.heads}}, Split::columns);
}

// What pools `ratio` tokens into an entry of `width`; overlapping entries have two parts.
void add_compressor(ConfigReader& config, TensorList& list, const std::string& name,
                    const Shape& shape, const Extent& width, const Compressed& kind) {
  const Extent parts = constant(
      config, "parts of an entry", kind.indexed ? 2 : 1,
      kind.indexed ? "of its own tokens and of those before" : "of its own tokens", kind.ratio);
  const Extent& hidden = shape.decoder.hidden;
  const auto part = Component::attention;
  list.add(name + ".kv_proj.weight", part, {{parts, width}, {hidden}});
  list.add(name + ".gate_proj.weight", part, {{parts, width}, {hidden}});
  list.add(name + ".position_bias", part, {{kind.ratio}, {parts, width}});
  list.add(name + ".kv_norm.weight", Component::norms, {{width}});
}

// Entries, and the inputs of the entry that is not full yet: keys and gates of its tokens (and of
// those before, where entries overlap) in F32.
void add_compressed_caches(ConfigReader& config, Inventory& inventory, const std::string& name,
                           model::CacheKind kind, const Extent& width,
                           std::vector<model::CachePart> entry, const Compressed& layers) {
  const std::int64_t windows = layers.indexed ? 2 : 1;
  const Extent tokens =
      config.derived("tokens held", Rational(windows) * layers.ratio.value,
                     std::to_string(windows) + " × tokens an entry", {layers.ratio.figure});
  const Extent inputs = config.derived("inputs of a token", Rational(2 * windows) * width.value,
                                       "keys and gates of each part", {width.figure});
  inventory.caches.push_back({.name = name,
                              .kind = kind,
                              .layers = layers.layers,
                              .per_token = std::move(entry),
                              .per_sequence = {},
                              .window = {},
                              .compress = layers.ratio});
  inventory.caches.push_back({.name = name + ".state",
                              .kind = model::CacheKind::recurrent,
                              .layers = layers.layers,
                              .per_token = {},
                              .per_sequence = {{"pooled inputs", {tokens, inputs}, {}, "float32"}},
                              .window = {},
                              .compress = {}});
}

void add_compressed_layers(ConfigReader& config, Inventory& inventory, const Shape& shape,
                           const Compressed& kind) {
  TensorList list(inventory, "layers.*.", {kind.layers});
  add_compressor(config, list, "self_attn.compressor", shape, shape.head_dim, kind);
  add_compressed_caches(config, inventory, "layers.*.self_attn.compressor",
                        model::CacheKind::latent, shape.head_dim, shape.entry, kind);
  if (!kind.indexed) return;
  const IndexerShape& indexer = shape.indexer;
  add_compressor(config, list, "self_attn.indexer", shape, indexer.head_dim, kind);
  list.add("self_attn.indexer.q_b_proj.weight", Component::attention,
           {{indexer.heads, indexer.head_dim}, {shape.query_rank}});
  list.add("self_attn.indexer.weights_proj.weight", Component::attention,
           {{indexer.heads}, {shape.decoder.hidden}});
  add_compressed_caches(config, inventory, "layers.*.self_attn.indexer", model::CacheKind::index,
                        indexer.head_dim, {{"index key", {indexer.head_dim}, {}}}, kind);
}

// In the first num_hash_layers a table says which experts a token has, elsewhere a correction
// stands beside the router. The table is drawn once and not trained.
base::Result<void> add_routing(ConfigReader& config, Inventory& inventory, const Shape& shape) {
  const Extent& layers = shape.decoder.layers;
  ULLAGE_TRY(const auto stated, config.optional_number("num_hash_layers"));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  const auto hashed = layers_where(total, [&](std::int64_t i) { return i < stated.value_or(0); });
  const ExpertShape& routed = shape.mixture.routed;
  if (const auto some =
          layers_of_kind(config, layers, "layers that route by token", hashed, "num_hash_layers")) {
    model::TensorGroup& table =
        TensorList(inventory, "layers.*.mlp.", {*some})
            .add("gate.tid2eid", Component::router, {{shape.decoder.vocabulary}, {routed.chosen}});
    table.counted = false;
    table.use = model::Use::look_up;
  }
  if (const auto some = layers_of_kind(config, layers, "layers that route by score",
                                       other_layers(total, hashed), "num_hash_layers")) {
    TensorList(inventory, "layers.*.mlp.", {*some})
        .add("gate.e_score_correction_bias", Component::router, {{routed.experts}});
  }
  return {};
}

base::Result<void> add_module(ConfigReader& config, Inventory& inventory, const Shape& shape) {
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (!modules) return {};
  ULLAGE_TRY(const auto experts, config.optional_text("expert_dtype"));
  const bool copies = !experts || *experts != "fp4";
  const Extent& hidden = shape.decoder.hidden;
  TensorList module = module_list(inventory, "mtp.*.", *modules);
  // Hidden state and embedding are projected apart; together they are as large as one matrix over
  // both.
  add_module_frame(config, module, hidden);
  add_layer_norms(config, module, hidden);
  add_attention_part(module, shape);
  MixtureShape mixture = shape.mixture;
  mixture.correction_bias = true;
  add_mixture(module, hidden, mixture);
  add_hyper_connections(config, module, hidden, shape.streams);
  add_stream_head(config, module, hidden, shape.streams);
  add_module_copies(module, shape.decoder, copies);
  inventory.draft_caches.push_back({.name = "mtp.*.self_attn",
                                    .kind = model::CacheKind::window,
                                    .layers = *modules,
                                    .per_token = shape.entry,
                                    .per_sequence = {},
                                    .window = shape.window,
                                    .compress = {}});
  config.note("mtp-copies",
              copies ? "the MTP module's copies of input table and head count as stored, as in the "
                       "Base checkpoints"
                     : "the MTP module is counted without copies of input table and head, as in "
                       "the checkpoints with experts in FP4");
  return {};
}

}  // namespace

base::Result<Inventory> read_deepseek_v4(ConfigReader& config) {
  ULLAGE_TRY(const Shape shape, read_shape(config));
  const Extent& layers = shape.decoder.layers;
  const Extent& hidden = shape.decoder.hidden;
  ULLAGE_TRY(const auto compressed, read_compressed(config, layers));
  Inventory inventory;
  add_embeddings(inventory, shape.decoder);
  TensorList all(inventory, "layers.*.", {layers});
  add_attention_part(all, shape);
  inventory.caches.push_back({.name = "layers.*.self_attn",
                              .kind = model::CacheKind::window,
                              .layers = layers,
                              .per_token = shape.entry,
                              .per_sequence = {},
                              .window = shape.window,
                              .compress = {}});
  for (const Compressed& kind : compressed)
    add_compressed_layers(config, inventory, shape, kind);
  add_mixture(all, hidden, shape.mixture);
  ULLAGE_CHECK(add_routing(config, inventory, shape));
  add_hyper_connections(config, all, hidden, shape.streams);
  TensorList whole(inventory, "", {});
  add_stream_head(config, whole, hidden, shape.streams);
  add_decoder_norms(config, inventory, shape.decoder);
  ULLAGE_CHECK(add_module(config, inventory, shape));
  return inventory;
}

}  // namespace ullage::import
