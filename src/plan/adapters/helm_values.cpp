// Values of serving charts: production-stack (modelSpec), AWS's inference charts
// (modelParameters), GKE recipes (model, vllm.serverArgs, job.gpus).
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

class ValuesReader {
 public:
  ValuesReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value& root = document_.document.root;
    if (is_text(reach(root, {"kind"}), "VLLMRuntime")) {
      runtime(root);
    } else if (const Value* specs = reach(root, {"servingEngineSpec", "modelSpec"})) {
      for (const Value& spec : specs->items)
        stack(spec);
    } else if (reach(root, {"modelParameters"}) != nullptr ||
               reach(root, {"inference"}) != nullptr) {
      eks(root);
    } else {
      recipe(root);
    }
    return std::move(found_);
  }

 private:
  Workload begin(const Value& at, std::string name) {
    Workload workload = begin_workload(document_, "helm-values", std::move(name));
    workload.where = document_.document.span(at);
    workload.work = Work::serve;
    return workload;
  }

  void take(const Value* value, Knob knob, Settings& settings) {
    if (auto word = word_of(document_, value, scope_)) settings.put(knob, *word);
  }

  // vllm-project/production-stack, helm/values.yaml.
  void stack(const Value& spec) {
    if (spec.type != Type::object) return;
    Workload workload = begin(spec, scalar_text(reach(&spec, {"name"})).value_or(""));
    workload.engine = Word{"vllm", workload.where};
    Settings settings;
    take(reach(&spec, {"modelURL"}), Knob::model, settings);
    const Value* config = reach(&spec, {"vllmConfig"});
    if (config != nullptr) put_tree(Dialect::vllm, document_, *config, scope_, settings);
    std::vector<Word> arguments;
    for (const Value* list : {reach(config, {"extraArgs"}), reach(&spec, {"extraArgs"})}) {
      if (list == nullptr) continue;
      for (const Value& item : list->items) {
        if (auto word = word_of(document_, &item, scope_)) arguments.push_back(*word);
      }
    }
    Settings flags;
    read_flags(Dialect::vllm, arguments, flags);
    flags.fill_from(settings);
    settle(Dialect::vllm, flags, workload);
    asked(reach(&spec, {"requestGPU"}), reach(&spec, {"requestGPUType"}), workload);
    read_placement(reading_, document_, spec, scope_, workload);
    ray_pods(spec, workload);
    if (const Value* replicas = reach(&spec, {"replicaCount"})) {
      const auto copies = count_of(document_, replicas, scope_, "replicas", workload);
      if (reach(&spec, {"raySpec"}) == nullptr || !copies || copies->value == exact::Rational{1}) {
        workload.replicas = copies;
      }
    }
    found_.push_back(std::move(workload));
  }

  // A number of devices and their resource; none of them is a server on processors.
  void asked(const Value* number, const Value* type, Workload& workload) {
    if (number == nullptr || is_text(number, "0")) return;
    workload.devices = count_of(document_, number, scope_, "devices", workload);
    workload.asks_for_devices = true;
    if (auto resource = word_of(document_, type, scope_)) {
      workload.selectors.push_back({"resource", *resource});
    }
  }

  // The operator of the same project has the fields of its chart in an object: VLLMRuntime.
  void runtime(const Value& root) {
    const Value* spec = reach(root, {"spec"});
    const Value* deployment = reach(spec, {"deploymentConfig"});
    Workload workload = begin_workload(document_, "kubernetes",
                                       scalar_text(reach(root, {"metadata", "name"})).value_or(""));
    workload.where = document_.document.span(*spec);
    workload.work = Work::serve;
    workload.engine = Word{"vllm", workload.where};
    Settings settings;
    take(reach(spec, {"model", "modelURL"}), Knob::model, settings);
    for (const char* block : {"model", "vllmConfig"}) {
      if (const Value* keys = reach(spec, {block})) {
        put_tree(Dialect::vllm, document_, *keys, scope_, settings);
      }
    }
    settle(Dialect::vllm, settings, workload);
    const Value* resources = reach(deployment, {"resources"});
    asked(reach(resources, {"gpu"}), reach(resources, {"gpuType"}), workload);
    if (deployment != nullptr) {
      read_placement(reading_, document_, *deployment, scope_, workload);
    }
    if (const Value* replicas = reach(deployment, {"replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    found_.push_back(std::move(workload));
  }

  // A Ray cluster serves one copy: its workers and, where it has devices, its head.
  void ray_pods(const Value& spec, Workload& workload) {
    const Value* head = reach(&spec, {"raySpec", "headNode"});
    if (head == nullptr) return;
    exact::Rational workers{1};
    if (const Value* replicas = reach(&spec, {"replicaCount"})) {
      if (const auto number = count_of(document_, replicas, scope_, "replicas", workload)) {
        workers = number->value;
      }
    }
    if (!workload.devices) return;
    workload.devices->value = workload.devices->value * workers;
    if (const Value* gpus = reach(head, {"requestGPU"})) {
      if (const auto number = count_of(document_, gpus, scope_, "devices", workload)) {
        workload.devices->value += number->value;
      }
    }
  }

  // awslabs/ai-on-eks-charts, inference-charts.
  void eks(const Value& root) {
    const Value* inference = reach(root, {"inference"});
    Workload workload = begin(root, scalar_text(reach(inference, {"serviceName"})).value_or(""));
    const std::string framework = scalar_text(reach(inference, {"framework"})).value_or("");
    Settings settings;
    take(reach(root, {"model"}), Knob::model, settings);
    if (const Value* parameters = reach(root, {"modelParameters"})) {
      put_tree(Dialect::vllm, document_, *parameters, scope_, settings);
      // Names of other engines in the same place.
      Settings sglang;
      if (framework.find("sglang") != std::string::npos) {
        put_tree(Dialect::sglang, document_, *parameters, scope_, sglang);
        settings = sglang;
        take(reach(root, {"model"}), Knob::model, settings);
      }
    }
    const bool is_sglang = framework.find("sglang") != std::string::npos;
    settle(is_sglang ? Dialect::sglang : Dialect::vllm, settings, workload);
    for (const char* engine : {"vllm", "sglang"}) {
      if (framework.find(engine) != std::string::npos) {
        workload.engine = Word{engine, document_.document.span(*reach(inference, {"framework"}))};
      }
    }
    const Value* deployment = reach(inference, {"modelServer", "deployment"});
    const Value* resources = reach(deployment, {"resources"});
    for (const char* kind : {"gpu", "neuron"}) {
      for (const char* side : {"requests", "limits"}) {
        const Value* limits = reach(resources, {kind, side});
        if (limits != nullptr) read_asked(document_, *limits, scope_, workload);
      }
    }
    for (const char* side : {"requests", "limits"}) {
      if (const Value* limits = reach(resources, {side})) {
        read_asked(document_, *limits, scope_, workload);
      }
    }
    if (auto type = word_of(document_, reach(deployment, {"instanceType"}), scope_)) {
      workload.selectors.push_back({"node.kubernetes.io/instance-type", *type});
    }
    if (const Value* replicas = reach(deployment, {"replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    // The chart starts one pod a pipeline stage in a LeaderWorkerSet.
    const bool is_group = framework.starts_with("lws");
    if (is_group && workload.devices && workload.pp) {
      workload.devices_per_node = workload.devices;
      workload.nodes = workload.pp;
      workload.devices->value *= workload.pp->value;
    }
    found_.push_back(std::move(workload));
  }

  // AI-Hypercomputer/gpu-recipes, values.yaml of the serving charts.
  void recipe(const Value& root) {
    struct Server {
      const char* key;
      const char* engine;
      Dialect dialect;
    };
    constexpr Server kServers[] = {{"vllm", "vllm", Dialect::vllm},
                                   {"sglang", "sglang", Dialect::sglang},
                                   {"trtllm", "trtllm", Dialect::trtllm},
                                   {"tensorrtllm", "trtllm", Dialect::trtllm}};
    Workload workload = begin(root, {});
    Settings settings;
    Dialect dialect = Dialect::vllm;
    for (const Server& server : kServers) {
      const Value* block = reach(root, {server.key});
      if (block == nullptr) continue;
      dialect = server.dialect;
      workload.engine = Word{server.engine, document_.document.span(*block)};
      if (const Value* arguments = first_of(block, {"serverArgs", "server_args"})) {
        put_tree(dialect, document_, *arguments, scope_, settings);
      }
      if (const Value* replicas = reach(block, {"replicaCount"})) {
        workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
      }
      break;
    }
    const Value* model = reach(root, {"model"});
    take(first_of(model, {"name", "id", "repo"}), Knob::model, settings);
    take(first_of(model, {"tp_size", "tensor_parallel_size"}), Knob::tp, settings);
    take(first_of(model, {"pp_size", "pipeline_parallel_size"}), Knob::pp, settings);
    settle(dialect, settings, workload);
    if (const Value* gpus = first_of(reach(root, {"job"}), {"gpus"})) {
      workload.devices = count_of(document_, gpus, scope_, "devices", workload);
      workload.asks_for_devices = true;
    }
    for (const char* place : {"workload", "job"}) {
      if (const Value* block = reach(root, {place})) {
        read_placement(reading_, document_, *block, scope_, workload);
      }
    }
    read_placement(reading_, document_, root, scope_, workload);
    found_.push_back(std::move(workload));
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_helm_values(const PlanDocument& document) {
  const Value& root = document.document.root;
  if (is_text(reach(root, {"kind"}), "VLLMRuntime")) return reach(root, {"spec"}) != nullptr;
  if (reach(root, {"apiVersion"}) != nullptr) return false;
  if (reach(root, {"servingEngineSpec"}) != nullptr) return true;
  if (reach(root, {"modelParameters"}) != nullptr) return true;
  if (reach(root, {"inference", "modelServer"}) != nullptr) return true;
  const bool has_server = first_of(&root, {"vllm", "sglang", "trtllm", "tensorrtllm"}) != nullptr;
  return has_server && reach(root, {"model"}) != nullptr &&
         (reach(root, {"job"}) != nullptr || reach(root, {"targetPlatform"}) != nullptr);
}

std::vector<Workload> read_helm_values(const Reading& reading, const PlanDocument& document) {
  return ValuesReader(reading, document).read();
}

}  // namespace ullage::plan
