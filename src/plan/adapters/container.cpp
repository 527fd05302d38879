// What a container runs, and with which variables.
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "plan/adapters/launching.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

// The items of `command` or `args`: a list, or one string as Compose has it.
void add_words(const PlanDocument& document, const Value* list, const Scope& scope,
               std::vector<Word>& words) {
  if (list == nullptr) return;
  if (list->type == Type::array) {
    for (const Value& item : list->items) {
      const auto text = scalar_text(&item);
      if (text) words.push_back(expand_kubernetes({*text, document.document.span(item)}, scope));
    }
    return;
  }
  const auto text = scalar_text(list);
  if (!text) return;
  ScalarPlaces places = places_in(document, *list);
  const Word whole = expand_kubernetes({*text, document.document.span(*list)}, scope);
  const std::vector<Word> split = shell_words(whole.text, places, scope);
  words.insert(words.end(), split.begin(), split.end());
}

constexpr std::array<std::string_view, 5> kVisible{"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                                   "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK",
                                                   "HABANA_VISIBLE_DEVICES"};

void read_visible(const Scope& scope, Workload& workload) {
  for (const std::string_view name : kVisible) {
    const Word* value = scope.find(name);
    if (value == nullptr || !value->resolved() || value->text.empty()) continue;
    const bool is_list = std::all_of(value->text.begin(), value->text.end(), [](char letter) {
      return (letter >= '0' && letter <= '9') || letter == ',' || letter == ' ';
    });
    if (!is_list) continue;
    const auto commas = std::count(value->text.begin(), value->text.end(), ',');
    workload.visible = Number{exact::Rational{commas + 1}, value->where};
  }
}

// A ConfigMap that fills variables.
void add_config_map(const Reading& reading, const Value* name, const Value* key, Scope& scope,
                    const std::string& variable) {
  const auto map = scalar_text(name);
  const PlanDocument* found = map ? find_object(reading, "ConfigMap", *map) : nullptr;
  if (found == nullptr) {
    if (!variable.empty()) scope.lose(variable);
    return;
  }
  const Value* data = reach(found->document.root, {"data"});
  if (data == nullptr) return;
  for (const document::Member& member : data->members) {
    const auto text = scalar_text(&member.value);
    if (!text) continue;
    if (!variable.empty()) {
      const auto wanted = scalar_text(key);
      if (wanted && *wanted == member.key) {
        scope.set(variable, {*text, found->document.span(member.value)});
      }
    } else {
      scope.set(member.key, {*text, found->document.span(member.value)});
    }
  }
}

// Neuron's own variables.
void read_neuron_variables(const Scope& scope, Workload& workload) {
  for (const std::string_view name : {"NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE"}) {
    const Word* value = scope.find(name);
    if (value == nullptr || !value->resolved()) continue;
    const auto number = exact::Rational::parse(value->text);
    if (number && number->is_whole()) workload.lnc = Number{*number, value->where};
  }
}

struct KnobVariable {
  std::string_view name;
  Knob knob;
};
// Hugging Face's Neuron containers (optimum-neuron, SageMaker's entry point).
constexpr std::array kOptimum{KnobVariable{"SM_ON_MODEL", Knob::model},
                              KnobVariable{"HF_MODEL_ID", Knob::model},
                              KnobVariable{"SM_ON_TENSOR_PARALLEL_SIZE", Knob::tp},
                              KnobVariable{"HF_NUM_CORES", Knob::tp},
                              KnobVariable{"SM_ON_BATCH_SIZE", Knob::concurrency},
                              KnobVariable{"HF_BATCH_SIZE", Knob::concurrency},
                              KnobVariable{"SM_ON_SEQUENCE_LENGTH", Knob::context},
                              KnobVariable{"HF_SEQUENCE_LENGTH", Knob::context}};

// The engine's version, from the tag of its project's image.
void take_version(const PlanDocument& document, const Value& container, const Launch& launch,
                  Workload& workload) {
  const Value* image = reach(&container, {"image"});
  const auto tagged = scalar_text(image);
  const auto version = tagged ? version_of_image(*tagged, launch.engine) : std::nullopt;
  if (version) workload.engine_version = Word{*version, document.document.span(*image)};
}

// Variables that the launcher of text-generation-inference reads beside its flags.
constexpr std::array kTgi{KnobVariable{"MODEL_ID", Knob::model},
                          KnobVariable{"REVISION", Knob::revision},
                          KnobVariable{"NUM_SHARD", Knob::tp},
                          KnobVariable{"DTYPE", Knob::dtype},
                          KnobVariable{"QUANTIZE", Knob::quantization},
                          KnobVariable{"KV_CACHE_DTYPE", Knob::kv_dtype},
                          KnobVariable{"MAX_TOTAL_TOKENS", Knob::context},
                          KnobVariable{"MAX_BATCH_SIZE", Knob::concurrency}};

}  // namespace

