// Bytes of optimizer state, tensor by tensor, for optimizers that do not keep the same for each
// parameter.
#pragma once

#include "memory/rank_parameters.hpp"
#include "memory/state_bytes.hpp"

namespace ullage::memory {

struct OptimizerChoice {
  const Optimizer* optimizer = nullptr;
  std::optional<model::Extent> rank;  // of GaLore's projection
  bool given = false;                 // --state-bytes says the bytes of each parameter
};

// The bytes of each parameter where they are the same for all, as a factor of the formula: the
// recipe's, half of them, or zero. Nothing where they differ by tensor.
std::optional<model::Term> uniform_bytes(const OptimizerChoice& choice, const StateBytes& bytes);

// The bytes that the optimizer keeps of one group of tensors (all repeats). `moments` are the
// recipe's bytes of AdamW's two.
model::Term optimizer_bytes(provenance::Graph& graph, const OptimizerChoice& choice,
                            const StateBytes& bytes, const model::TensorGroup& group);

// The same without a shape, where that is possible: 8-bit moments take every tensor as large.
// Nothing for optimizers that need the shape of matrices.
std::optional<model::Term> literal_bytes(const OptimizerChoice& choice, const StateBytes& bytes);

}  // namespace ullage::memory
