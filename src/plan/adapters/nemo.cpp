// NeMo and NeMo-RL configurations, Megatron-Bridge's verification cards, NxD Training.
#include <algorithm>

#include "base/spelling.hpp"
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/training.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

// Keys that Megatron's configuration has everywhere it stands.
void take_megatron(TrainingFile& file, const Value* block) {
  const auto take = [&](const char* key, Knob knob) { file.take(reach(block, {key}), knob); };
  take("tensor_model_parallel_size", Knob::tp);
  take("pipeline_model_parallel_size", Knob::pp);
  take("context_parallel_size", Knob::cp);
  take("expert_model_parallel_size", Knob::ep);
  take("expert_tensor_parallel_size", Knob::etp);
  take("virtual_pipeline_model_parallel_size", Knob::vpp);
  take("micro_batch_size", Knob::microbatch);
  take("train_micro_batch_size", Knob::microbatch);
  take("global_batch_size", Knob::global_batch);
  take("encoder_seq_length", Knob::sequence);
  take("seq_length", Knob::sequence);
  take("num_layers", Knob::num_layers);
  take("hidden_size", Knob::hidden_size);
  take("ffn_hidden_size", Knob::ffn_hidden_size);
  take("num_attention_heads", Knob::heads);
  take("num_query_groups", Knob::kv_heads);
  take("num_moe_experts", Knob::experts);
  for (const char* key :
       {"num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage",
        "pipeline_model_parallel_layout", "account_for_embedding_in_pipeline_split",
        "account_for_loss_in_pipeline_split", "pipeline_cuts"}) {
    const Value* value = reach(block, {key});
    const bool is_set = value != nullptr && !is_text(value, "false");
    file.workload.uneven_pipeline = file.workload.uneven_pipeline || is_set;
  }
  for (const char* key : {"activations_checkpoint_granularity", "recompute_granularity"}) {
    const Value* value = block != nullptr ? block->find(key) : nullptr;
    if (value == nullptr) continue;
    const auto word = file.word(value);
    file.settings.put(Knob::recompute, word ? *word : Word{"none", file.span(*value)});
  }
  if (const Value* on = reach(block, {"activation_checkpointing"})) {
    file.settings.put(Knob::recompute, {is_true(on) ? "full" : "none", file.span(*on)});
  }
  if (const Value* on = reach(block, {"use_distributed_optimizer"}); is_true(on)) {
    file.settings.put(Knob::zero_one, {"true", file.span(*on)});
  }
  file.workload.sequence_parallel =
      file.workload.sequence_parallel || is_true(reach(block, {"sequence_parallel"}));
}

// `bf16`, `bf16-mixed`, 16.
void take_precision(TrainingFile& file, const Value* value) {
  if (const auto word = file.word(value)) {
    const std::string format = weight_format(word->text);
    if (!format.empty()) file.settings.put(Knob::dtype, {format, word->where});
  }
}

// devices × num_nodes, only where the file states both.
void take_devices(TrainingFile& file, const Value* per_node, const Value* nodes) {
  const auto each = file.count(per_node, "devices");
  const auto number = file.count(nodes, "nodes");
  if (each) file.workload.devices_per_node = each;
  if (number) file.workload.nodes = number;
  if (each && number) file.workload.devices = Number{each->value * number->value, each->where};
}

// Where generation runs on nodes of its own, training has the rest of the cluster; how many that
// are is unknown where the file does not count them.
void leave_generation(TrainingFile& file, const Value* colocated) {
  const Value* enabled = reach(colocated, {"enabled"});
  if (enabled == nullptr || is_true(enabled)) return;
  auto& devices = file.workload.devices;
  const auto nodes = file.count(reach(colocated, {"resources", "num_nodes"}), "nodes");
  const auto each = file.count(reach(colocated, {"resources", "gpus_per_node"}), "devices");
  const auto per_node = each ? each : file.workload.devices_per_node;
  if (devices && nodes && per_node && nodes->value * per_node->value < devices->value) {
    devices->value = devices->value - nodes->value * per_node->value;
    return;
  }
  devices.reset();
  file.workload.remarks.push_back({"devices-shared", base::Severity::note,
                                   "generation takes devices of its own, which the file does not "
                                   "count: how many are left for training is not known",
                                   file.span(*enabled)});
}

std::vector<Workload> read_nemo_one(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "nemo", Dialect::megatron);
  const Value* model = file.at({"model"});
  take_megatron(file, model);
  take_megatron(file, file.at({"data"}));
  take_megatron(file, reach(model, {"data"}));
  take_megatron(file, file.at({"trainer", "strategy"}));
  file.take({"model", "restore_from_path"}, Knob::model_path);
  file.take({"model", "hf_model"}, Knob::model);
  take_precision(file, file.at({"trainer", "precision"}));
  if (const auto name = file.word(reach(model, {"optim", "name"}))) {
    file.settings.put(Knob::optimizer, *name);
    if (name->text.find("distributed") != std::string::npos) {
      file.settings.put(Knob::zero_one, {"true", name->where});
    }
  }
  if (is_true(reach(model, {"fsdp"})))
    file.take(reach(model, {"fsdp_sharding_strategy"}), Knob::sharding);
  take_devices(file, file.at({"trainer", "devices"}), file.at({"trainer", "num_nodes"}));
  file.take(reach(model, {"peft", "lora_tuning", "adapter_dim"}), Knob::lora_rank);
  return {std::move(file.settle_in())};
}

