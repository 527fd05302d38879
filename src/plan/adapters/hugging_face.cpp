// Trainers of the Hugging Face kin: Accelerate, DeepSpeed, Axolotl, LLaMA-Factory.
#include "base/spelling.hpp"
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/launching.hpp"
#include "plan/adapters/training.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

int stage_of(std::string_view strategy) {
  const std::string name = base::lower(strategy);
  if (name == "1" || name.find("full_shard") != std::string::npos ||
      name.find("hybrid_shard") != std::string::npos) {
    return 3;
  }
  if (name == "2" || name.find("grad_op") != std::string::npos) return 2;
  return 0;
}

// FSDP's block, with its keys in the new spelling or the old one (`fsdp_…`).
void take_fsdp(TrainingFile& file, const Value* block) {
  if (block == nullptr || block->type != Type::object) return;
  const Value* strategy = first_of(block, {"fsdp_sharding_strategy", "sharding_strategy"});
  const Value* reshard = first_of(block, {"fsdp_reshard_after_forward", "reshard_after_forward"});
  if (strategy != nullptr) {
    file.workload.zero =
        Number{exact::Rational{stage_of(scalar_text(strategy).value_or(""))}, file.span(*strategy)};
  } else if (reshard != nullptr && reshard->type == Type::boolean) {
    // FSDP2 has no strategy: resharding after forward is full sharding, else the weights stay.
    file.workload.zero = Number{exact::Rational{reshard->boolean ? 3 : 2}, file.span(*reshard)};
  } else {
    file.workload.zero = Number{exact::Rational{3}, file.span(*block)};
  }
  if (is_true(first_of(block, {"fsdp_offload_params", "offload_params"}))) {
    file.workload.host_parameters = true;
    file.workload.host_optimizer = true;
  }
  const Value* recompute =
      first_of(block, {"fsdp_activation_checkpointing", "activation_checkpointing"});
  if (recompute != nullptr) {
    file.workload.recompute = Word{is_true(recompute) ? "full" : "none", file.span(*recompute)};
  }
}

// A DeepSpeed configuration, by itself or inside another file.
void take_deepspeed(TrainingFile& file, const Value* block) {
  if (block == nullptr) return;
  const Value* zero = reach(block, {"zero_optimization"});
  const Value* stage = first_of(block, {"zero_stage"});
  if (stage == nullptr) stage = reach(zero, {"stage"});
  if (stage != nullptr) file.workload.zero = file.count(stage, "zero");
  const auto offloads = [&](const char* flat, const char* nested) {
    const Value* device = reach(block, {flat});
    if (device == nullptr) device = reach(zero, {nested, "device"});
    return device != nullptr && !is_text(device, "none");
  };
  file.workload.host_optimizer = offloads("offload_optimizer_device", "offload_optimizer");
  file.workload.host_parameters = offloads("offload_param_device", "offload_param");
  file.take(reach(block, {"train_micro_batch_size_per_gpu"}), Knob::microbatch);
  file.take(reach(block, {"train_batch_size"}), Knob::global_batch);
  file.take(reach(block, {"gradient_accumulation_steps"}), Knob::accumulation);
  file.take(reach(block, {"optimizer", "type"}), Knob::optimizer);
  for (const auto& [key, format] : {std::pair{"bf16", "bf16"}, std::pair{"fp16", "fp16"}}) {
    const Value* enabled = reach(block, {key, "enabled"});
    if (enabled != nullptr && enabled->type == Type::boolean && enabled->boolean) {
      file.settings.put(Knob::dtype, {format, file.span(*enabled)});
    }
  }
  file.take(reach(block, {"tensor_parallel", "autotp_size"}), Knob::tp);
}

