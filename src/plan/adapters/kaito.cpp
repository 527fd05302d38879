// KAITO: Workspace, InferenceSet, MultiRoleInference, and the ConfigMap of a tuning job.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Value;

class KaitoReader {
 public:
  KaitoReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value& root = document_.document.root;
    const std::string kind = scalar_text(reach(root, {"kind"})).value_or("");
    const std::string name = scalar_text(reach(root, {"metadata", "name"})).value_or("");
    if (kind == "ConfigMap") {
      tuning(root, name);
    } else if (kind == "MultiRoleInference") {
      roles(root, name);
    } else if (kind != "RAGEngine") {  // searches; its model is another object's
      workspace(root, name);
    }
    return std::move(found_);
  }

 private:
  Workload begin(const Value& at, const std::string& name) {
    Workload workload = begin_workload(document_, "kaito", name);
    workload.where = document_.document.span(at);
    return workload;
  }

  // Workspace has resource and inference at its root, InferenceSet under spec.template.
  void workspace(const Value& root, const std::string& name) {
    const Value* spec = reach(root, {"spec", "template"});
    const Value& holder = spec != nullptr ? *spec : root;
    const Value* inference = reach(&holder, {"inference"});
    const Value* tuning = reach(&holder, {"tuning"});
    const Value* work = inference != nullptr ? inference : tuning;
    if (work == nullptr) return;
    Workload workload = begin(holder, name);
    workload.work = tuning != nullptr ? Work::train : Work::serve;
    workload.asks_for_devices = true;
    if (inference != nullptr) workload.engine = Word{"vllm", document_.document.span(*inference)};
    if (auto preset = word_of(document_, reach(work, {"preset", "name"}), scope_)) {
      workload.model = *preset;
    }
    Settings settings;
    const auto config = scalar_text(reach(work, {"config"}));
    if (config) engine_config(*config, settings);
    const Value* template_spec = reach(work, {"template", "spec"});
    if (template_spec != nullptr) {
      for (const Value* container : containers_of(*template_spec))
        read_container(reading_, document_, *template_spec, *container, scope_, workload);
    }
    settle(Dialect::vllm, settings, workload);
    resource(reach(&holder, {"resource"}), workload);
    if (const Value* replicas = reach(root, {"spec", "replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    found_.push_back(std::move(workload));
  }

  // The ConfigMap that `inference.config` names: `vllm:` with engine keys.
  void engine_config(const std::string& name, Settings& settings) {
    const PlanDocument* map = find_object(reading_, "ConfigMap", name);
    const Value* data = map != nullptr ? reach(map->document.root, {"data"}) : nullptr;
    if (data == nullptr) return;
    for (const document::Member& member : data->members) {
      const auto tree = inner_yaml(*map, member.value);
      const Value* keys = tree ? reach(tree->root, {"vllm"}) : nullptr;
      if (keys == nullptr) continue;
      const PlanDocument inner{map->file, *tree};
      put_tree(Dialect::vllm, inner, *reach(inner.document.root, {"vllm"}), scope_, settings);
    }
  }

  void resource(const Value* resource, Workload& workload) {
    if (auto type = word_of(document_, reach(resource, {"instanceType"}), scope_)) {
      workload.selectors.push_back({"node.kubernetes.io/instance-type", *type});
    }
    if (const Value* count = reach(resource, {"count"})) {
      workload.nodes = count_of(document_, count, scope_, "nodes", workload);
    }
    // Devices of one machine follow from its type; `nodes` multiplies them.
    const Value* partition = reach(resource, {"partition"});
    if (is_text(reach(partition, {"mode"}), "mig")) {
      if (auto profile = word_of(document_, reach(partition, {"profile"}), scope_)) {
        workload.selectors.push_back(
            {"resource", {"nvidia.com/mig-" + profile->text, profile->where, profile->missing}});
        workload.devices = Number{exact::Rational{1}, profile->where};
      }
    }
    const Value* labels = reach(resource, {"labelSelector", "matchLabels"});
    if (labels == nullptr) return;
    for (const document::Member& member : labels->members) {
      if (auto word = word_of(document_, &member.value, scope_)) {
        workload.selectors.push_back({member.key, *word});
      }
    }
  }

  void roles(const Value& root, const std::string& name) {
    const Value* spec = reach(root, {"spec"});
    const Value* roles = reach(spec, {"roles"});
    if (roles == nullptr) return;
    for (const Value& role : roles->items) {
      Workload workload = begin(role, name);
      workload.work = Work::serve;
      workload.engine = Word{"vllm", workload.where};
      workload.asks_for_devices = true;
      workload.model = word_of(document_, reach(spec, {"model", "name"}), scope_);
      if (auto type = word_of(document_, reach(&role, {"type"}), scope_)) workload.role = *type;
      if (auto type = word_of(document_, reach(&role, {"instanceType"}), scope_)) {
        workload.selectors.push_back({"node.kubernetes.io/instance-type", *type});
      }
      if (const Value* replicas = reach(&role, {"replicas"})) {
        workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
      }
      Settings settings;
      const auto config = scalar_text(reach(&role, {"config"}));
      if (config) engine_config(*config, settings);
      settle(Dialect::vllm, settings, workload);
      found_.push_back(std::move(workload));
    }
  }

  // training_config.yaml inside a ConfigMap.
  void tuning(const Value& root, const std::string& name) {
    const Value* data = reach(root, {"data"});
    for (const document::Member& member : data->members) {
      const auto tree = inner_yaml(document_, member.value);
      const Value* config = tree ? reach(tree->root, {"training_config"}) : nullptr;
      if (config == nullptr) continue;
      const PlanDocument inner{document_.file, *tree};
      config = reach(inner.document.root, {"training_config"});
      Workload workload = begin(member.value, name);
      workload.where = document_.document.span(member);
      workload.work = Work::train;
      Settings settings;
      const auto take = [&](std::initializer_list<std::string_view> path, Knob knob) {
        if (auto word = word_of(inner, reach(config, path), scope_)) settings.put(knob, *word);
      };
      take({"ModelConfig", "torch_dtype"}, Knob::dtype);
      take({"ModelConfig", "pretrained_model_name_or_path"}, Knob::model);
      take({"TrainingArguments", "per_device_train_batch_size"}, Knob::microbatch);
      take({"TrainingArguments", "optim"}, Knob::optimizer);
      take({"TrainingArguments", "gradient_checkpointing"}, Knob::recompute_on);
      take({"LoraConfig", "r"}, Knob::lora_rank);
      const Value* quantized = reach(config, {"QuantizationConfig"});
      const Value* four = reach(quantized, {"load_in_4bit"});
      const Value* eight = reach(quantized, {"load_in_8bit"});
      if (is_true(four)) settings.put(Knob::quantization, {"nf4", inner.document.span(*four)});
      if (is_true(eight)) settings.put(Knob::quantization, {"int8", inner.document.span(*eight)});
      settle(Dialect::trainer, settings, workload);
      if (const Value* targets = reach(config, {"LoraConfig", "target_modules"})) {
        for (const Value& target : targets->items)
          workload.lora_targets.push_back(target.text);
      }
      found_.push_back(std::move(workload));
    }
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_kaito(const PlanDocument& document) {
  const Value& root = document.document.root;
  const auto version = scalar_text(reach(root, {"apiVersion"}));
  if (version && version->find("kaito.sh") != std::string::npos) return true;
  if (!is_text(reach(root, {"kind"}), "ConfigMap")) return false;
  const Value* data = reach(root, {"data"});
  if (data == nullptr) return false;
  for (const document::Member& member : data->members) {
    if (member.value.type == document::Type::string &&
        member.value.text.find("training_config:") != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::vector<Workload> read_kaito(const Reading& reading, const PlanDocument& document) {
  return KaitoReader(reading, document).read();
}

}  // namespace ullage::plan
