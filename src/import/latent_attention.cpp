// Tensors as DeepSeek-V2, V3 and V3.2-Exp define them (inference/model.py) and as transformers
// names them in models/deepseek_v3.
#include "import/latent_attention.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;
using model::Split;

base::Result<LatentShape> read_latent_shape(ConfigReader& config) {
  ULLAGE_TRY(Extent heads, config.count("num_attention_heads"));
  ULLAGE_TRY(const auto rank, config.optional_number("q_lora_rank"));
  std::optional<Extent> query_rank;
  if (rank.value_or(0) != 0) {
    ULLAGE_TRY(query_rank, config.optional_count("q_lora_rank"));
  }
  ULLAGE_TRY(Extent latent_rank, config.count("kv_lora_rank"));
  ULLAGE_TRY(Extent nope, config.count("qk_nope_head_dim"));
  ULLAGE_TRY(const auto rotary, config.optional_number("qk_rope_head_dim"));
  std::optional<Extent> rope;
  if (!rotary || *rotary != 0) {
    ULLAGE_TRY(Extent stated, config.count("qk_rope_head_dim"));
    rope = std::move(stated);
  }
  ULLAGE_TRY(Extent value, config.count("v_head_dim"));
  return LatentShape{std::move(heads), std::move(query_rank), std::move(latent_rank),
                     std::move(nope),  std::move(rope),       std::move(value)};
}

void add_latent_attention(ConfigReader& config, TensorList& layers, const Extent& hidden,
                          const LatentShape& shape) {
  const auto with_rope = [&](std::string name, const Extent& base) {
    if (!shape.rope) return base;
    return config.derived(std::move(name), base.value + shape.rope->value,
                          base.name + " + " + shape.rope->name, {base.figure, shape.rope->figure});
  };
  const Extent query_head = with_rope("query head width", shape.nope);
  const Extent down = with_rope("latent and rotary key", shape.latent_rank);
  const Extent up =
      config.derived("key and value head width", shape.nope.value + shape.value.value,
                     "qk_nope_head_dim + v_head_dim", {shape.nope.figure, shape.value.figure});
  if (shape.query_rank) {
    layers.add("self_attn.q_a_proj.weight", Component::attention, {{*shape.query_rank}, {hidden}});
    layers.add("self_attn.q_a_layernorm.weight", Component::norms, {{*shape.query_rank}});
    layers.add("self_attn.q_b_proj.weight", Component::attention,
               {{shape.heads, query_head}, {*shape.query_rank}}, Split::columns);
  } else {
    layers.add("self_attn.q_proj.weight", Component::attention,
               {{shape.heads, query_head}, {hidden}}, Split::columns);
  }
  layers.add("self_attn.kv_a_proj_with_mqa.weight", Component::attention, {{down}, {hidden}});
  layers.add("self_attn.kv_a_layernorm.weight", Component::norms, {{shape.latent_rank}});
  layers.add("self_attn.kv_b_proj.weight", Component::attention,
             {{shape.heads, up}, {shape.latent_rank}}, Split::columns);
  layers.add("self_attn.o_proj.weight", Component::attention,
             {{hidden}, {shape.heads, shape.value}}, Split::rows);
}

model::CacheGroup latent_cache(const Extent& layers, const LatentShape& shape) {
  model::CacheGroup cache{.name = "layers.*.self_attn",
                          .kind = model::CacheKind::latent,
                          .layers = layers,
                          .per_token = {{"latent", {shape.latent_rank}, {}}},
                          .per_sequence = {},
                          .window = {},
                          .compress = {}};
  if (shape.rope) cache.per_token.push_back({"rope", {*shape.rope}, {}});
  cache.expanded.push_back({"key", {shape.heads, shape.nope}, shape.heads});
  if (shape.rope) cache.expanded.push_back({"rope", {shape.heads, *shape.rope}, shape.heads});
  return cache;
}

base::Result<IndexerShape> read_indexer_shape(ConfigReader& config) {
  ULLAGE_TRY(Extent heads, config.count("index_n_heads"));
  ULLAGE_TRY(Extent head_dim, config.count("index_head_dim"));
  ULLAGE_TRY(auto chosen, config.optional_count("index_topk"));
  return IndexerShape{std::move(heads), std::move(head_dim), std::move(chosen)};
}

void add_indexer(ConfigReader& config, TensorList& layers, const Extent& hidden,
                 const Extent& query_rank, const IndexerShape& shape) {
  const Extent two =
      config.derived("weight and bias", 2, "of a LayerNorm", {shape.head_dim.figure});
  layers.add("self_attn.indexer.wq_b.weight", Component::attention,
             {{shape.heads, shape.head_dim}, {query_rank}});
  layers.add("self_attn.indexer.wk.weight", Component::attention, {{shape.head_dim}, {hidden}});
  layers.add("self_attn.indexer.k_norm.{weight,bias}", Component::norms, {{shape.head_dim}, {two}});
  layers.add("self_attn.indexer.weights_proj.weight", Component::attention,
             {{shape.heads}, {hidden}});
}

model::CacheGroup index_cache(const Extent& layers, const Extent& head_dim) {
  return {.name = "layers.*.self_attn.indexer",
          .kind = model::CacheKind::index,
          .layers = layers,
          .per_token = {{"index key", {head_dim}, {}, "fp8-group128"}},
          .per_sequence = {},
          .window = {},
          .compress = {}};
}

}  // namespace ullage::import
