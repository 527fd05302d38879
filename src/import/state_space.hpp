// State-space mixers: Mamba (first version) and Mamba-2, with the state that they keep.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// Mamba-2: one matrix for gate, input, B, C and time steps; a convolution over input, B and C.
struct Mamba2Shape {
  model::Extent heads;
  model::Extent head_dim;
  model::Extent groups;
  model::Extent state;
  model::Extent kernel;
  model::Extent taps;
  bool conv_bias = true;
  bool projection_bias = false;
  bool norm = true;          // a gated norm of the inner width before the output
  std::string state_format;  // as the configuration states it
};
// How a family spells the keys of Mamba-2.
struct Mamba2Keys {
  std::string_view heads;
  std::string_view head_dim;
  std::string_view groups;
  std::string_view state;
  std::string_view kernel;
  std::string_view conv_bias;
  std::string_view projection_bias;
  std::string_view format = {};  // of the state; empty where the family has no such key
};
// `mamba_n_heads`, `mamba_d_head` and so on: Falcon-H1, Granite 4, Bamba.
inline constexpr Mamba2Keys kShortMamba2Keys{"mamba_n_heads",  "mamba_d_head", "mamba_n_groups",
                                             "mamba_d_state",  "mamba_d_conv", "mamba_conv_bias",
                                             "mamba_proj_bias"};
// The numbers under these keys; the convolution has a bias by default, the projections have none.
base::Result<Mamba2Shape> read_mamba2_shape(ConfigReader& config, const Mamba2Keys& keys);

void add_mamba2(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
                const Mamba2Shape& shape);
model::CacheGroup mamba2_cache(ConfigReader& config, const model::Extent& layers,
                               const Mamba2Shape& shape);

// Mamba: a state for each inner channel, time steps through a narrow waist.
struct MambaShape {
  model::Extent inner;
  model::Extent state;
  model::Extent rank;  // of the time steps
  model::Extent kernel;
  model::Extent taps;
  bool conv_bias = true;
  bool projection_bias = false;
  bool inner_norms = false;  // of time steps, B and C (Jamba)
};
void add_mamba(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
               const MambaShape& shape);
model::CacheGroup mamba_cache(const model::Extent& layers, const MambaShape& shape);

}  // namespace ullage::import
