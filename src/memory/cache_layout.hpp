// How caches are laid out over devices: the parallel degrees, each with its figure.
#pragma once

#include <vector>

#include "memory/shards.hpp"

namespace ullage::memory {

struct CacheLayout {
  model::Extent tensor;    // ranks that share each matrix
  model::Extent pipeline;  // stages of consecutive layers
  model::Extent data;      // copies that each serve their own sequences
  model::Extent expert;    // ranks that share the experts
  model::Extent context;   // ranks that share the tokens of a sequence
  // Layers of each stage, in order; empty for an even split.
  std::vector<std::int64_t> layer_split = {};
};

}  // namespace ullage::memory
