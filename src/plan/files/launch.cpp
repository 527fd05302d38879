// Recognises programs by the words that start them.
#include "plan/files/launch.hpp"

#include <array>

#include "base/spelling.hpp"
#include "plan/files/maxtext.hpp"

namespace ullage::plan {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_python(std::string_view name) {
  return name == "python" || name.starts_with("python3") || name == "python2";
}

std::vector<Word> rest_of(const std::vector<Word>& words, std::size_t from) {
  if (from >= words.size()) return {};
  return {words.begin() + static_cast<std::ptrdiff_t>(from), words.end()};
}

Launch serving(std::string engine, Dialect dialect, const Word& what, std::vector<Word> arguments) {
  return {std::move(engine), "shell", Work::serve, dialect, what, std::move(arguments), {}};
}

Launch training(std::string kind, Dialect dialect, const Word& what, std::vector<Word> arguments) {
  return {{}, std::move(kind), Work::train, dialect, what, std::move(arguments), {}};
}

// What `python -m MODULE` runs.
std::optional<Launch> module_launch(const std::vector<Word>& words, std::size_t module) {
  const std::string& name = words[module].text;
  std::vector<Word> rest = rest_of(words, module + 1);
  const auto is = [&name](std::string_view start) { return name.starts_with(start); };
  if (is("vllm.entrypoints")) return serving("vllm", Dialect::vllm, words[module], rest);
  if (is("huggingfaceserver")) return serving("vllm", Dialect::vllm, words[module], rest);
  if (is("sglang.launch_server")) return serving("sglang", Dialect::sglang, words[module], rest);
  if (is("dynamo.vllm")) return serving("vllm", Dialect::vllm, words[module], rest);
  if (is("dynamo.sglang")) return serving("sglang", Dialect::sglang, words[module], rest);
  if (is("dynamo.trtllm")) return serving("trtllm", Dialect::trtllm, words[module], rest);
  if (is("tensorrt_llm.commands.serve")) {
    return serving("trtllm", Dialect::trtllm, words[module], rest);
  }
  if (is("llama_cpp.server")) return serving("llamacpp", Dialect::llamacpp, words[module], rest);
  if (is("neuronx_distributed_inference")) {
    return serving("neuronx", Dialect::neuronx, words[module], rest);
  }
  const std::string lower = base::lower(name);
  if (lower.starts_with("maxtext") && lower.find("train") != std::string::npos) {
    return training("maxtext", Dialect::trainer, words[module], rest);
  }
  if (is("torchtitan.train")) return training("torchtitan", Dialect::trainer, words[module], rest);
  if (is("axolotl.cli.train")) return training("axolotl", Dialect::trainer, words[module], rest);
  if (is("llamafactory.cli") || is("llamafactory.launcher")) {
    return training("llamafactory", Dialect::trainer, words[module], rest);
  }
  return std::nullopt;
}

// What a Python script trains: Megatron's pretrain_*.py, MaxText's train.py, or one of somebody's
// own.
Launch script_launch(const std::vector<Word>& words, std::size_t script) {
  const std::string path = base::lower(words[script].text);
  const std::string_view name = base_name(path);
  const bool is_megatron = name.starts_with("pretrain_") && name.ends_with(".py");
  const bool is_maxtext = path.find("maxtext/") != std::string::npos && name == "train.py";
  return training(is_megatron  ? "megatron"
                  : is_maxtext ? "maxtext"
                               : "shell",
                  is_megatron ? Dialect::megatron : Dialect::trainer, words[script],
                  rest_of(words, script + 1));
}

// torchrun, accelerate launch, deepspeed, python -m torch.distributed.run: their flags up to the
// script, and what the script is.
std::optional<Launch> launched_script(const std::vector<Word>& words, std::size_t from) {
  std::size_t script = words.size();
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text.ends_with(".py") && !text.starts_with('-')) {
      script = i;
      break;
    }
    if (text == "-m" && i + 1 < words.size()) {
      if (auto found = module_launch(words, i + 1)) {
        found->launcher.assign(words.begin() + static_cast<std::ptrdiff_t>(from),
                               words.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
      }
      script = i + 1;
      break;
    }
  }
  if (script == words.size()) return std::nullopt;
  Launch launch = script_launch(words, script);
  launch.launcher.assign(words.begin() + static_cast<std::ptrdiff_t>(from),
                         words.begin() + static_cast<std::ptrdiff_t>(script));
  return launch;
}

