// Linear attention that keeps a state instead of keys and values: gated delta net and Kimi delta
// attention.
#pragma once

#include <string>

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// A state of fixed size in `layers` layers: `state` (divided by its heads) and the last inputs of
// a short convolution over `channels`. `format` is what the configuration states for the state.
model::CacheGroup recurrent_cache(std::string name, const model::Extent& layers, model::Axis state,
                                  const model::Extent& heads, const model::Extent& channels,
                                  const model::Extent& taps, std::string format);

// kernel − 1: the inputs that a convolution keeps. Error out_of_range for a kernel of 1.
base::Result<model::Extent> kept_taps(ConfigReader& config, const model::Extent& kernel);

// Gated delta net (Qwen3-Next and Qwen3.5).
struct DeltaNetShape {
  model::Extent key_heads;
  model::Extent value_heads;
  model::Extent key_dim;
  model::Extent value_dim;
  model::Extent kernel;
  model::Extent taps;
  std::string state_format;
};
// linear_num_key_heads, linear_num_value_heads, linear_key_head_dim, linear_value_head_dim,
// linear_conv_kernel_dim, mamba_ssm_dtype.
base::Result<DeltaNetShape> read_delta_net_shape(ConfigReader& config);
void add_delta_net(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
                   const DeltaNetShape& shape);
model::CacheGroup delta_net_cache(ConfigReader& config, const model::Extent& layers,
                                  const DeltaNetShape& shape);

// Kimi delta attention: a delta net whose gates pass through a narrow waist.
struct KimiDeltaShape {
  model::Extent heads;
  model::Extent head_dim;
  model::Extent kernel;
  model::Extent taps;
  bool full_rank_gate = false;  // one matrix for the output gate instead of two through a waist
};
// num_heads, head_dim, short_conv_kernel_size of linear_attn_config.
base::Result<KimiDeltaShape> read_kimi_delta_shape(ConfigReader& linear);
void add_kimi_delta(TensorList& layers, const model::Extent& hidden, const KimiDeltaShape& shape);
model::CacheGroup kimi_delta_cache(ConfigReader& config, const model::Extent& layers,
                                   const KimiDeltaShape& shape);

}  // namespace ullage::import