// The file of a reference (`deepspeed: examples/ds_z3.json`), where the set holds it.
void follow_deepspeed(const Reading& reading, TrainingFile& file, const Value* reference) {
  if (reference == nullptr) return;
  if (reference->type == Type::object) {
    take_deepspeed(file, reference);
    return;
  }
  const auto path = scalar_text(reference);
  if (!path || path->empty()) return;
  if (const auto tree = held_tree(reading, *path)) {
    const auto held = held_text(reading, *path);
    const PlanDocument document{held->document->file, *tree};
    TrainingFile other(reading, document, "deepspeed", Dialect::trainer);
    take_deepspeed(other, &document.document.root);
    Workload& found = other.settle_in();
    file.workload.zero = found.zero;
    file.workload.host_optimizer = found.host_optimizer;
    file.workload.host_parameters = found.host_parameters;
    return;
  }
  // Names of the common presets say their stage.
  if (const auto stage = preset_stage(*path)) {
    file.workload.zero = Number{exact::Rational{*stage}, file.span(*reference)};
    file.workload.remarks.push_back(
        {"file-not-given", base::Severity::note,
         "the stage is read from the name of " + *path + ", which is in none of the files given",
         file.span(*reference)});
    return;
  }
  file.workload.unresolved.push_back({"zero", *path, file.span(*reference)});
}

// Degrees of the parallelism block: dp is replicate × shard.
void take_parallelism(TrainingFile& file, const Value* block) {
  if (block == nullptr) return;
  const auto degree = [&](const char* key) {
    return file.count(first_of(block, {std::string("parallelism_config_") + key, key}), key);
  };
  file.workload.tp = degree("tp_size");
  file.workload.cp = degree("cp_size");
  const auto replicate = degree("dp_replicate_size");
  const auto shard = degree("dp_shard_size");
  if (!replicate && !shard) return;
  const exact::Rational one{1};
  file.workload.dp = Number{(replicate ? replicate->value : one) * (shard ? shard->value : one),
                            shard ? shard->where : replicate->where};
  file.workload.dp_shard = shard;
}

// Four or eight bits of a frozen base.
void take_quantised_base(TrainingFile& file, const Value* four, const Value* eight) {
  if (is_true(four)) file.settings.put(Knob::quantization, {"nf4", file.span(*four)});
  if (is_true(eight)) file.settings.put(Knob::quantization, {"int8", file.span(*eight)});
}

// `all`, `all-linear`, `lora_target_linear: true`: every projection of attention and MLP, by the
// names that most families give them.
void take_all_targets(TrainingFile& file) {
  for (const char* name :
       {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}) {
    file.workload.lora_targets.emplace_back(name);
  }
}

void take_targets(TrainingFile& file, const Value* list) {
  if (list == nullptr) return;
  const auto word = scalar_text(list);
  if (word && word->starts_with("all")) take_all_targets(file);
  for (const Value& target : list->items)
    file.workload.lora_targets.push_back(target.text);
}

}  // namespace

bool takes_accelerate(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"compute_environment"}) != nullptr ||
         (reach(root, {"distributed_type"}) != nullptr &&
          reach(root, {"num_processes"}) != nullptr);
}

std::vector<Workload> read_accelerate(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "accelerate", Dialect::trainer);
  take_deepspeed(file, file.at({"deepspeed_config"}));
  take_fsdp(file, file.at({"fsdp_config"}));
  take_parallelism(file, file.at({"parallelism_config"}));
  Workload& workload = file.settle_in();
  if (const auto processes = file.count(file.at({"num_processes"}), "devices")) {
    workload.devices = processes;
  }
  workload.nodes = file.count(file.at({"num_machines"}), "nodes");
  return {std::move(workload)};
}

bool takes_deepspeed(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"zero_optimization"}) != nullptr ||
         reach(root, {"train_micro_batch_size_per_gpu"}) != nullptr;
}

std::vector<Workload> read_deepspeed(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "deepspeed", Dialect::trainer);
  take_deepspeed(file, &document.document.root);
  return {std::move(file.settle_in())};
}

bool takes_axolotl(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"base_model"}) != nullptr &&
         (reach(root, {"micro_batch_size"}) != nullptr || reach(root, {"datasets"}) != nullptr ||
          reach(root, {"sequence_len"}) != nullptr);
}

