// The building blocks of decoder-only transformers, shared by the families.
#pragma once

#include <optional>

#include "import/config_reader.hpp"
#include "model/inventory.hpp"

namespace ullage::import {

// Numbers that every plain decoder has.
struct DecoderShape {
  model::Extent hidden;
  model::Extent layers;
  model::Extent vocabulary;
  bool tied_head = false;
};

// hidden_size, num_hidden_layers, vocab_size, tie_word_embeddings (`tied` is the class default).
base::Result<DecoderShape> read_decoder_shape(ConfigReader& config, bool tied);

// Grouped-query attention: q, k, v and output projections.
struct AttentionShape {
  model::Extent heads;
  model::Extent kv_heads;
  model::Extent head_dim;
  bool input_bias = false;  // on q, k and v
  bool output_bias = false;
  bool head_norms = false;  // an RMS norm of head_dim on q and on k
};

// num_attention_heads, num_key_value_heads (absent: as many as heads), head_dim (absent: `head_dim`
// of the class, else hidden ÷ heads).
base::Result<AttentionShape> read_attention_shape(ConfigReader& config, const model::Extent& hidden,
                                                  std::optional<model::Extent> class_head_dim = {});

// The projections of `layers` layers. Their cache is added apart, since windows differ by layer.
void add_attention(model::Inventory& inventory, const model::Extent& layers,
                   const model::Extent& hidden, const AttentionShape& shape);

// Keys and values of `layers` layers; `window` for those that keep only the last tokens.
void add_attention_cache(model::Inventory& inventory, const model::Extent& layers,
                         const AttentionShape& shape, std::optional<model::Extent> window = {});

// Gate, up and down projections of a gated MLP in `layers` layers.
void add_gated_mlp(model::Inventory& inventory, const model::Extent& layers,
                   const model::Extent& hidden, const model::Extent& intermediate, bool bias);

// A mixture of gated experts with its router, in `layers` layers.
struct ExpertShape {
  model::Extent experts;
  model::Extent chosen;
  model::Extent intermediate;
};
// `experts_key` (how many), num_experts_per_tok (how many a token passes) and `width_key`. Error
// out_of_range where a token would pass more than there are.
base::Result<ExpertShape> read_expert_shape(ConfigReader& config, std::string_view experts_key,
                                            std::string_view width_key);
void add_experts(model::Inventory& inventory, const model::Extent& layers,
                 const model::Extent& hidden, const ExpertShape& shape);

// A gated expert that every token passes, with a gate of its own (hidden × 1) where `gated`.
void add_shared_expert(model::Inventory& inventory, const model::Extent& layers,
                       const model::Extent& hidden, const model::Extent& intermediate, bool gated);

// Two RMS norms a layer and a final one.
void add_decoder_norms(ConfigReader& config, model::Inventory& inventory,
                       const DecoderShape& decoder);

// The input table, and the head unless it is tied.
void add_embeddings(model::Inventory& inventory, const DecoderShape& decoder);

}  // namespace ullage::import
