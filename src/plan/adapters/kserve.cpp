// KServe: LLMInferenceService (parallelism, prefill beside decode) and InferenceService.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Value;

// `hf://org/name` is the model; other schemes stay what they are.
void take_uri(const PlanDocument& document, const Value* uri, const Scope& scope,
              Workload& workload) {
  auto word = word_of(document, uri, scope);
  if (!word) return;
  if (!word->resolved()) {
    for (const std::string& variable : word->missing)
      workload.unresolved.push_back({"model", variable, word->where});
    return;
  }
  if (word->text.starts_with("hf://")) word->text.erase(0, 5);
  workload.model = *word;
}

std::optional<Number> degree(const PlanDocument& document, const Value* parallelism,
                             const char* key, const Scope& scope, const char* what,
                             Workload& workload) {
  const Value* value = reach(parallelism, {key});
  if (value == nullptr) return std::nullopt;
  return count_of(document, value, scope, what, workload);
}

// One role of an LLMInferenceService: `template` beside `worker`, `parallelism`, `replicas`.
std::vector<Workload> read_role(const Reading& reading, const PlanDocument& document,
                                const Value& role, const char* role_name, bool is_split,
                                const std::string& name) {
  const Scope scope = reading.scope();
  Workload workload = begin_workload(document, "kserve", name);
  workload.where = document.document.span(role);
  workload.work = Work::serve;
  const Value* pod = reach(&role, {"template"});
  const bool has_workers = reach(&role, {"worker"}) != nullptr;
  if (pod != nullptr) {
    for (const Value* container : containers_of(*pod)) {
      const auto container_name = scalar_text(reach(container, {"name"}));
      if (container_name && *container_name != "main" && containers_of(*pod).size() > 1) continue;
      read_container(reading, document, *pod, *container, scope, workload);
    }
    if (containers_of(*pod).empty()) read_placement(reading, document, *pod, scope, workload);
  }
  // The service's own image serves with vLLM where no other engine is started.
  if (!workload.engine) workload.engine = Word{"vllm", workload.where};
  workload.role.reset();
  if (is_split) workload.role = Word{role_name, workload.where};
  take_uri(document, reach(document.document.root, {"spec", "model", "uri"}), scope, workload);
  const Value* parallelism = reach(&role, {"parallelism"});
  const auto tensor = degree(document, parallelism, "tensor", scope, "tp", workload);
  const auto pipeline = degree(document, parallelism, "pipeline", scope, "pp", workload);
  const auto data = degree(document, parallelism, "data", scope, "dp", workload);
  const auto local = degree(document, parallelism, "dataLocal", scope, "dp", workload);
  if (tensor) workload.tp = tensor;
  if (pipeline) workload.pp = pipeline;
  if (data) workload.dp = data;
  if (is_true(reach(parallelism, {"expert"}))) workload.expert_parallel = true;
  if (const Value* replicas = reach(&role, {"replicas"})) {
    workload.replicas = count_of(document, replicas, scope, "replicas", workload);
  }
  exact::Rational pods{1};
  if (data && local && local->value.sign() > 0) pods = (data->value / local->value).ceil();
  if (has_workers && pipeline && pods == exact::Rational{1}) pods = pipeline->value;
  if (workload.devices) {
    workload.devices_per_node = workload.devices;
    workload.nodes = Number{pods, workload.devices->where};
    workload.devices->value = workload.devices->value * pods;
  } else if (tensor && !workload.asks_for_devices) {
    const exact::Rational per_pod = tensor->value * (local  ? local->value
                                                     : data ? data->value
                                                            : exact::Rational{1});
    workload.devices = Number{per_pod * pods, tensor->where};
  }
  return {std::move(workload)};
}

std::vector<Workload> read_llm_service(const Reading& reading, const PlanDocument& document) {
  std::vector<Workload> found;
  const Value* spec = reach(document.document.root, {"spec"});
  if (spec == nullptr) return found;
  const std::string name =
      scalar_text(reach(document.document.root, {"metadata", "name"})).value_or("");
  const Value* prefill = reach(spec, {"prefill"});
  for (Workload& one : read_role(reading, document, *spec, "decode", prefill != nullptr, name))
    found.push_back(std::move(one));
  if (prefill != nullptr) {
    for (Workload& one : read_role(reading, document, *prefill, "prefill", true, name))
      found.push_back(std::move(one));
  }
  return found;
}

