// Blocks of transformer encoders: text encoders, and the vision towers SigLIP, CLIP and Pixtral.
#pragma once

#include "import/dense.hpp"

namespace ullage::import {

// One layer of an encoder, and the cross-attention of a decoder.
struct EncoderLayer {
  model::Extent width;
  model::Extent intermediate;
  model::Axis inner = {};  // all heads together, where it is not the width
  bool attention_bias = true;
  bool key_bias = true;  // Whisper has none on k
  bool mlp_bias = true;
  bool gated = false;
  int norms = 2;
  bool norm_bias = true;
};

// q, k, v and output of one attention under `name`.
void add_encoder_attention(TensorList& layers, const std::string& name, const EncoderLayer& layer);
// Attention, two or three matrices, norms.
void add_encoder_layer(ConfigReader& config, TensorList& layers, const EncoderLayer& layer);

// hidden_size, intermediate_size, num_hidden_layers of a tower, and the sizes of its images.
struct TowerShape {
  model::Extent width;
  model::Extent intermediate;
  model::Extent layers;
  model::Extent channels;
  model::Extent patch;
  std::optional<model::Extent> image = {};  // pixels a side; nothing where no table depends on it
};
base::Result<TowerShape> read_tower(ConfigReader& vision, bool learned_positions);
// (image ÷ patch)² + `more` rows. Error out_of_range where the patch does not divide the image.
base::Result<model::Extent> tower_positions(ConfigReader& vision, const TowerShape& tower,
                                            std::int64_t more);

// SigLIP: patches with a bias, learned positions, a norm at the end. Returns its width.
base::Result<model::Extent> add_siglip(ConfigReader& vision, model::Inventory& inventory);
// CLIP: a class token, patches without a bias, norms at both ends. Returns its width.
base::Result<model::Extent> add_clip(ConfigReader& vision, model::Inventory& inventory);
// Pixtral: rotary positions, gated MLP, RMS norms, no biases. Returns its width.
base::Result<model::Extent> add_pixtral(ConfigReader& vision, model::Inventory& inventory);

}  // namespace ullage::import