// Puts a file over another one: keys of mappings one by one, everything else as a whole. What
// comes from beneath stands at `where`, the line that names it.
Value over(const Value& top, const Value& beneath, const Value& where) {
  Value merged = top;
  for (const document::Member& member : beneath.members) {
    const auto known =
        std::find_if(merged.members.begin(), merged.members.end(),
                     [&](const document::Member& other) { return other.key == member.key; });
    if (known == merged.members.end()) {
      document::Member taken = member;
      stand_at(taken, where.line, where.column);
      merged.members.push_back(std::move(taken));
    } else if (known->value.type == Type::object && member.value.type == Type::object) {
      known->value = over(known->value, member.value, where);
    }
  }
  return merged;
}

// A configuration with those that its `defaults` name beneath it, as far as the set holds them.
struct Merged {
  document::Document document;
  std::optional<Unresolved> missing;
};
Merged with_defaults(const Reading& reading, const PlanDocument& document, int depth) {
  Merged merged{document.document, std::nullopt};
  const Value* defaults = reach(document.document.root, {"defaults"});
  if (defaults == nullptr || depth > 8) return merged;
  std::vector<const Value*> names;
  if (defaults->type != Type::array) names.push_back(defaults);
  for (const Value& item : defaults->items)
    names.push_back(&item);
  // The last of several stands highest.
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const auto path = scalar_text(*name);
    if (!path || *path == "_self_") continue;
    const auto held = held_text(reading, *path);
    const auto tree = held ? held_tree(reading, *path) : std::nullopt;
    if (!tree || held->document == &document) {
      merged.missing =
          Unresolved{"the rest of the configuration", *path, document.document.span(**name)};
      continue;
    }
    const PlanDocument beneath{held->document->file, *tree};
    const Merged whole = with_defaults(reading, beneath, depth + 1);
    if (whole.missing) {
      merged.missing = whole.missing;
      merged.missing->where = document.document.span(**name);
    }
    merged.document.root = over(merged.document.root, whole.document.root, **name);
  }
  return merged;
}

// NeMo-RL: `policy` trains and generates; `defaults` names the file underneath.
std::vector<Workload> read_nemo_rl(const Reading& reading, const PlanDocument& overlay) {
  std::vector<Workload> found;
  const Merged merged = with_defaults(reading, overlay, 0);
  const PlanDocument document{overlay.file, merged.document};
  const Value& root = document.document.root;
  const Value* policy = reach(root, {"policy"});
  const Value* megatron = reach(policy, {"megatron_cfg"});
  const Value* tensor = reach(policy, {"dtensor_cfg"});
  const auto base_missing = [&merged](Workload& workload) {
    if (merged.missing) workload.unresolved.push_back(*merged.missing);
  };
  {
    TrainingFile file(reading, document, "nemo", Dialect::megatron);
    file.take({"policy", "model_name"}, Knob::model);
    const bool is_megatron = megatron != nullptr && reach(megatron, {"enabled"}) == nullptr
                                 ? tensor == nullptr || !is_true(reach(tensor, {"enabled"}))
                                 : is_true(reach(megatron, {"enabled"}));
    if (is_megatron) {
      take_megatron(file, megatron);
      file.take(reach(megatron, {"optimizer", "optimizer"}), Knob::optimizer);
      if (const Value* on = reach(megatron, {"optimizer", "use_distributed_optimizer"});
          is_true(on)) {
        file.settings.put(Knob::zero_one, {"true", file.span(*on)});
      }
    } else if (tensor != nullptr) {
      file.take(reach(tensor, {"tensor_parallel_size"}), Knob::tp);
      file.take(reach(tensor, {"context_parallel_size"}), Knob::cp);
      if (const Value* on = reach(tensor, {"activation_checkpointing"})) {
        file.settings.put(Knob::recompute, {is_true(on) ? "full" : "none", file.span(*on)});
      }
      file.settings.put(Knob::zero, {"3", file.span(*tensor)});
    }
    file.take({"policy", "optimizer", "name"}, Knob::optimizer);
    file.take({"policy", "train_micro_batch_size"}, Knob::microbatch);
    file.take({"policy", "train_global_batch_size"}, Knob::global_batch);
    file.take({"policy", "max_total_sequence_length"}, Knob::sequence);
    take_precision(file, file.at({"policy", "precision"}));
    take_devices(file, file.at({"cluster", "gpus_per_node"}), file.at({"cluster", "num_nodes"}));
    leave_generation(file, reach(policy, {"generation", "colocated"}));
    Workload& workload = file.settle_in();
    base_missing(workload);
    found.push_back(std::move(workload));
  }
  const Value* engine = reach(policy, {"generation", "vllm_cfg"});
  if (engine != nullptr) {
    Workload workload = begin_workload(document, "nemo", "generation");
    workload.where = document.document.span(*engine);
    workload.work = Work::serve;
    workload.engine = Word{"vllm", workload.where};
    const Scope scope = reading.scope();
    Settings settings;
    put_tree(Dialect::vllm, document, *engine, scope, settings);
    if (auto word = word_of(document, reach(policy, {"model_name"}), scope)) {
      settings.put_unless_set(Knob::model, *word);
    }
    if (auto word = word_of(document, reach(engine, {"precision"}), scope)) {
      settings.put_unless_set(Knob::quantization, *word);
    }
    settle(Dialect::vllm, settings, workload);
    base_missing(workload);
    found.push_back(std::move(workload));
  }
  return found;
}