// A Python script of one's own is a trainer only where its flags say so.
bool trains(const Launch& launch) {
  if (launch.dialect != Dialect::trainer || launch.kind != "shell") return true;
  Settings settings;
  read_flags(launch.dialect, launch.arguments, settings);
  const bool has_batch =
      settings.find(Knob::microbatch) != nullptr || settings.find(Knob::sequence) != nullptr;
  return has_batch || (settings.find(Knob::model) != nullptr && !launch.launcher.empty());
}

// Trainers with commands of their own: `axolotl train F`, `llamafactory-cli train F`,
// `tune run … RECIPE --config F`.
std::optional<Launch> trainer_command(const std::vector<Word>& words, std::size_t i) {
  const std::string_view name = base_name(words[i].text);
  if (i + 2 >= words.size()) return std::nullopt;
  const std::string& next = words[i + 1].text;
  if (name == "axolotl" && next == "train") {
    return training("axolotl", Dialect::trainer, words[i], rest_of(words, i + 2));
  }
  if (name == "llamafactory-cli" && next == "train") {
    return training("llamafactory", Dialect::trainer, words[i], rest_of(words, i + 2));
  }
  if (name != "tune" || next != "run") return std::nullopt;
  for (std::size_t recipe = i + 2; recipe < words.size(); ++recipe) {
    if (words[recipe].text != "--config") continue;
    Launch launch = training("torchtune", Dialect::trainer, words[i], rest_of(words, recipe));
    launch.launcher.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                           words.begin() + static_cast<std::ptrdiff_t>(recipe));
    return launch;
  }
  return std::nullopt;
}

std::optional<Launch> launch_at(const std::vector<Word>& words, std::size_t i) {
  const std::string_view name = base_name(words[i].text);
  const std::string_view next =
      i + 1 < words.size() ? std::string_view(words[i + 1].text) : std::string_view();
  if (name == "vllm" && next == "serve") {
    return serving("vllm", Dialect::vllm, words[i], rest_of(words, i + 2));
  }
  if (name == "sglang" && next == "serve") {
    return serving("sglang", Dialect::sglang, words[i], rest_of(words, i + 2));
  }
  // The router of disaggregated serving holds no model.
  if (name == "trtllm-serve" && !next.starts_with("disaggregated")) {
    const std::size_t from = next == "serve" ? i + 2 : i + 1;
    return serving("trtllm", Dialect::trtllm, words[i], rest_of(words, from));
  }
  if (name == "llama-server") {
    return serving("llamacpp", Dialect::llamacpp, words[i], rest_of(words, i + 1));
  }
  if (name == "text-generation-launcher") {
    return serving("tgi", Dialect::tgi, words[i], rest_of(words, i + 1));
  }
  if (name == "trl" && next == "vllm-serve") {
    return serving("vllm", Dialect::vllm, words[i], rest_of(words, i + 2));
  }
  if (name == "optimum-cli" && i + 2 < words.size()) {
    const bool known = (next == "neuron" && words[i + 2].text == "serve") ||
                       (next == "export" && words[i + 2].text == "neuron");
    if (known) return serving("neuronx", Dialect::neuronx, words[i], rest_of(words, i + 3));
  }
  if (words[i].text == "-m" && i > 0 && i + 1 < words.size() &&
      is_python(base_name(words[i - 1].text))) {
    if (next.starts_with("torch.distributed")) return launched_script(words, i + 2);
    return module_launch(words, i + 1);
  }
  if (name == "torchrun" || name == "deepspeed") return launched_script(words, i + 1);
  if (name == "accelerate" && next == "launch") return launched_script(words, i + 2);
  if (auto found = trainer_command(words, i)) return found;
  if (is_python(name) && next.ends_with(".py")) {
    if (next.ends_with("sglang/launch_server.py")) {
      return serving("sglang", Dialect::sglang, words[i + 1], rest_of(words, i + 2));
    }
    return script_launch(words, i + 1);
  }
  return std::nullopt;
}

