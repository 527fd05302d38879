// State-space mixers: Mamba (first version) and Mamba-2, with the state that they keep.
#pragma once

#include <optional>
#include <string>

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
