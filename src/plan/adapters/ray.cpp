// Ray Serve: RayService objects, and the `applications:` file of `serve deploy`.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

// Variables under which serving scripts read their knobs.
struct KnobVariable {
  std::string_view name;
  Knob knob;
};
constexpr KnobVariable kVariables[] = {
    {"MODEL_ID", Knob::model},
    {"MODEL_NAME", Knob::model},
    {"MODEL", Knob::model},
    {"TENSOR_PARALLELISM", Knob::tp},
    {"TENSOR_PARALLEL_SIZE", Knob::tp},
    {"PIPELINE_PARALLELISM", Knob::pp},
    {"PIPELINE_PARALLEL_SIZE", Knob::pp},
    {"MAX_MODEL_LEN", Knob::context},
    {"MAX_NUM_SEQS", Knob::concurrency},
    {"GPU_MEMORY_UTILIZATION", Knob::utilization},
    {"QUANTIZATION", Knob::quantization},
    {"DTYPE", Knob::dtype},
};

// The devices of the cluster's workers, for one copy of the application.
struct Workers {
  std::optional<Number> devices;
  std::vector<Selector> selectors;
  bool asks = false;
};

class ServeReader {
 public:
  ServeReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value& root = document_.document.root;
    const Value* text = reach(root, {"spec", "serveConfigV2"});
    if (text == nullptr) {
      applications(document_, root);
      return std::move(found_);
    }
    workers(reach(root, {"spec", "rayClusterConfig"}));
    const auto inner = inner_yaml(document_, *text);
    if (!inner) return {};
    const PlanDocument config{document_.file, *inner};
    applications(config, config.document.root);
    return std::move(found_);
  }

 private:
  void workers(const Value* cluster) {
    const Value* groups = reach(cluster, {"workerGroupSpecs"});
    if (groups == nullptr) return;
    for (const Value& group : groups->items) {
      for (const Pod& pod : find_pods(group)) {
        for (const Value* container : containers_of(*pod.spec)) {
          Workload workload;
          read_resources(reading_, document_, *container, *pod.spec, scope_, workload);
          if (!workload.asks_for_devices) continue;
          read_placement(reading_, document_, *pod.spec, scope_, workload);
          workers_.asks = true;
          workers_.selectors = workload.selectors;
          if (!workload.devices) continue;
          const Value* replicas = reach(&group, {"replicas"});
          const auto number = replicas == nullptr
                                  ? std::nullopt
                                  : count_of(document_, replicas, scope_, "devices", workload);
          Number devices = *workload.devices;
          // The pods of one replica, the hosts of a slice.
          if (const Value* hosts = reach(&group, {"numOfHosts"})) {
            const auto each = count_of(document_, hosts, scope_, "nodes", workload);
            if (each && each->value.sign() > 0) devices.value = devices.value * each->value;
          }
          if (number && number->value.sign() > 0) devices.value = devices.value * number->value;
          workers_.devices = devices;
        }
      }
    }
  }

  void applications(const PlanDocument& config, const Value& root) {
    const Value* applications = reach(root, {"applications"});
    if (applications == nullptr) {
      // A list of models alone, as the LLM builder takes it.
      models(config, root, "ray-serve");
      return;
    }
    for (const Value& application : applications->items) {
      const std::string name = scalar_text(reach(&application, {"name"})).value_or("");
      const Value* arguments = reach(&application, {"args"});
      if (reach(arguments, {"llm_configs"}) != nullptr) {
        models(config, *arguments, name);
      } else {
        script(config, application, name);
      }
    }
  }

  // ray.serve.llm: llm_configs[].
  void models(const PlanDocument& config, const Value& arguments, const std::string& name) {
    const Value* list = reach(&arguments, {"llm_configs"});
    if (list == nullptr) {
      if (reach(&arguments, {"model_loading_config"}) != nullptr) model(config, arguments, name);
      return;
    }
    for (const Value& one : list->items) {
      if (one.type == Type::object) {
        model(config, one, name);
        continue;
      }
      const auto path = scalar_text(&one);
      const auto tree = path ? held_tree(reading_, *path) : std::nullopt;
      if (!tree) continue;
      const auto held = held_text(reading_, *path);
      const PlanDocument file{held->document->file, *tree};
      model(file, file.document.root, name);
    }
  }

  void model(const PlanDocument& config, const Value& one, const std::string& name) {
    Workload workload = begin_workload(document_, "ray-serve", name);
    workload.where = config.document.span(one);
    workload.work = Work::serve;
    workload.engine = Word{"vllm", workload.where};
    const Value* loading = reach(&one, {"model_loading_config"});
    auto id = word_of(config, reach(loading, {"model_source"}), scope_);
    if (!id) id = word_of(config, reach(loading, {"model_id"}), scope_);
    Settings settings;
    if (id) settings.put(Knob::model, *id);
    if (const Value* keys = reach(&one, {"engine_kwargs"})) {
      put_tree(Dialect::vllm, config, *keys, scope_, settings);
    }
    settle(Dialect::vllm, settings, workload);
    if (auto type = word_of(config, reach(&one, {"accelerator_type"}), scope_)) {
      workload.selectors.push_back({"ray.accelerator", *type});
    }
    replicas(config, reach(&one, {"deployment_config"}), workload);
    place(workload);
    if (!workload.devices) {
      const exact::Rational tp = workload.tp ? workload.tp->value : exact::Rational{1};
      const exact::Rational pp = workload.pp ? workload.pp->value : exact::Rational{1};
      // Each replica reserves one GPU a rank (ray.serve.llm's placement group).
      workload.devices = Number{tp * pp, workload.where};
      workload.remarks.push_back({"devices-by-ranks", base::Severity::note,
                                  "Ray Serve reserves one device a rank of each replica",
                                  workload.where});
    }
    found_.push_back(std::move(workload));
  }

  // A script of one's own: its knobs come from variables of the runtime environment; the defaults
  // inside the script lose.
  void script(const PlanDocument& config, const Value& application, const std::string& name) {
    Workload workload = begin_workload(document_, "ray-serve", name);
    workload.where = config.document.span(application);
    Settings settings;
    const Value* variables = reach(&application, {"runtime_env", "env_vars"});
    bool is_neuron = false;
    if (variables != nullptr) {
      for (const document::Member& variable : variables->members) {
        is_neuron = is_neuron || variable.key.starts_with("NEURON");
        auto word = word_of(config, &variable.value, scope_);
        if (!word) continue;
        for (const KnobVariable& known : kVariables) {
          if (known.name == variable.key) settings.put(known.knob, *word);
        }
        if (variable.key == "ENGINE_ARGS") continue;
      }
    }
    if (const Value* arguments = reach(&application, {"args"})) {
      put_tree(Dialect::vllm, config, *arguments, scope_, settings);
    }
    if (settings.empty() && !workers_.asks) return;
    workload.work = Work::serve;
    settle(Dialect::vllm, settings, workload);
    place(workload);
    const Value* deployments = reach(&application, {"deployments"});
    if (deployments != nullptr && !deployments->items.empty()) {
      const Value& first = deployments->items.front();
      replicas(config, &first, workload);
      const Value* options = reach(&first, {"ray_actor_options"});
      if (const Value* gpus = reach(options, {"num_gpus"}); gpus != nullptr && !workload.devices) {
        workload.devices = count_of(config, gpus, scope_, "devices", workload);
      }
      const auto type = word_of(config, reach(options, {"accelerator_type"}), scope_);
      if (type) workload.selectors.push_back({"ray.accelerator", *type});
    }
    if (is_neuron || mentions("device=\"neuron\"")) {
      workload.remarks.push_back({"engine-on-neuron", base::Severity::note,
                                  "the script serves with vLLM on Neuron", workload.where});
    }
    if (mentions("vllm")) workload.engine = Word{"vllm", workload.where};
    if (workload.asks_for_devices || workload.engine) found_.push_back(std::move(workload));
  }

  // Whether the file, with the script that a ConfigMap of it may hold, has a word.
  bool mentions(std::string_view word) const {
    return document_.file->text.find(word) != std::string::npos;
  }

  void replicas(const PlanDocument& config, const Value* deployment, Workload& workload) {
    const Value* number = reach(deployment, {"num_replicas"});
    if (number == nullptr) number = reach(deployment, {"autoscaling_config", "min_replicas"});
    if (number == nullptr || is_text(number, "auto")) return;
    workload.replicas = count_of(config, number, scope_, "replicas", workload);
  }

  void place(Workload& workload) const {
    workload.asks_for_devices = workers_.asks;
    workload.selectors.insert(workload.selectors.end(), workers_.selectors.begin(),
                              workers_.selectors.end());
    if (workers_.devices) workload.devices = workers_.devices;
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  Workers workers_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_ray(const PlanDocument& document) {
  const Value& root = document.document.root;
  if (is_text(reach(root, {"kind"}), "RayService")) return true;
  if (reach(root, {"apiVersion"}) != nullptr) return false;
  const Value* applications = reach(root, {"applications"});
  if (applications != nullptr && applications->type == Type::array) return true;
  return reach(root, {"llm_configs"}) != nullptr ||
         reach(root, {"model_loading_config"}) != nullptr;
}

std::vector<Workload> read_ray(const Reading& reading, const PlanDocument& document) {
  return ServeReader(reading, document).read();
}

}  // namespace ullage::plan
