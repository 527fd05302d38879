// Follows launches.
#include "plan/adapters/launching.hpp"

#include <array>

#include "plan/adapters/adapters.hpp"

namespace ullage::plan {
namespace {

constexpr std::array kTrainers{Adapter{"axolotl", takes_axolotl, read_axolotl},
                               Adapter{"llamafactory", takes_llamafactory, read_llamafactory},
                               Adapter{"torchtune", takes_torchtune, read_torchtune},
                               Adapter{"torchtitan", takes_torchtitan, read_torchtitan}};

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The document of a path in the set, whose folder may be a variable.
std::optional<PlanDocument> held_document(const Reading& reading, const Word& path) {
  if (name_of(path.text).find('$') != std::string_view::npos) return std::nullopt;
  auto tree = held_tree(reading, path.text);
  if (!tree) return std::nullopt;
  return PlanDocument{held_text(reading, path.text)->document->file, *std::move(tree)};
}

void follow_deepspeed(const Reading& reading, const Word& path, Workload& workload) {
  if (workload.trainer.empty()) workload.trainer = "deepspeed";
  const auto document = held_document(reading, path);
  if (document && takes_deepspeed(*document)) {
    fill_workload(workload, read_deepspeed(reading, *document).front());
    return;
  }
  if (workload.zero) return;
  const auto stage = preset_stage(path.text);
  if (!stage) {
    workload.unresolved.push_back({"zero", path.text, path.where});
    return;
  }
  workload.zero = Number{exact::Rational{*stage}, path.where};
  workload.remarks.push_back(
      {"file-not-given", base::Severity::note,
       "the stage is read from the name of " + path.text + ", which is in none of the files given",
       path.where});
}

// `accelerate launch --config_file F`.
void follow_accelerate(const Reading& reading, const Launch& launch, Workload& workload) {
  Settings flags;
  read_flags(Dialect::launcher, launch.launcher, flags);
  const Word* path = flags.find(Knob::config_file);
  if (path == nullptr) return;
  const auto document = held_document(reading, *path);
  if (!document || !takes_accelerate(*document)) {
    workload.remarks.push_back(
        {"file-not-given", base::Severity::note,
         "the launcher also reads " + path->text + ", which is in none of the files given",
         path->where});
    return;
  }
  fill_workload(workload, read_accelerate(reading, *document).front());
}

// The trainer's own file: `axolotl train F`, `llamafactory-cli train F`, `tune run --config F`.
void follow_trainer(const Reading& reading, const Settings& settings, Workload& workload) {
  const Word* path = settings.find(Knob::config_file);
  const auto document = path != nullptr ? held_document(reading, *path) : std::nullopt;
  if (!document) return;
  for (const Adapter& trainer : kTrainers) {
    if (!trainer.takes(*document)) continue;
    fill_workload(workload, trainer.read(reading, *document).front());
    return;
  }
}

template <typename T>
void fill(std::optional<T>& field, const std::optional<T>& beneath) {
  if (!field) field = beneath;
}

}  // namespace

std::optional<int> preset_stage(std::string_view path) {
  const std::string_view name = name_of(path);
  for (const std::string_view mark : {"zero", "zero_", "zero-", "z", "stage", "stage_", "stage-"}) {
    for (std::size_t at = name.find(mark); at != std::string_view::npos;
         at = name.find(mark, at + 1)) {
      const std::size_t digit = at + mark.size();
      if (digit < name.size() && name[digit] >= '0' && name[digit] <= '3') return name[digit] - '0';
    }
  }
  return std::nullopt;
}

void fill_workload(Workload& workload, const Workload& beneath) {
  fill(workload.model, beneath.model);
  fill(workload.revision, beneath.revision);
  fill(workload.weights, beneath.weights);
  fill(workload.tp, beneath.tp);
  fill(workload.pp, beneath.pp);
  fill(workload.cp, beneath.cp);
  fill(workload.ep, beneath.ep);
  if (!workload.dp) workload.dp_shard = beneath.dp_shard;
  fill(workload.dp, beneath.dp);
  fill(workload.zero, beneath.zero);
  fill(workload.optimizer, beneath.optimizer);
  fill(workload.microbatch, beneath.microbatch);
  fill(workload.sequence, beneath.sequence);
  fill(workload.recompute, beneath.recompute);
  fill(workload.lora_rank, beneath.lora_rank);
  fill(workload.global_batch, beneath.global_batch);
  fill(workload.gradient_accumulation, beneath.gradient_accumulation);
  if (!workload.processes) fill(workload.devices, beneath.devices);
  fill(workload.nodes, beneath.nodes);
  if (workload.lora_targets.empty()) workload.lora_targets = beneath.lora_targets;
  workload.host_optimizer = workload.host_optimizer || beneath.host_optimizer;
  workload.host_parameters = workload.host_parameters || beneath.host_parameters;
  workload.host_activations = workload.host_activations || beneath.host_activations;
  workload.custom_recompute = workload.custom_recompute || beneath.custom_recompute;
  workload.host_experts = workload.host_experts || beneath.host_experts;
  workload.shards_rest = workload.shards_rest || beneath.shards_rest;
  workload.unresolved.insert(workload.unresolved.end(), beneath.unresolved.begin(),
                             beneath.unresolved.end());
  workload.remarks.insert(workload.remarks.end(), beneath.remarks.begin(), beneath.remarks.end());
}

void take_launch(const Reading& reading, const Launch& launch, const Scope& scope,
                 const std::vector<ShellCommand>& here, Workload& workload) {
  Settings settings = settings_of(launch);
  follow_config_file(reading, launch, scope, here, settings);
  read_launch(launch, settings, workload);
  if (launch.work != Work::train) return;
  follow_trainer(reading, settings, workload);
  if (const Word* path = settings.find(Knob::deepspeed_config)) {
    follow_deepspeed(reading, *path, workload);
  }
  follow_accelerate(reading, launch, workload);
}

Started start_words(const std::vector<Word>& words, const SourceText& source, Scope scope) {
  Started started{std::nullopt, scope, {}};
  ShellReader shell(scope, [&](const ShellCommand& made, const Scope& now) {
    if (made.here && made.writes) started.here.push_back(made);
    if (started.launch) return;
    started.launch = find_launch(made.words);
    if (started.launch) started.scope = now;
  });
  shell.start(words, source);
  return started;
}

Started start_scripts(const PlanDocument& document,
                      const std::vector<const document::Value*>& scripts, Scope scope) {
  Started started{std::nullopt, scope, {}};
  ShellReader shell(scope, [&](const ShellCommand& made, const Scope& now) {
    if (made.here && made.writes) started.here.push_back(made);
    if (started.launch) return;
    started.launch = find_launch(made.words);
    if (started.launch) started.scope = now;
  });
  for (const document::Value* script : scripts) {
    if (script == nullptr || script->type != document::Type::string) continue;
    ScalarPlaces places = places_in(document, *script);
    shell.read(script->text, places);
  }
  return started;
}

}  // namespace ullage::plan