std::vector<Workload> read_axolotl(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "axolotl", Dialect::trainer);
  file.take({"base_model"}, Knob::model);
  file.take({"revision_of_model"}, Knob::revision);
  file.take({"sequence_len"}, Knob::sequence);
  file.take({"micro_batch_size"}, Knob::microbatch);
  file.take({"gradient_accumulation_steps"}, Knob::accumulation);
  file.take({"optimizer"}, Knob::optimizer);
  file.take({"tensor_parallel_size"}, Knob::tp);
  file.take({"context_parallel_size"}, Knob::cp);
  file.take({"expert_parallel_size"}, Knob::ep);
  file.take({"lora_r"}, Knob::lora_rank);
  take_targets(file, file.at({"lora_target_modules"}));
  if (file.is_on({"lora_target_linear"}) && file.workload.lora_targets.empty()) {
    take_all_targets(file);
  }
  take_quantised_base(file, file.at({"load_in_4bit"}), file.at({"load_in_8bit"}));
  if (const Value* full = file.at({"gradient_checkpointing"}); is_true(full)) {
    file.settings.put(Knob::recompute_on, {"true", file.span(*full)});
  }
  if (const Value* list = file.at({"fsdp"})) {
    for (const Value& item : list->items) {
      const int stage = stage_of(scalar_text(&item).value_or(""));
      if (stage > 0) file.workload.zero = Number{exact::Rational{stage}, file.span(item)};
    }
  }
  if (file.at({"fsdp_config"}) != nullptr) {
    const std::optional<Number> listed = file.workload.zero;
    take_fsdp(file, file.at({"fsdp_config"}));
    if (listed) file.workload.zero = listed;
  }
  if (const Value* reference = file.at({"deepspeed"})) follow_deepspeed(reading, file, reference);
  const std::optional<Word> recompute = file.workload.recompute;
  Workload& workload = file.settle_in();
  if (!workload.recompute) workload.recompute = recompute;
  workload.host_activations = file.is_on({"activation_offloading"}) ||
                              is_text(file.at({"gradient_checkpointing"}), "offload");
  const auto shard = file.count(file.at({"dp_shard_size"}), "dp");
  const auto replicate = file.count(file.at({"dp_replicate_size"}), "dp");
  if (shard || replicate) {
    const exact::Rational one{1};
    workload.dp = Number{(shard ? shard->value : one) * (replicate ? replicate->value : one),
                         shard ? shard->where : replicate->where};
    workload.dp_shard = shard;
    if (shard && !workload.zero) workload.zero = Number{exact::Rational{3}, shard->where};
  }
  return {std::move(workload)};
}

// The newer layout of LLaMA-Factory: `model`, `model_class`, blocks for adapters and sharding.
bool is_llamafactory_v1(const Value& root) {
  return reach(root, {"model"}) != nullptr && reach(root, {"model_class"}) != nullptr;
}

bool takes_llamafactory(const PlanDocument& document) {
  const Value& root = document.document.root;
  const bool trains =
      reach(root, {"micro_batch_size"}) != nullptr || reach(root, {"dist_config"}) != nullptr;
  if (is_llamafactory_v1(root)) return trains;
  return reach(root, {"model_name_or_path"}) != nullptr &&
         (reach(root, {"finetuning_type"}) != nullptr || reach(root, {"cutoff_len"}) != nullptr ||
          reach(root, {"stage"}) != nullptr);
}