// MaxText's `key=value` arguments.
std::vector<MaxTextKey> maxtext_keys(const std::vector<Word>& arguments) {
  std::vector<MaxTextKey> keys;
  for (const Word& argument : arguments) {
    const std::size_t equals = argument.text.find('=');
    if (equals == std::string::npos) continue;
    keys.push_back({argument.text.substr(0, equals),
                    {argument.text.substr(equals + 1), argument.where, argument.missing}});
  }
  return keys;
}

bool is_data_file(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

}  // namespace

std::optional<Launch> find_launch(const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto launch = launch_at(words, i);
    if (launch && trains(*launch)) return launch;
  }
  return std::nullopt;
}

Settings settings_of(const Launch& launch) {
  if (launch.kind == "maxtext") return maxtext_settings(maxtext_keys(launch.arguments));
  Settings settings;
  const std::vector<Word> positionals = read_flags(launch.dialect, launch.arguments, settings);
  const bool takes_model = launch.dialect == Dialect::vllm || launch.dialect == Dialect::trtllm;
  if (takes_model && !positionals.empty()) settings.put_unless_set(Knob::model, positionals[0]);
  const bool takes_file = launch.dialect == Dialect::trainer && !positionals.empty();
  if (takes_file && is_data_file(positionals[0].text)) {
    settings.put_unless_set(Knob::config_file, positionals[0]);
  }
  return settings;
}

void read_launch(const Launch& launch, const Settings& settings, Workload& workload) {
  workload.work = launch.work;
  if (!launch.engine.empty()) workload.engine = Word{launch.engine, launch.what.where};
  settle(launch.dialect, settings, workload);
  if (launch.work == Work::train && launch.kind != "shell") workload.trainer = launch.kind;
  if (launch.kind == "maxtext") read_maxtext_layout(maxtext_keys(launch.arguments), workload);
  if (launch.launcher.empty()) return;
  Settings flags;
  read_flags(Dialect::launcher, launch.launcher, flags);
  Workload spread;
  settle(Dialect::launcher, flags, spread);
  if (spread.nodes) workload.nodes = spread.nodes;
  if (spread.zero && !workload.zero) workload.zero = spread.zero;
  const auto number = [&](Knob knob) -> std::optional<Number> {
    const Word* value = flags.find(knob);
    if (value == nullptr) return std::nullopt;
    if (!value->resolved()) {
      for (const std::string& variable : value->missing)
        workload.unresolved.push_back({"devices", variable, value->where});
      return std::nullopt;
    }
    const auto count = read_count(Dialect::launcher, value->text);
    if (!count) return std::nullopt;
    return Number{*count, value->where};
  };
  workload.unresolved.insert(workload.unresolved.end(), spread.unresolved.begin(),
                             spread.unresolved.end());
  const auto per_node = number(Knob::processes_per_node);
  if (const auto processes = number(Knob::processes)) {
    workload.processes = processes;
  } else if (per_node) {
    const bool is_single = !workload.nodes && flags.find(Knob::nodes) == nullptr;
    workload.devices_per_node = per_node;
    // torchrun starts one node where no count is given.
    const exact::Rational nodes = workload.nodes ? workload.nodes->value : exact::Rational{1};
    if (workload.nodes || is_single) {
      workload.processes = Number{per_node->value * nodes, per_node->where};
    }
  }
}

}  // namespace ullage::plan