// Megatron-Bridge's verification cards pin a model and its revision.
std::vector<Workload> read_card(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "megatron", Dialect::megatron);
  file.workload.name = scalar_text(file.at({"title"})).value_or("");
  file.take({"model", "hf_id"}, Knob::model);
  file.take({"model", "hf_revision"}, Knob::revision);
  return {std::move(file.settle_in())};
}

}  // namespace

bool takes_nxd_training(const PlanDocument& document) {
  const Value& root = document.document.root;
  return reach(root, {"distributed_strategy"}) != nullptr && reach(root, {"trainer"}) != nullptr;
}

std::vector<Workload> read_nxd_training(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "nxd-training", Dialect::megatron);
  take_megatron(file, file.at({"distributed_strategy"}));
  take_megatron(file, file.at({"data"}));
  take_megatron(file, file.at({"model"}));
  // The model is the configuration file that `model_config` names.
  file.take({"model", "model_config"}, Knob::model_path);
  file.take({"model", "optim", "name"}, Knob::optimizer);
  const Value* zero = file.at({"distributed_strategy", "zero1"});
  if (zero != nullptr) {
    file.settings.put(Knob::zero, {is_true(zero) ? "1" : "0", file.span(*zero)});
  }
  for (const Value* peft :
       {file.at({"model", "lora"}), file.at({"model_alignment_strategy", "peft"})}) {
    file.take(reach(peft, {"lora_rank"}), Knob::lora_rank);
    if (const Value* targets = reach(peft, {"target_modules"})) {
      for (const Value& target : targets->items)
        file.workload.lora_targets.push_back(target.text);
    }
  }
  file.take({"trainer", "lnc"}, Knob::lnc);
  Workload& workload = file.settle_in();
  // trainer.devices counts logical cores of one node.
  const auto each = file.count(file.at({"trainer", "devices"}), "cores");
  const auto nodes = file.count(file.at({"trainer", "num_nodes"}), "nodes");
  if (each && nodes) workload.cores = Number{each->value * nodes->value, each->where};
  workload.nodes = nodes;
  return {std::move(workload)};
}

bool takes_nemo(const PlanDocument& document) {
  const Value& root = document.document.root;
  if (reach(root, {"policy", "megatron_cfg"}) != nullptr ||
      reach(root, {"policy", "dtensor_cfg"}) != nullptr ||
      reach(root, {"policy", "generation", "vllm_cfg"}) != nullptr) {
    return true;
  }
  // An overlay that changes single keys of the file beneath it.
  const bool is_overlay = reach(root, {"defaults"}) != nullptr &&
                          first_of(&root, {"policy", "grpo", "sft", "dpo"}) != nullptr;
  if (is_overlay) return true;
  if (reach(root, {"model", "hf_id"}) != nullptr &&
      (reach(root, {"verification_index"}) != nullptr || reach(root, {"items"}) != nullptr)) {
    return true;
  }
  return reach(root, {"trainer"}) != nullptr &&
         (reach(root, {"model", "tensor_model_parallel_size"}) != nullptr ||
          reach(root, {"model", "micro_batch_size"}) != nullptr ||
          reach(root, {"trainer", "strategy", "tensor_model_parallel_size"}) != nullptr ||
          reach(root, {"exp_manager"}) != nullptr);
}

std::vector<Workload> read_nemo(const Reading& reading, const PlanDocument& document) {
  const Value& root = document.document.root;
  const bool is_rl = reach(root, {"policy"}) != nullptr || reach(root, {"defaults"}) != nullptr;
  if (is_rl) return read_nemo_rl(reading, document);
  if (reach(root, {"model", "hf_id"}) != nullptr) return read_card(reading, document);
  return read_nemo_one(reading, document);
}

}  // namespace ullage::plan
