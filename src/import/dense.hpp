// Decoders whose layers are all alike: what differs between families is data of one description.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/blocks.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// A class of transformers (or of a repository's own code) and whether it ties the head by default.
struct HeadDefault {
  bool tied = false;
  std::string_view class_name;
};

struct DenseShape {
  DecoderShape decoder;
  AttentionShape attention;
  model::Extent intermediate;
  bool gated = true;        // gate, up and down; else two matrices
  bool mlp_bias = false;    // on every matrix of the MLP
  bool norm_bias = false;   // layer norms with a bias, else one weight a channel
  int layer_norms = 2;      // norms of hidden_size in a layer
  bool wide_norms = false;  // q and k normed over all their heads (OLMo 2)
  bool lists_mlp = true;    // false where the family adds experts instead
  bool head_bias = false;
  std::optional<model::Extent> positions = {};  // a learned table
};

// The spellings of hidden_size, num_hidden_layers and so on in GPT-2's configurations, and those of
// the reduced schema that some tools keep (hidden_dim, ffn_embed_dim).
void spell_like_gpt2(ConfigReader& config);

// tie_word_embeddings of `config`, else of `outer` (a configuration around it), else the class
// default, which a note names.
base::Result<bool> read_tied_head(ConfigReader& config, const HeadDefault& by_default,
                                  ConfigReader* outer = nullptr);

// The numbers of a plain decoder: read_decoder_shape, read_attention_shape, intermediate_size.
base::Result<DenseShape> read_dense_shape(ConfigReader& config, const HeadDefault& head,
                                          ConfigReader* outer = nullptr);
// Likewise without intermediate_size, which is `factor` × hidden_size where it is absent.
base::Result<DenseShape> read_widened_shape(ConfigReader& config, const HeadDefault& head,
                                            std::int64_t factor);

// Every tensor of the description. Caches are added apart.
void add_dense(ConfigReader& config, model::Inventory& inventory, const DenseShape& shape);
// Tensors, and the cache of every layer, with `window` where they keep only the last tokens.
model::Inventory list_dense(ConfigReader& config, const DenseShape& shape,
                            std::optional<model::Extent> window = {});

// A matrix with an optional bias, and a norm with one.
void add_linear(TensorList& list, const std::string& name, model::Component component,
                const model::Axis& out, const model::Axis& in, bool bias,
                model::Split split = model::Split::replicated);
void add_norm(TensorList& list, const std::string& name, const model::Axis& width, bool bias);

// A fixed number of the architecture that comes with `of`, such as the norms of each layer.
model::Extent constant(ConfigReader& config, std::string name, std::int64_t value, std::string why,
                       const model::Extent& of);

}  // namespace ullage::import
