// Which program a command line starts, as far as it serves or trains a model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/files/settings.hpp"

namespace ullage::plan {

struct Launch {
  std::string engine;  // `vllm`; empty for a trainer
  std::string kind;    // the kind of a script that runs it: `shell`, `megatron` …
  Work work = Work::serve;
  Dialect dialect = Dialect::vllm;
  Word what;                    // the word that says so
  std::vector<Word> arguments;  // of the program itself
  std::vector<Word> launcher;   // flags of torchrun and its kin
};

// The program among the words of a command; nothing where none is known. Wrappers before it (exec,
// env, srun, docker run …) do not matter.
std::optional<Launch> find_launch(const std::vector<Word>& words);

// The program that an image runs when only arguments are given; nothing where it is not known.
std::optional<Launch> launch_of_image(std::string_view image, const std::vector<Word>& arguments);

// The engine's version that an image of its own project is tagged with (`vllm/vllm-openai:v0.9.1`);
// nothing for other images and tags.
std::optional<std::string> version_of_image(std::string_view image, std::string_view engine);

// Puts what the settings of a launch, and its launcher's flags, say into the workload.
void read_launch(const Launch& launch, const Settings& settings, Workload& workload);

// What the command line says. Positional model names are taken where the program takes them,
// `key=value` where it takes those.
Settings settings_of(const Launch& launch);

}  // namespace ullage::plan