Scope environment_of(const Reading& reading, const PlanDocument& document, const Value& container,
                     Scope scope) {
  if (const Value* from = reach(&container, {"envFrom"})) {
    for (const Value& source : from->items)
      add_config_map(reading, reach(&source, {"configMapRef", "name"}), nullptr, scope, {});
  }
  const Value* env = reach(&container, {"env"});
  if (env == nullptr) return scope;
  const auto add = [&](const std::string& name, const Value* value) {
    const auto text = scalar_text(value);
    if (!text) return;
    const Word written{*text, document.document.span(*value)};
    scope.set(name, expand_kubernetes(written, scope));
  };
  if (env->type == Type::object) {
    for (const document::Member& member : env->members)
      add(member.key, &member.value);
    return scope;
  }
  for (const Value& item : env->items) {
    const auto name = scalar_text(reach(&item, {"name"}));
    if (!name) continue;
    if (const Value* value = reach(&item, {"value"})) {
      add(*name, value);
    } else if (const Value* key = reach(&item, {"valueFrom", "configMapKeyRef"})) {
      add_config_map(reading, reach(key, {"name"}), reach(key, {"key"}), scope, *name);
    } else if (reach(&item, {"valueFrom"}) != nullptr && scope.find(*name) == nullptr) {
      scope.lose(*name);
    }
  }
  return scope;
}

void read_knob_variables(const Scope& scope, std::string_view image, ScalarPlaces* places,
                         Workload& workload) {
  for (const std::string_view name : {"VLLM_ARGS", "VLLM_ADDITIONAL_ARGS", "VLLM_EXTRA_ARGS"}) {
    const Word* value = scope.find(name);
    if (value == nullptr) continue;
    ScalarPlaces at_value({value->where.file, {}}, value->where.line, value->where.column);
    if (places != nullptr) {
      at_value = ScalarPlaces(places->source(), value->where.line, value->where.column);
    }
    Launch launch;
    launch.engine = "vllm";
    launch.what = {std::string(name), value->where};
    launch.arguments = shell_words(value->text, at_value, scope);
    read_launch(launch, settings_of(launch), workload);
  }
  if (workload.engine && workload.engine->text == "tgi") {
    Settings tgi;
    for (const KnobVariable& variable : kTgi) {
      if (const Word* value = scope.find(variable.name)) tgi.put(variable.knob, *value);
    }
    Workload beneath;
    settle(Dialect::tgi, tgi, beneath);
    fill_workload(workload, beneath);
    if (!workload.context) workload.context = beneath.context;
    if (!workload.concurrency) workload.concurrency = beneath.concurrency;
  }
  Settings optimum;
  for (const KnobVariable& variable : kOptimum) {
    const Word* value = scope.find(variable.name);
    if (value != nullptr) optimum.put(variable.knob, *value);
  }
  const bool is_optimum = scope.find("SM_ON_MODEL") != nullptr ||
                          image.find("optimum-neuron") != std::string_view::npos ||
                          image.find("neuronx-tgi") != std::string_view::npos;
  if (is_optimum && !optimum.empty()) {
    settle(Dialect::neuronx, optimum, workload);
    workload.work = Work::serve;
    if (!workload.engine) workload.engine = Word{"neuronx"};
  }
}

void read_container(const Reading& reading, const PlanDocument& document, const Value& spec,
                    const Value& container, Scope scope, Workload& workload) {
  scope = environment_of(reading, document, container, std::move(scope));
  read_resources(reading, document, container, spec, scope, workload);
  read_placement(reading, document, spec, scope, workload);
  std::vector<Word> command;
  add_words(document, first_of(&container, {"command", "entrypoint"}), scope, command);
  std::vector<Word> words = command;
  add_words(document, reach(&container, {"args"}), scope, words);
  const std::string image = scalar_text(reach(&container, {"image"})).value_or("");
  if (inner_script(words) == 0) {
    // No shell sees these: a `$NAME` is for the program that renders the file.
    const Scope rendered = reading.scope();
    for (Word& word : words) {
      if (word.resolved()) word = expand_field(word, rendered);
    }
  }
  ScalarPlaces places(document.file->source());
  // Words that start a shell are read as its script; others come back as one command.
  Started started = start_words(words, places.source(), scope);
  if (!started.launch && command.empty()) {
    started.launch = launch_of_image(image, words);
  }
  if (started.launch) {
    take_launch(reading, *started.launch, started.scope, started.here, workload);
    take_version(document, container, *started.launch, workload);
  }
  read_knob_variables(started.scope, image, &places, workload);
  read_visible(started.scope, workload);
  read_neuron_variables(started.scope, workload);
}

}  // namespace ullage::plan
