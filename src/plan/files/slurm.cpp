// Options and variables: the sbatch manual page of Slurm.
#include "plan/files/slurm.hpp"

#include <map>

namespace ullage::plan {
namespace {

using exact::Rational;

constexpr std::string_view kMark = "#SBATCH";

// `8`, `h100:8`, `gpu:h100:8`, `gpu:8(S:0-1)`, `4-8`: the number, of a range the least.
std::optional<Rational> count_in(std::string_view text) {
  text = text.substr(0, text.find('('));
  text = text.substr(text.rfind(':') + 1);
  text = text.substr(0, text.find('-'));
  const auto number = Rational::parse(text);
  if (!number || !number->is_whole() || number->sign() <= 0) return std::nullopt;
  return *number;
}

struct Options {
  std::map<std::string, Word, std::less<>> values;

  const Word* find(std::string_view name, std::string_view letter) const {
    if (const auto known = values.find(name); known != values.end()) return &known->second;
    const auto known = values.find(letter);
    return known == values.end() || letter.empty() ? nullptr : &known->second;
  }
  std::optional<Number> count(std::string_view name, std::string_view letter = {}) const {
    const Word* value = find(name, letter);
    if (value == nullptr) return std::nullopt;
    const auto number = count_in(value->text);
    if (!number) return std::nullopt;
    return Number{*number, value->where};
  }
};

// `--nodes=4`, `--nodes 4`, `-N 4`, `-N4`; several on a line.
void read_line(std::string_view line, const base::Span& where, Options& options) {
  std::string name;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t start = line.find_first_not_of(" \t\r", at);
    if (start == std::string_view::npos || line[start] == '#') return;
    const std::size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
    const std::string_view word = line.substr(start, end - start);
    at = end;
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      name = word.substr(0, equals);
      if (equals == std::string_view::npos) continue;
      options.values.insert_or_assign(name, Word{std::string(word.substr(equals + 1)), where});
    } else if (word.starts_with('-') && word.size() > 1) {
      name = word.substr(0, 2);
      if (word.size() == 2) continue;
      options.values.insert_or_assign(name, Word{std::string(word.substr(2)), where});
    } else if (!name.empty()) {
      options.values.insert_or_assign(name, Word{std::string(word), where});
    }
    name.clear();
  }
}

Options read_options(std::string_view script, const std::string& file) {
  Options options;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < script.size();) {
    const std::size_t end = std::min(script.find('\n', at), script.size());
    const std::string_view line = script.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.starts_with(kMark)) {
      read_line(line.substr(kMark.size()), {file, number, 1}, options);
    } else if (line.find_first_not_of(" \t\r") != std::string_view::npos &&
               !line.starts_with('#')) {
      return options;
    }
  }
  return options;
}

}  // namespace

SlurmRequest read_slurm(std::string_view script, const std::string& file, Scope& scope) {
  SlurmRequest request;
  if (script.find(kMark) == std::string_view::npos) return request;
  const Options options = read_options(script, file);
  request.nodes = options.count("--nodes", "-N");
  request.devices_per_node = options.count("--gpus-per-node");
  if (!request.devices_per_node) {
    const Word* generic = options.find("--gres", {});
    if (generic != nullptr && generic->text.starts_with("gpu")) {
      request.devices_per_node = options.count("--gres");
    }
  }
  const auto tasks_per_node = options.count("--ntasks-per-node");
  const auto per_task = options.count("--gpus-per-task");
  if (!request.devices_per_node && per_task && tasks_per_node) {
    request.devices_per_node = Number{per_task->value * tasks_per_node->value, per_task->where};
  }
  request.devices = options.count("--gpus", "-G");
  const bool has_nodes = request.nodes && request.devices_per_node;
  if (!request.devices && has_nodes) {
    request.devices = Number{request.nodes->value * request.devices_per_node->value,
                             request.devices_per_node->where};
  }
  const auto give = [&scope](const char* name, const std::optional<Number>& number) {
    if (number) scope.set(name, {number->value.to_string(), number->where});
  };
  give("SLURM_NNODES", request.nodes);
  give("SLURM_JOB_NUM_NODES", request.nodes);
  give("SLURM_GPUS_PER_NODE", request.devices_per_node);
  give("SLURM_GPUS_ON_NODE", request.devices_per_node);
  give("SLURM_GPUS", request.devices);
  give("SLURM_NTASKS_PER_NODE", tasks_per_node);
  auto tasks = options.count("--ntasks", "-n");
  if (!tasks && tasks_per_node && request.nodes) {
    tasks = Number{tasks_per_node->value * request.nodes->value, tasks_per_node->where};
  }
  give("SLURM_NTASKS", tasks);
  return request;
}

}  // namespace ullage::plan
