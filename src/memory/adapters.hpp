// LoRA: the small matrices that are trained beside frozen ones.
#pragma once

#include <string>
#include <vector>

#include "model/inventory.hpp"

namespace ullage::memory {

// For each matrix that a target names (`q_proj`, `all-linear` for every matrix of a layer) a matrix
// rank × inputs and one outputs × rank (arXiv 2106.09685, section 4). Target names are those of the
// checkpoint; names of matrices that checkpoints store fused (`qkv_proj`, `gate_up_proj`, `c_attn`)
// mean one adapter over all their parts. Error usage for a target that names nothing.
base::Result<std::vector<model::TensorGroup>> adapters(provenance::Graph& graph,
                                                       const model::Inventory& inventory,
                                                       const model::Extent& rank,
                                                       const std::vector<std::string>& targets);

}  // namespace ullage::memory
