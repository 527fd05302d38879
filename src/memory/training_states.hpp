// Model states of one rank: weights, gradients, master weights and optimizer, each sharded as the
// ZeRO stage says.
#pragma once

#include "memory/optimizer_states.hpp"

namespace ullage::memory {

// What one rank holds before states are sharded over data parallel ranks, and over how many they
// are.
struct RankLoad {
  model::Term dense{0};
  model::Term experts{0};
  model::Term dense_matrices{0};  // within them: matrices of layers
  model::Term expert_matrices{0};
  model::Term group{1};         // ranks that share what is sharded
  model::Term expert_group{1};  // ranks that share what is sharded of routed experts
};

struct StateSharding {
  int zero = 0;  // 1 the optimizer, 2 gradients too, 3 weights too
  bool offload_optimizer = false;
  bool offload_parameters = false;
};

// Bytes of one rank. What is offloaded is in `host_…` and counts 0 here.
struct RankStates {
  provenance::Figure<units::Bytes> weights;
  provenance::Figure<units::Bytes> gradients;
  provenance::Figure<units::Bytes> master;
  provenance::Figure<units::Bytes> optimizer;
  provenance::Figure<units::Bytes> total;
  std::optional<provenance::Figure<units::Bytes>>
      host;  // of this rank, where something is offloaded
};

// What is trained, apart from what is only held.
struct TrainedPart {
  RankLoad held;     // its weights
  RankLoad trained;  // its gradients, master weights and optimizer
  // Optimizer bytes of `trained` where they differ by tensor; else the bytes of each parameter.
  std::optional<RankShare> optimizer_bytes;
  std::optional<model::Term> optimizer_per_parameter;
  bool frozen = false;
  // Adapters, kept beside `held`, and the bytes of each of their parameters.
  std::optional<RankLoad> adapters;
  model::Term adapter_bytes{0};
};

// Sums of ZeRO Table 1 (arXiv 1910.02054): stage 1 divides the optimizer and the master weights by
// the group, stage 2 the gradients, stage 3 the weights.
RankStates rank_states(provenance::Graph& graph, const StateBytes& bytes,
                       const StateSharding& sharding, const TrainedPart& part,
                       const std::string& on);

}  // namespace ullage::memory
