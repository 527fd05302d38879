// Shell scripts that start engines or trainers: each launch is a row.
#include <algorithm>

#include "plan/adapters/adapters.hpp"
#include "plan/adapters/launching.hpp"
#include "plan/files/slurm.hpp"

namespace ullage::plan {
namespace {

// The GPUs of `docker run --gpus`, and the version that the image is tagged with.
void read_docker(const std::vector<Word>& words, const std::string& engine, Workload& workload) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string text = words[i].text;
    const auto version = version_of_image(text, engine);
    if (version) workload.engine_version = Word{*version, words[i].where};
    if (text.starts_with("--gpus=")) {
      text.erase(0, 7);
    } else if (text == "--gpus" && i + 1 < words.size()) {
      text = words[i + 1].text;
    } else {
      continue;
    }
    workload.asks_for_devices = true;
    // `2`, `all`, `"device=0,1"`.
    const std::size_t listed = text.find("device=");
    if (listed != std::string::npos) {
      const auto commas = std::count(text.begin(), text.end(), ',');
      workload.devices = Number{exact::Rational{commas + 1}, words[i].where};
      continue;
    }
    const auto number = exact::Rational::parse(text);
    if (number) workload.devices = Number{*number, words[i].where};
  }
}

// The image among the words of `docker run`, and what it is given.
std::optional<Launch> docker_launch(const std::vector<Word>& words) {
  bool is_run = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    is_run = is_run || words[i].text == "run";
    const std::string& text = words[i].text;
    const bool is_image = is_run && text.find('/') != std::string::npos && !text.starts_with('-') &&
                          !text.starts_with('/') && text.find('=') == std::string::npos &&
                          (i == 0 || words[i - 1].text != "-v");
    if (!is_image) continue;
    const std::vector<Word> rest(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    auto launch = launch_of_image(text, rest);
    if (launch) {
      launch->what.where = words[i].where;
      return launch;
    }
  }
  return std::nullopt;
}

}  // namespace

bool takes_shell(const PlanDocument& document) {
  return document.file->format == FileFormat::shell;
}

std::vector<Workload> read_shell(const Reading& reading, const PlanDocument& document) {
  std::vector<Workload> found;
  std::vector<ShellCommand> here;
  Scope scope = reading.scope();
  for (auto& [name, value] : variables_beside(reading.set, document.file->path))
    scope.set(name, value);
  const SlurmRequest slurm = read_slurm(document.file->text, document.file->path, scope);
  ShellReader shell(scope, [&](const ShellCommand& made, const Scope& now) {
    if (made.here && made.writes) here.push_back(made);
    std::optional<Launch> launch = find_launch(made.words);
    if (!launch && made.words[0].text.ends_with("docker")) launch = docker_launch(made.words);
    if (!launch) return;
    Workload workload = begin_workload(document, launch->kind, {});
    workload.where = launch->what.where;
    take_launch(reading, *launch, now, here, workload);
    read_docker(made.words, launch->engine, workload);
    if (!workload.nodes) workload.nodes = slurm.nodes;
    if (!workload.devices) workload.devices = slurm.devices;
    if (!workload.devices_per_node) workload.devices_per_node = slurm.devices_per_node;
    workload.asks_for_devices = workload.asks_for_devices || slurm.devices.has_value();
    // A node's processes are its devices; without a number of nodes that is no count of all.
    const bool counts_nodes = workload.nodes.has_value();
    if (workload.processes && counts_nodes && !workload.devices) {
      workload.devices = workload.processes;
    }
    if (const Word* visible = now.find("CUDA_VISIBLE_DEVICES");
        visible != nullptr && visible->resolved() && !visible->text.empty()) {
      std::int64_t number = 1;
      for (const char letter : visible->text)
        number += letter == ',' ? 1 : 0;
      workload.visible = Number{exact::Rational{number}, visible->where};
    }
    if (is_workload(workload)) found.push_back(std::move(workload));
  });
  ScalarPlaces places(document.file->source());
  shell.read(document.file->text, places);
  return found;
}

}  // namespace ullage::plan
