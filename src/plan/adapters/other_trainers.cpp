// torchtune, MaxText and nanotron configurations.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/training.hpp"
#include "plan/files/maxtext.hpp"

namespace ullage::plan {

using document::Type;
using document::Value;

bool takes_torchtune(const PlanDocument& document) {
  const Value& root = document.document.root;
  const auto component = scalar_text(reach(root, {"model", "_component_"}));
  return component && component->starts_with("torchtune");
}

std::vector<Workload> read_torchtune(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "torchtune", Dialect::trainer);
  file.take({"model", "_component_"}, Knob::model);
  file.take({"tokenizer", "max_seq_len"}, Knob::sequence);
  file.take({"batch_size"}, Knob::microbatch);
  file.take({"gradient_accumulation_steps"}, Knob::accumulation);
  file.take({"optimizer", "_component_"}, Knob::optimizer);
  file.take({"dtype"}, Knob::dtype);
  file.take({"tensor_parallel_dim"}, Knob::tp);
  file.take({"context_parallel_dim"}, Knob::cp);
  file.take({"model", "lora_rank"}, Knob::lora_rank);
  if (const Value* on = file.at({"enable_activation_checkpointing"})) {
    file.settings.put(Knob::recompute, {is_true(on) ? "full" : "none", file.span(*on)});
  }
  const auto component = scalar_text(file.at({"model", "_component_"})).value_or("");
  if (component.find("qlora") != std::string::npos) {
    file.settings.put(Knob::quantization, {"nf4", file.span(*file.at({"model", "_component_"}))});
  }
  if (const Value* targets = file.at({"model", "lora_attn_modules"})) {
    for (const Value& target : targets->items)
      file.workload.lora_targets.push_back(target.text);
  }
  Workload& workload = file.settle_in();
  // The distributed recipes shard with FSDP; the single-device ones say so by name.
  workload.host_optimizer = file.is_on({"fsdp_cpu_offload"});
  workload.host_parameters = workload.host_optimizer;
  workload.host_activations = file.is_on({"enable_activation_offloading"});
  const bool is_distributed = file.at({"fsdp_cpu_offload"}) != nullptr ||
                              file.at({"custom_sharded_layers"}) != nullptr ||
                              file.at({"tensor_parallel_dim"}) != nullptr;
  if (is_distributed) workload.zero = Number{exact::Rational{3}, workload.where};
  workload.shards_rest = is_distributed;
  return {std::move(workload)};
}

bool takes_maxtext(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"base_config"}) != nullptr ||
         (reach(root, {"per_device_batch_size"}) != nullptr &&
          (reach(root, {"max_target_length"}) != nullptr ||
           reach(root, {"model_name"}) != nullptr));
}

std::vector<Workload> read_maxtext(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "maxtext", Dialect::trainer);
  std::vector<MaxTextKey> keys;
  for (const document::Member& member : document.document.root.members) {
    if (auto word = file.word(&member.value)) keys.push_back({member.key, *std::move(word)});
  }
  file.settings = maxtext_settings(keys);
  Workload& workload = file.settle_in();
  read_maxtext_layout(keys, workload);
  return {std::move(workload)};
}

bool takes_nanotron(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"parallelism", "tp"}) != nullptr && reach(root, {"tokens"}) != nullptr &&
         reach(root, {"model", "model_config"}) != nullptr;
}

std::vector<Workload> read_nanotron(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "nanotron", Dialect::megatron);
  file.workload.name = scalar_text(file.at({"general", "run"})).value_or("");
  file.take({"parallelism", "tp"}, Knob::tp);
  file.take({"parallelism", "pp"}, Knob::pp);
  file.take({"parallelism", "dp"}, Knob::dp);
  file.take({"parallelism", "expert_parallel_size"}, Knob::ep);
  file.take({"parallelism", "context_parallel_size"}, Knob::cp);
  file.take({"tokens", "micro_batch_size"}, Knob::microbatch);
  file.take({"tokens", "sequence_length"}, Knob::sequence);
  file.take({"tokens", "batch_accumulation_per_replica"}, Knob::accumulation);
  file.take({"optimizer", "zero_stage"}, Knob::zero);
  file.take({"optimizer", "optimizer_factory", "name"}, Knob::optimizer);
  file.take({"model", "dtype"}, Knob::dtype);
  file.take({"model", "model_config", "num_hidden_layers"}, Knob::num_layers);
  file.take({"model", "model_config", "hidden_size"}, Knob::hidden_size);
  file.take({"model", "model_config", "intermediate_size"}, Knob::ffn_hidden_size);
  file.take({"model", "model_config", "num_attention_heads"}, Knob::heads);
  file.take({"model", "model_config", "num_key_value_heads"}, Knob::kv_heads);
  file.take({"model", "model_config", "vocab_size"}, Knob::vocabulary);
  if (const Value* on = file.at({"parallelism", "recompute_layer"})) {
    file.settings.put(Knob::recompute, {is_true(on) ? "full" : "none", file.span(*on)});
  }
  Workload& workload = file.settle_in();
  // The launcher must start exactly dp × tp × pp × cp ranks.
  if (workload.dp && workload.tp && workload.pp) {
    const exact::Rational cp = workload.cp ? workload.cp->value : exact::Rational{1};
    workload.devices = Number{workload.dp->value * workload.tp->value * workload.pp->value * cp,
                              workload.dp->where};
  }
  return {std::move(workload)};
}

}  // namespace ullage::plan
