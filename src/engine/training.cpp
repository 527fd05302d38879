// The frameworks.
#include "engine/training.hpp"

#include <array>
#include <vector>

#include "base/spelling.hpp"

namespace ullage::engine {
namespace {

constexpr std::array<TrainingRules, 8> kRules{{
    {"ideal", "arithmetic over the tensors; no program's faults", Accounting::ideal,
     "mixed-fp32-grad", "mixed-fp32-grad", 0, 3, "", "zero-paper", "Table 1"},
    {"megatron-lm", "Megatron-LM's report of theoretical memory", Accounting::megatron_lm,
     "mixed-fp32-grad", "mixed-fp32-grad", 0, 1,
     "Megatron-LM's report: dense optimizer states are not shared over context parallel ranks, "
     "activations of MoE layers are priced as dense ones (its issue 1784), and without sequence "
     "parallelism and selective recompute the MLP's width is not read and 5 % are added",
     "megatron-memory-report", "compute_weight_and_optimizer_memory, compute_activation_memory"},
    {"megatron-bridge", "Megatron-Bridge's memory estimator", Accounting::megatron_bridge,
     "mixed-fp32-grad", "mixed-fp32-grad", 0, 1,
     "Megatron-Bridge's estimator: norms are counted with a bias and divided by tp, the router is "
     "left out, and the optimizer is distributed unless --zero 0 says otherwise; activations "
     "assume "
     "sequence parallelism and selective recompute whatever the flags say, and its report prints "
     "them with both only",
     "megatron-bridge-memory-report", "theoretical_memory_utils.py"},
    {"deepspeed", "DeepSpeed's ZeRO-2 and ZeRO-3 estimators", Accounting::deepspeed,
     "mixed-fp32-grad", "mixed-fp32-grad", 0, 3,
     "DeepSpeed prints GiB under the label GB, its ZeRO-2 host figure counts the ranks of all "
     "nodes, and its documentation still explains 4P + 16P/n where the code computes 2P + 18P/n; "
     "its buckets are not in the estimate: they stand in buckets_per_device and in the upper total",
     "deepspeed-estimators", "estimate_zero2_model_states_mem_needs, zero3 likewise"},
    {"torchtitan", "torchtitan with FSDP2: fp32 shards, bf16 copies while in use",
     Accounting::ideal, "fsdp2", "fsdp2", 0, 3,
     "torchtitan shards over dp × cp; what it prints is reserved memory, which includes the "
     "allocator's slack",
     "torchtitan-h100-benchmarks", "tables"},
    {"nanotron", "nanotron: 16-bit and fp32 gradients side by side without ZeRO", Accounting::ideal,
     "nanotron", "nanotron-zero1", 0, 1, "", "nanotron-issue-261", "description"},
    {"maxtext", "MaxText: fp32 weights and moments, gradients inside the step", Accounting::ideal,
     "jax", "jax", 0, 3, "", "maxtext-repository", "memory log"},
    {"nxd-training", "NeuronX Distributed Training: ZeRO-1 with fp32 gradients and master",
     Accounting::ideal, "mixed-fp32-grad", "mixed-fp32-grad", 0, 1,
     "whether a bf16 gradient stays beside the fp32 buffer is not documented; the stack's pages "
     "are archived (SDK 2.28)",
     "nxd-training-config", "ZeRO-1, mixed_precision"},
}};

}  // namespace

std::span<const TrainingRules> training_rules() {
  return kRules;
}

base::Result<const TrainingRules*> find_training_rules(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const TrainingRules& rules : kRules) {
    if (rules.name == name) return &rules;
    names.push_back(rules.name);
    all += (all.empty() ? "" : ", ") + std::string(rules.name);
  }
  const auto close = base::nearest(name, names, 2);
  return base::Diagnostic{.code = base::Code::usage,
                          .message = "--rules " + base::printable(name) + " is not known",
                          .span = {},
                          .hint = close.empty() ? all : base::did_you_mean(close),
                          .notes = {}};
}

}  // namespace ullage::engine