// InferenceService: `predictor.model`, or containers of one's own.
std::vector<Workload> read_service(const Reading& reading, const PlanDocument& document) {
  const Scope scope = reading.scope();
  const Value* predictor = reach(document.document.root, {"spec", "predictor"});
  const Value* model = reach(predictor, {"model"});
  // Before `model`, the framework named the block (`pytorch`, `triton`, `huggingface`).
  std::string named;
  if (model == nullptr && predictor != nullptr) {
    for (const document::Member& member : predictor->members) {
      const bool is_server = reach(&member.value, {"storageUri"}) != nullptr ||
                             reach(&member.value, {"storage"}) != nullptr ||
                             reach(&member.value, {"runtimeVersion"}) != nullptr;
      if (!is_server) continue;
      model = &member.value;
      named = member.key;
    }
  }
  if (model == nullptr) {
    std::vector<Workload> found = read_kubernetes(reading, document);
    for (Workload& workload : found)
      workload.kind = "kserve";
    return found;
  }
  Workload workload =
      begin_workload(document, "kserve",
                     scalar_text(reach(document.document.root, {"metadata", "name"})).value_or(""));
  workload.work = Work::serve;
  workload.where = document.document.span(*model);
  take_uri(document, first_of(model, {"storageUri"}), scope, workload);
  if (const Value* storage = reach(model, {"storage", "path"})) {
    take_uri(document, storage, scope, workload);
  }
  const std::string format = scalar_text(reach(model, {"modelFormat", "name"})).value_or(named);
  const std::string runtime = scalar_text(reach(model, {"runtime"})).value_or("");
  Scope environment = environment_of(reading, document, *model, scope);
  read_resources(reading, document, *model, *predictor, environment, workload);
  read_placement(reading, document, *predictor, environment, workload);
  std::vector<Word> words;
  if (const Value* arguments = reach(model, {"args"})) {
    for (const Value& item : arguments->items) {
      if (const auto text = scalar_text(&item)) {
        words.push_back(expand_kubernetes({*text, document.document.span(item)}, environment));
      }
    }
  }
  const bool is_vllm = format == "huggingface" || format == "vLLM" || format == "vllm" ||
                       runtime.find("vllm") != std::string::npos ||
                       runtime.find("huggingface") != std::string::npos;
  if (is_vllm) {
    Launch launch;
    launch.engine = "vllm";
    launch.what = {"vllm", workload.where};
    launch.arguments = words;
    // `--model_id` is the server's own name for an id on the hub.
    Settings settings = settings_of(launch);
    Settings own;
    read_flags(Dialect::neuronx, words, own);
    if (const Word* id = own.find(Knob::model)) settings.put_unless_set(Knob::model, *id);
    read_launch(launch, settings, workload);
  }
  const Value* worker = reach(predictor, {"workerSpec"});
  if (const Value* size = reach(worker, {"tensorParallelSize"})) {
    workload.tp = count_of(document, size, scope, "tp", workload);
  }
  if (const Value* size = reach(worker, {"pipelineParallelSize"})) {
    workload.pp = count_of(document, size, scope, "pp", workload);
    if (workload.pp && workload.devices) workload.devices->value *= workload.pp->value;
  }
  if (const Value* replicas = reach(predictor, {"minReplicas"})) {
    const auto copies = count_of(document, replicas, scope, "replicas", workload);
    if (copies && copies->value.sign() > 0) workload.replicas = copies;
  }
  return {std::move(workload)};
}

bool is_kind(const PlanDocument& document, std::string_view kind) {
  return is_text(reach(document.document.root, {"kind"}), kind);
}

}  // namespace

bool takes_kserve(const PlanDocument& document) {
  const auto version = scalar_text(reach(document.document.root, {"apiVersion"}));
  return version && version->find("kserve.io") != std::string::npos &&
         (is_kind(document, "LLMInferenceService") || is_kind(document, "InferenceService"));
}

std::vector<Workload> read_kserve(const Reading& reading, const PlanDocument& document) {
  if (is_kind(document, "LLMInferenceService")) return read_llm_service(reading, document);
  return read_service(reading, document);
}

}  // namespace ullage::plan
