// llm-d: values of the modelservice chart, and benchmark scenarios over it.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/launching.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

class ModelServiceReader {
 public:
  ModelServiceReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value& root = document_.document.root;
    if (const Value* scenarios = reach(root, {"scenario"})) {
      for (const Value& scenario : scenarios->items)
        read_scenario(scenario);
    } else {
      read_values(root);
    }
    return std::move(found_);
  }

 private:
  // charts/llm-d-modelservice/values.yaml.
  void read_values(const Value& root) {
    for (const char* role : {"decode", "prefill"}) {
      const Value* block = reach(root, {role});
      if (block == nullptr || block->type != Type::object) continue;
      const Value* create = block->find("create");
      if (create != nullptr && !is_true(create)) continue;
      const Value* replicas = reach(block, {"replicas"});
      if (replicas != nullptr && is_text(replicas, "0")) continue;
      Workload workload = begin(*block, role);
      model_of(root, workload);
      const bool is_split = is_created(root, "prefill") && is_created(root, "decode");
      for (const Value* container : containers_of(*block))
        read_container(reading_, document_, *block, *container, scope_, workload);
      if (is_split) workload.role = Word{role, workload.where};
      if (!is_split) workload.role.reset();
      if (!workload.engine) workload.engine = Word{"vllm", workload.where};
      parallelism(*block, workload);
      accelerator(root, *block, workload);
      found_.push_back(std::move(workload));
    }
  }

  static bool is_created(const Value& root, const char* role) {
    const Value* block = reach(root, {role});
    if (block == nullptr) return false;
    const Value* create = first_of(block, {"create", "enabled"});
    if (create != nullptr && !is_true(create)) return false;
    return !is_text(reach(block, {"replicas"}), "0");
  }

  Workload begin(const Value& block, const std::string& name) {
    Workload workload = begin_workload(document_, "llm-d", name);
    workload.where = document_.document.span(block);
    workload.work = Work::serve;
    return workload;
  }

  void model_of(const Value& root, Workload& workload) {
    const Value* artifacts = reach(root, {"modelArtifacts"});
    auto uri = word_of(document_, reach(artifacts, {"uri"}), scope_);
    const auto name = word_of(document_, reach(artifacts, {"name"}), scope_);
    // The chart's own template over the name, and volumes: `pvc+hf://claim/org/model`.
    if (uri && uri->resolved()) {
      const std::size_t hub = uri->text.find("hf://");
      if (hub == 0) {
        workload.model = Word{uri->text.substr(5), uri->where};
        return;
      }
    }
    workload.model = name ? name : uri;
  }

  // Degrees and the pods of one copy: `tensor` × `dataLocal` devices a pod, `workers` pods.
  void parallelism(const Value& block, Workload& workload) {
    const Value* degrees = reach(&block, {"parallelism"});
    const auto read = [&](const char* key, const char* what) -> std::optional<Number> {
      const Value* value = reach(degrees, {key});
      if (value == nullptr) return std::nullopt;
      return count_of(document_, value, scope_, what, workload);
    };
    const auto tensor = read("tensor", "tp");
    const auto data = read("data", "dp");
    const auto local = read("dataLocal", "dp");
    const auto workers = read("workers", "nodes");
    if (tensor && !workload.tp) workload.tp = tensor;
    const exact::Rational one{1};
    const exact::Rational pods = workers ? workers->value : one;
    const exact::Rational per_pod = (tensor ? tensor->value : one) * (local ? local->value : one);
    if (!workload.dp) {
      if (data && data->value > one) {
        workload.dp = data;
      } else if (local && local->value * pods > one && !workload.pp) {
        workload.dp = Number{local->value * pods, local->where};
      } else if (data && workload.dp == std::nullopt && local) {
        workload.dp = data;
      }
    }
    if (!workload.devices && degrees != nullptr) {
      workload.devices = Number{per_pod, document_.document.span(*degrees)};
      workload.asks_for_devices = true;
    } else if (!workload.devices && !workload.asks_for_devices && !serves_on_processors()) {
      workload.devices = Number{per_pod, workload.where};
      workload.remarks.push_back({"devices-by-chart", base::Severity::note,
                                  "one device a pod is assumed, the chart's default parallelism",
                                  workload.where});
    }
    if (workload.devices) {
      workload.devices_per_node = workload.devices;
      workload.nodes = Number{pods, workload.devices->where};
      workload.devices->value *= pods;
    }
    if (const Value* replicas = reach(&block, {"replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
  }

  // `accelerator.type: cpu`, or a chart that is told to add no devices.
  bool serves_on_processors() const {
    const Value* accelerator = reach(document_.document.root, {"accelerator"});
    return is_text(reach(accelerator, {"type"}), "cpu") || is_true(reach(accelerator, {"dra"}));
  }

  void accelerator(const Value& root, const Value& block, Workload& workload) {
    for (const Value* holder : {reach(&block, {"accelerator"}), reach(root, {"accelerator"})}) {
      if (auto type = word_of(document_, reach(holder, {"type"}), scope_)) {
        workload.selectors.push_back({"llm-d.accelerator", *type});
        return;
      }
    }
  }

  // llm-d-benchmark: scenario[].
  void read_scenario(const Value& scenario) {
    const std::string name = scalar_text(reach(&scenario, {"name"})).value_or("");
    const Value* common = reach(&scenario, {"common"});
    const Value& holder = common != nullptr ? *common : scenario;
    const auto look = [&](std::initializer_list<std::string_view> path) {
      const Value* found = reach(&holder, path);
      return found != nullptr ? found : reach(&scenario, path);
    };
    const Value* model = look({"model"});
    // Newer scenarios keep the roles under the chart that deploys them.
    const Value* chart = reach(&scenario, {"modelservice"});
    const Value& roles = chart != nullptr ? *chart : scenario;
    const bool is_off = chart != nullptr && reach(chart, {"enabled"}) != nullptr &&
                        !is_true(reach(chart, {"enabled"}));
    for (const char* role : {"decode", "prefill", "standalone"}) {
      const bool is_alone = std::string_view(role) == "standalone";
      const Value& around = is_alone ? scenario : roles;
      const Value* block = reach(around, {role});
      if (block == nullptr || !is_created(around, role) || (is_off && !is_alone)) continue;
      if (is_alone && !is_true(reach(block, {"enabled"}))) continue;
      Workload workload = begin(*block, name + "/" + role);
      Scope scope = scope_;
      scenario_variables(model, *block, scope);
      const Started started =
          start_scripts(document_, {reach(block, {"vllm", "customCommand"})}, std::move(scope));
      if (started.launch) {
        take_launch(reading_, *started.launch, started.scope, started.here, workload);
      }
      workload.engine = Word{"vllm", workload.where};
      // The scenario names the model by its id; the command serves a path below the cache.
      if (auto id = word_of(document_, first_of(model, {"huggingfaceId", "name"}), scope_)) {
        workload.model = *id;
        std::erase_if(workload.unresolved,
                      [](const Unresolved& open) { return open.what == "model"; });
      }
      Settings common_settings;
      scenario_model(model, common_settings);
      Workload rest;
      settle(Dialect::vllm, common_settings, rest);
      if (!workload.context) workload.context = rest.context;
      if (!workload.utilization) workload.utilization = rest.utilization;
      if (!workload.concurrency) workload.concurrency = rest.concurrency;
      const bool is_split =
          !is_alone && is_created(roles, "prefill") && is_created(roles, "decode");
      if (is_split) workload.role = Word{role, workload.where};
      if (!is_split) workload.role.reset();
      if (const Value* count = reach(block, {"accelerator", "count"})) {
        workload.devices = count_of(document_, count, scope_, "devices", workload);
        workload.asks_for_devices = true;
      }
      parallelism(*block, workload);
      for (const Value* place :
           {reach(block, {"affinity"}), reach(roles, {"affinity"}), look({"affinity"})}) {
        if (place != nullptr) read_placement(reading_, document_, *place, scope_, workload);
      }
      if (const Value* accelerator = look({"accelerator"})) {
        if (auto type = word_of(document_, reach(accelerator, {"type"}), scope_)) {
          workload.selectors.push_back({"llm-d.accelerator", *type});
        }
      }
      found_.push_back(std::move(workload));
    }
  }

  void scenario_model(const Value* model, Settings& settings) {
    const auto take = [&](const char* key, Knob knob) {
      if (auto word = word_of(document_, reach(model, {key}), scope_)) settings.put(knob, *word);
    };
    take("maxModelLen", Knob::context);
    take("gpuMemoryUtilization", Knob::utilization);
    take("maxNumSeq", Knob::concurrency);
    take("blockSize", Knob::block_size);
  }

  // The variables that the benchmark's preprocessing gives to the command.
  void scenario_variables(const Value* model, const Value& block, Scope& scope) {
    const auto give = [&](const char* name, const Value* value) {
      if (auto word = word_of(document_, value, scope_)) scope.set(name, *word);
    };
    give("MODEL_NAME", first_of(model, {"huggingfaceId", "name"}));
    give("VLLM_MAX_MODEL_LEN", reach(model, {"maxModelLen"}));
    give("VLLM_BLOCK_SIZE", reach(model, {"blockSize"}));
    give("VLLM_ACCELERATOR_MEM_UTIL", reach(model, {"gpuMemoryUtilization"}));
    give("VLLM_MAX_NUM_SEQ", reach(model, {"maxNumSeq"}));
    give("VLLM_MAX_NUM_BATCHED_TOKENS", reach(model, {"maxNumBatchedTokens"}));
    give("TP_SIZE", reach(&block, {"parallelism", "tensor"}));
    give("DP_SIZE", reach(&block, {"parallelism", "data"}));
    give("DP_SIZE_LOCAL", reach(&block, {"parallelism", "dataLocal"}));
    give("LWS_GROUP_SIZE", reach(&block, {"parallelism", "workers"}));
    if (const Value* variables = reach(&block, {"extraEnvVars"})) {
      for (const Value& item : variables->items) {
        const auto name = scalar_text(reach(&item, {"name"}));
        if (name) give(name->c_str(), reach(&item, {"value"}));
      }
    }
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_llm_d(const PlanDocument& document) {
  const Value& root = document.document.root;
  if (reach(root, {"apiVersion"}) != nullptr) return false;
  if (reach(root, {"modelArtifacts"}) != nullptr) return true;
  const Value* scenarios = reach(root, {"scenario"});
  return scenarios != nullptr && scenarios->type == Type::array;
}

std::vector<Workload> read_llm_d(const Reading& reading, const PlanDocument& document) {
  return ModelServiceReader(reading, document).read();
}

}  // namespace ullage::plan
