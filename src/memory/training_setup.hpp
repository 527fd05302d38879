// How a model is trained: the degrees, batch and switches that every part of the count shares, each
// number with its figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/term.hpp"

namespace ullage::memory {

enum class Recompute : std::uint8_t { none, selective, op_selective, full };
enum class Kernels : std::uint8_t { fused, eager, korthikanti };
enum class AttentionKernel : std::uint8_t { flash, unfused };
enum class Loss : std::uint8_t { fused, eager, chunked };
enum class Schedule : std::uint8_t { one_forward_one_backward, gpipe };

// Parallel degrees. A degree that is 1 is left out of formulas.
struct TrainingRanks {
  model::Extent tensor;
  model::Extent pipeline;
  model::Extent data;
  model::Extent context;
  model::Extent expert;
  model::Extent expert_tensor;
  // Data parallel ranks that share one copy of the sharded states: all of them, or the group of
  // hybrid sharding.
  model::Extent shard;
  bool sequence_parallel = false;
};

struct TrainingBatch {
  model::Extent sequence;                     // tokens
  model::Extent microbatch;                   // sequences of one microbatch
  std::optional<model::Extent> microbatches;  // in one step; nothing: as many as the pipeline holds
  std::optional<model::Extent> virtual_stages;  // chunks of layers on each stage
  Schedule schedule = Schedule::one_forward_one_backward;
};

struct ActivationChoice {
  Recompute recompute = Recompute::none;
  std::optional<Kernels> kernels;  // nothing: fused for the floor, eager for the upper figure
  AttentionKernel attention = AttentionKernel::flash;
  std::optional<Loss> loss;             // nothing: both bounds
  std::optional<model::Extent> chunks;  // of a chunked loss
  model::Extent imbalance;              // load of the fullest expert ÷ mean load
};

// Which part of the model a rank holds. Without a pipeline there is one stage.
enum class TrainingStage : std::uint8_t { only, first, last };
std::vector<TrainingStage> stages_of(const TrainingRanks& ranks);
std::string_view name_of(TrainingStage stage);

// The degree as a factor of a formula: the constant 1 where it is 1.
model::Term degree(const model::Extent& extent);

// Tokens of one microbatch on one rank: sequence × microbatch ÷ cp.
model::Term tokens_of(const TrainingBatch& batch, const TrainingRanks& ranks);

// Ranks that share what is sharded: shard × cp; for routed experts shard × cp × tp ÷ (ep × etp).
model::Term shard_group(const TrainingRanks& ranks);
model::Term expert_shard_group(const TrainingRanks& ranks);

}  // namespace ullage::memory
