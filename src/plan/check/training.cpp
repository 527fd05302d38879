// Training: floor and upper figure of the fullest rank, by the framework's accounting.
#include <algorithm>
#include <array>

#include "plan/check/need.hpp"
#include "plan/train.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using units::Bytes;

struct Accounting {
  std::string_view kind;
  std::string_view rules;
  std::string_view recipe;
};
// Whose accounting a kind of file has, and the bytes a parameter of its usual precision.
constexpr std::array kAccounting{
    Accounting{"megatron", "megatron-lm", "mixed-fp32-grad"},
    Accounting{"nemo", "megatron-lm", "mixed-fp32-grad"},
    Accounting{"nxd-training", "nxd-training", "mixed-fp32-grad"},
    Accounting{"torchtitan", "torchtitan", "fsdp2"},
    Accounting{"torchtune", "ideal", "bf16-pure"},
    Accounting{"maxtext", "maxtext", "jax"},
    Accounting{"nanotron", "nanotron", "mixed-fp32-grad"},
    Accounting{"axolotl", "ideal", "fsdp2"},
    Accounting{"accelerate", "ideal", "fsdp2"},
    Accounting{"deepspeed", "deepspeed", "mixed-fp32-grad"},
};

Accounting accounting_of(const Workload& workload) {
  const std::string& trainer = workload.trainer.empty() ? workload.kind : workload.trainer;
  for (const Accounting& row : kAccounting) {
    if (row.kind == trainer) return row;
  }
  const bool is_megatron = trainer == "llamafactory" && (workload.pp || workload.ep);
  return {workload.kind, "ideal", is_megatron ? "mixed-fp32-grad" : "fsdp2"};
}

TrainRequest request_of(const Subject& subject, bool ideal) {
  const Workload& workload = subject.workload;
  const Accounting accounting = accounting_of(workload);
  TrainRequest request;
  request.rules = ideal ? "ideal" : std::string(accounting.rules);
  request.recipe = std::string(accounting.recipe);
  if (workload.native) {
    if (!workload.native->rules.text.empty()) request.rules = workload.native->rules.text;
    request.recipe.reset();
    if (!workload.native->recipe.text.empty()) request.recipe = workload.native->recipe.text;
    if (workload.native->microbatches) {
      request.microbatches = subject.given(*workload.native->microbatches);
    }
  }
  if (workload.optimizer) request.optimizer = workload.optimizer->text;
  const auto number = [&](const std::optional<Number>& from) -> std::optional<GivenNumber> {
    if (!from) return std::nullopt;
    return subject.given(*from);
  };
  request.zero = number(workload.zero);
  if (!request.zero && accounting.rules == "maxtext") {
    request.zero =
        GivenNumber{Rational{3}, "MaxText's default ici_fsdp_parallelism of -1 (configs/base.yml)"};
  }
  for (const auto& [name, bytes] : workload.state_bytes)
    request.state_bytes.push_back({name, subject.given(bytes)});
  request.tp = number(workload.tp);
  request.pp = number(workload.pp);
  request.cp = number(workload.cp);
  request.ep = number(workload.ep);
  request.expert_tp = number(workload.expert_tensor_parallel);
  request.virtual_stages = number(workload.virtual_pipeline);
  request.sequence = number(workload.sequence);
  request.microbatch = number(workload.microbatch);
  request.dp =
      GivenNumber{subject.ranks.dp, workload.dp ? text_of(workload.dp->where)
                                                : "ranks ÷ (tensor × pipeline × context parallel)"};
  if (workload.dp_shard && workload.dp && workload.dp_shard->value < workload.dp->value) {
    request.dp_shard = subject.given(*workload.dp_shard);
  }
  request.sequence_parallel = workload.sequence_parallel;
  if (workload.recompute) {
    const std::string& name = workload.recompute->text;
    if (name == "full") request.recompute = memory::Recompute::full;
    if (name == "selective" || name == "op-selective") {
      request.recompute = memory::Recompute::selective;
    }
  }
  if (workload.lora_rank && workload.lora_rank->value.sign() > 0) {
    request.lora_rank = subject.given(*workload.lora_rank);
    request.lora_targets = workload.lora_targets;
    const bool is_low = workload.weights && !workload.weights_from_dtype;
    if (is_low) request.base_weights = workload.weights->text;
  }
  request.offload_optimizer = workload.host_optimizer;
  request.offload_parameters = workload.host_parameters;
  return request;
}

}  // namespace

void find_training_need(Subject& subject) {
  if (subject.workload.host_experts) {
    subject.open.push_back("parts of the weights are kept on the host, and how much is not known");
    return;
  }
  const auto& rank = subject.workload.lora_rank;
  if (rank && rank->value.sign() > 0 && subject.workload.lora_targets.empty()) {
    subject.open.push_back("the file names no modules that get adapters");
    return;
  }
  auto row =
      train_row(request_of(subject, false), *subject.model, subject.catalogue, subject.graph);
  if (!row)
    row = train_row(request_of(subject, true), *subject.model, subject.catalogue, subject.graph);
  if (!row) {
    subject.open.push_back(row.error().message);
    return;
  }
  // Activations that move to the host, or of which a list says what is kept, leave the states as
  // the floor.
  const bool states_only = subject.workload.host_activations || subject.workload.custom_recompute;
  const char* floor = states_only ? "model_states_per_device" : "total_floor_per_device";
  for (const provenance::NamedFigure& figure : row->results) {
    if (figure.name == floor) {
      if (auto bytes = subject.graph.narrow<Bytes>(figure.figure)) subject.training.floor = *bytes;
    }
    if (figure.name == "total_upper_per_device") {
      if (auto bytes = subject.graph.narrow<Bytes>(figure.figure)) subject.training.upper = *bytes;
    }
    subject.add(figure.name, figure.figure);
  }
  for (const base::Note& note : row->notes)
    subject.row.notes.push_back(note);
}

}  // namespace ullage::plan
