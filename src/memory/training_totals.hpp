// What a rank needs in all, and what sharded weights need on top while they are gathered.
#pragma once

#include "memory/activations.hpp"
#include "memory/training_states.hpp"

namespace ullage::memory {

// Units of weights that ZeRO-3 and FSDP gather whole.
struct Gathered {
  provenance::Figure<units::Bytes> total;
  // What it sums up, where that is known: the root unit (table, head and final norm), the layer in
  // use and the one that is prefetched.
  struct Parts {
    provenance::Figure<units::Bytes> root;
    provenance::Figure<units::Bytes> layer;
    provenance::Figure<units::Bytes> prefetched;
  };
  std::optional<Parts> parts = {};
};
// 2 bytes of compute weights and 4 of their gradient for each parameter (2 where the gradient is
// not kept: frozen weights).
Gathered gathered(provenance::Graph& graph, const RankParameters& rank, const TrainingRanks& ranks,
                  const model::LayerKinds& kinds, bool frozen);

// One stage, ready to be added up.
struct StageNeeds {
  TrainingStage stage = TrainingStage::only;
  RankStates states;
  Bounds activations;
  Bounds logits;
  Gathered gathered;
  std::optional<provenance::Figure<units::Bytes>> buckets = {};  // of collectives
};

struct TotalRules {
  bool one_microbatch = true;    // gradients appear while activations disappear: the larger counts
  bool gradients_leave = false;  // offloaded optimizer under ZeRO-3: gradients go to the host
  bool logits_inside = false;    // the activations' figure holds them
};

// Floor: weights, master weights and optimizer, and the larger of gradients and of activations with
// logits (their sum with several microbatches). Upper: everything, gathered units and buckets
// included.
Bounds stage_totals(provenance::Graph& graph, const StageNeeds& needs, const TotalRules& rules,
                    const std::vector<provenance::Figure<units::Bytes>>& overheads);

}  // namespace ullage::memory