std::vector<Workload> read_llamafactory_v1(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "llamafactory", Dialect::trainer);
  file.take({"model"}, Knob::model);
  file.take({"cutoff_len"}, Knob::sequence);
  file.take({"micro_batch_size"}, Knob::microbatch);
  file.take({"global_batch_size"}, Knob::global_batch);
  const bool is_lora = is_text(file.at({"peft_config", "name"}), "lora");
  if (is_lora) file.take({"peft_config", "r"}, Knob::lora_rank);
  take_targets(file, file.at({"peft_config", "target_modules"}));
  const Value* bits = file.at({"quant_config", "quantization_bit"});
  if (bits != nullptr) {
    file.settings.put(Knob::quantization, {is_text(bits, "4") ? "nf4" : "int8", file.span(*bits)});
  }
  const Value* sharding = file.at({"dist_config", "name"});
  const auto name = scalar_text(sharding);
  if (name && name->find("fsdp") != std::string::npos) {
    file.workload.zero = Number{exact::Rational{3}, file.span(*sharding)};
  }
  if (name && *name == "deepspeed") {
    follow_deepspeed(reading, file, file.at({"dist_config", "config_file"}));
  }
  file.take({"optim_config", "name"}, Knob::optimizer);
  for (const auto& [key, knob] : {std::pair{"ep_size", Knob::ep}, std::pair{"cp_size", Knob::cp},
                                  std::pair{"tp_size", Knob::tp}}) {
    file.take({key}, knob);
    file.take({"dist_config", key}, knob);
  }
  if (const Value* on = file.at({"bf16"}); is_true(on)) {
    file.settings.put(Knob::dtype, {"bf16", file.span(*on)});
  }
  const std::optional<Number> zero = file.workload.zero;
  Workload& workload = file.settle_in();
  if (zero) workload.zero = zero;
  return {std::move(workload)};
}

std::vector<Workload> read_llamafactory(const Reading& reading, const PlanDocument& document) {
  if (is_llamafactory_v1(document.document.root)) return read_llamafactory_v1(reading, document);
  TrainingFile file(reading, document, "llamafactory", Dialect::trainer);
  file.take({"model_name_or_path"}, Knob::model);
  file.take({"model_revision"}, Knob::revision);
  file.take({"cutoff_len"}, Knob::sequence);
  file.take({"per_device_train_batch_size"}, Knob::microbatch);
  file.take({"gradient_accumulation_steps"}, Knob::accumulation);
  file.take({"optim"}, Knob::optimizer);
  file.take({"lora_rank"}, Knob::lora_rank);
  file.take({"tensor_model_parallel_size"}, Knob::tp);
  file.take({"pipeline_model_parallel_size"}, Knob::pp);
  file.take({"context_parallel_size"}, Knob::cp);
  file.take({"expert_model_parallel_size"}, Knob::ep);
  file.take({"virtual_pipeline_model_parallel_size"}, Knob::vpp);
  file.take({"recompute_granularity"}, Knob::recompute);
  if (const Value* bits = file.at({"quantization_bit"})) {
    const bool is_four = is_text(bits, "4");
    file.settings.put(Knob::quantization, {is_four ? "nf4" : "int8", file.span(*bits)});
  }
  for (const auto& [key, format] : {std::pair{"bf16", "bf16"}, std::pair{"fp16", "fp16"}}) {
    const Value* on = file.at({key});
    if (is_true(on)) file.settings.put(Knob::dtype, {format, file.span(*on)});
  }
  if (const Value* on = file.at({"use_distributed_optimizer"}); is_true(on)) {
    file.settings.put(Knob::zero_one, {"true", file.span(*on)});
  }
  if (const Value* reference = file.at({"deepspeed"})) follow_deepspeed(reading, file, reference);
  if (file.at({"fsdp_config"}) != nullptr) take_fsdp(file, file.at({"fsdp_config"}));
  const auto targets = scalar_text(file.at({"lora_target"}));
  const bool takes_all = !targets || targets->starts_with("all");
  if (takes_all) take_targets(file, file.at({"lora_target"}));
  if (!takes_all) {
    for (std::size_t from = 0; from <= targets->size();) {
      const std::size_t end = std::min(targets->find(',', from), targets->size());
      file.workload.lora_targets.push_back(targets->substr(from, end - from));
      from = end + 1;
    }
  }
  const bool is_frozen = is_text(file.at({"finetuning_type"}), "lora");
  if (is_frozen && file.at({"lora_rank"}) == nullptr) {
    file.settings.put(Knob::lora_rank, {"8", file.span(*file.at({"finetuning_type"}))});
  }
  const std::optional<Number> zero = file.workload.zero;
  Workload& workload = file.settle_in();
  if (zero) workload.zero = zero;
  // KTransformers keeps the experts in host memory.
  workload.host_experts = file.is_on({"use_kt"});
  return {std::move(workload)};
}

}  // namespace ullage::plan
