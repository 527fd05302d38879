// Floating-point operations of one token: a multiply and an add are two, the backward pass is twice
// the forward one, and what is computed again for memory's sake is no model FLOP.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/layer_kinds.hpp"

namespace ullage::compute {

// FLOP for one token.
struct FlopsPerToken : units::Measure<units::Dimension{.flop = 1, .token = -1}> {};

// What is multiplied by six: matrices that a token passes, or parameters.
enum class Basis : std::uint8_t {
  matrices,             // each matrix that a token is multiplied with
  parameters_no_table,  // all parameters but an untied input table
  parameters,           // all parameters
  gpt_shape,            // 12 × layers × hidden² and one head, whatever the tensors are
};

struct FlopsRules {
  std::string_view name;
  std::string_view help;
  Basis basis;
  bool router;              // whether the matrix that chooses experts counts
  bool norms_of_latents;    // whether norms of latent attention and of prediction modules count
  bool selective_is_whole;  // selective recompute adds the whole score term instead of its forward
  bool sparse_attention;    // whether only the tokens count that an indexer chooses
  std::string_view citation;
};
std::span<const FlopsRules> flops_rules();
// Error usage with suggestions.
base::Result<const FlopsRules*> find_flops_rules(std::string_view name);

enum class Repeat : std::uint8_t { none, selective, op_selective, full };

struct FlopsQuestion {
  const FlopsRules* rules = nullptr;
  model::Extent sequence;
  bool causal = false;  // whether the masked half of the scores is left out
  Repeat recompute = Repeat::none;
  std::vector<model::TensorGroup> adapters = {};  // LoRA: all else is frozen
};

struct FlopsAnswer {
  provenance::Figure<units::Count> passed;  // parameters that the rules multiply
  provenance::Figure<FlopsPerToken> forward;
  provenance::Figure<FlopsPerToken> training;
  provenance::Figure<FlopsPerToken> hardware;   // with what is computed again; may be unknown
  provenance::Figure<FlopsPerToken> attention;  // scores and states within training
};

// FLOPs of a decoder. Windowed layers attend to the mean number of keys, and where an indexer
// chooses tokens only those are attended to, while the indexer scores all. With op-selective
// recompute (torchtitan's, which keeps every second matrix product) the hardware figure is known
// for grouped heads and dense MLPs only.
FlopsAnswer flops_of(provenance::Graph& graph, const model::Inventory& inventory,
                     const model::LayerKinds& kinds, const FlopsQuestion& question);

// 6 × parameters without a term for attention, which only a shape gives.
FlopsAnswer flops_of_total(provenance::Graph& graph, provenance::Figure<units::Count> parameters,
                           const FlopsQuestion& question);

// Matrices that one token passes: attention, MLP, its experts and the shared ones, router, and the
// head once for each prediction depth.
model::Term passed_matrices(provenance::Graph& graph, const model::Inventory& inventory,
                            const model::LayerKinds& kinds, const FlopsRules& rules);

// Keys that a token of a layer attends to: the sequence, half of it where the mask is credited, and
// for windows and chosen tokens the mean over the sequence.
model::Term attended_keys(const model::MixerLayers& mixer, const model::Extent& sequence,
                          bool causal);

}  // namespace ullage::compute
