// Mixtures of experts after a router: routed experts, shared ones, and the layers that have them.
#pragma once

#include <optional>
#include <string_view>

#include "import/blocks.hpp"
#include "import/layer_pattern.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

struct MixtureShape {
  ExpertShape routed;
  std::optional<model::Extent> shared;  // the width of all shared experts together
  bool correction_bias = false;         // one number an expert beside the router
  bool shared_gate = false;             // one more row that weighs the shared expert
};

// n_routed_experts, num_experts_per_tok, moe_intermediate_size, n_shared_experts (absent or 0:
// none; each as wide as a routed one).
base::Result<MixtureShape> read_deepseek_mixture(ConfigReader& config, bool correction_bias);

// The router, its correction, the routed and the shared experts, each with gate, up and down.
void add_mixture(TensorList& layers, const model::Extent& hidden, const MixtureShape& shape);

// Gate, up and down of one MLP, in `component`.
void add_gated_projections(TensorList& layers, std::string_view prefix, model::Component component,
                           const model::Extent& hidden, const model::Extent& intermediate);

// Which layers hold a dense MLP and which a mixture.
struct SparseLayers {
  std::optional<model::Extent> dense;
  std::optional<model::Extent> sparse;
};
// From mlp_layer_types, a list moe_layer_freq, or first_k_dense_replace with a number
// moe_layer_freq, whichever the config has.
base::Result<SparseLayers> read_dense_first(ConfigReader& config, const model::Extent& layers);

}  // namespace ullage::import
