// Parameters on one rank of a layout: each tensor divided as its split says, layers dealt evenly
// over stages, routed experts over their own groups.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "memory/training_setup.hpp"

namespace ullage::memory {

// What of each group is added up: its elements, or the bytes that an optimizer keeps of it. Nothing
// leaves the group out.
using PerGroup = std::function<std::optional<model::Term>(const model::TensorGroup&)>;

struct RankShare {
  model::Term dense;    // everything but routed experts
  model::Term experts;  // routed experts
};

// The share of one rank of `stage`. Weights are counted once; a tied table stands on the first and
// on the last stage. Layers are dealt evenly: a fraction where they do not divide, which no real
// stage falls below. Heads are dealt out whole: no rank holds less than one of a matrix's heads.
// `what` names the figures (`parameters`).
RankShare share_of(provenance::Graph& graph, const std::vector<model::TensorGroup>& groups,
                   const TrainingRanks& ranks, TrainingStage stage, const std::string& what,
                   const PerGroup& per_group);

// The parts of a rank's parameters that answers show.
struct RankParameters {
  provenance::Figure<units::Count> dense;
  std::optional<provenance::Figure<units::Count>> experts;  // of routed experts, where there are
  provenance::Figure<units::Count> total;
  std::optional<provenance::Figure<units::Count>> embeddings;  // table and head, within `dense`
  std::optional<provenance::Figure<units::Count>>
      replicated;      // on each tensor rank, within `dense`
  RankShare matrices;  // of the layers, for recipes that keep them in another width
  TrainingStage stage = TrainingStage::only;
};
RankParameters rank_parameters(provenance::Graph& graph,
                               const std::vector<model::TensorGroup>& groups,
                               const TrainingRanks& ranks, TrainingStage stage);

// Whether a group is a matrix inside a layer: what FP8 copies, NF4 and Muon apply to.
bool is_layer_matrix(const model::TensorGroup& group);
// Elements of one tensor of the group.
exact::Rational single_tensor(const model::TensorGroup& group);

}  // namespace ullage::memory
