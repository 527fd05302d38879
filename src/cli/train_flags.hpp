// The flags of training as typed, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "plan/train.hpp"

namespace ullage::cli {

struct TrainArguments {
  std::string model;
  bool sequence_parallel = false;
  std::optional<std::string> on, assume, rules, recipe, optimizer, weights, bits, state_bytes,
      galore_rank, zero, tp, pp, dp, cp, ep, expert_tp, dp_shard, sequence, microbatch,
      microbatches, virtual_pipeline, schedule, expert_imbalance, recompute, kernels, attention,
      loss, lora_rank, lora_targets, base_weights, offload, zero_init, devices_per_node,
      largest_layer, reduce_bucket, allgather_bucket, prefetch_bucket, capacity, reserve, devices;
  std::vector<std::string> overheads;
};

// Every flag of `ullage train`, bound to `arguments`.
std::vector<Flag> train_flags(TrainArguments& arguments);

// Errors: usage naming the flag and what it takes.
base::Result<plan::TrainRequest> train_request(const TrainArguments& arguments);

}  // namespace ullage::cli
