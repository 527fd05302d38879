// Multi-head latent attention (MLA) and the indexer of sparse attention that goes with it.
#pragma once

#include <optional>

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

struct LatentShape {
  model::Extent heads;
  std::optional<model::Extent> query_rank;  // nothing: queries are projected without compression
  model::Extent latent_rank;                // of the compressed keys and values
  model::Extent nope;                       // of a head, without positions
  std::optional<model::Extent> rope;        // of a head, with positions; nothing: no positions
  model::Extent value;                      // of a head
};

// num_attention_heads, q_lora_rank (absent, null or 0: none), kv_lora_rank, qk_nope_head_dim,
// qk_rope_head_dim, v_head_dim.
base::Result<LatentShape> read_latent_shape(ConfigReader& config);

// The projections and their two inner norms.
void add_latent_attention(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
                          const LatentShape& shape);

// One latent vector and one rotary key a token, which every rank keeps whole.
model::CacheGroup latent_cache(const model::Extent& layers, const LatentShape& shape);

// The indexer that chooses which tokens a sparse layer attends to.
struct IndexerShape {
  model::Extent heads;
  model::Extent head_dim;
  std::optional<model::Extent> chosen = {};  // tokens that a query reads
};
// index_n_heads, index_head_dim, and index_topk where it is stated.
base::Result<IndexerShape> read_indexer_shape(ConfigReader& config);
void add_indexer(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
                 const model::Extent& query_rank, const IndexerShape& shape);
// One key a token, shared by the indexer's heads.
model::CacheGroup index_cache(const model::Extent& layers, const model::Extent& head_dim);

}  // namespace ullage::import
