// From a command line to a workload: its flags, and the files of the set that they name.
#pragma once

#include "plan/adapters/reading.hpp"

namespace ullage::plan {

// Puts what a launch says into the workload: flags before files that they name (`--config`), these
// before configurations of DeepSpeed and Accelerate, and of trainers (`axolotl train F`). `scope`
// holds the variables at the launch, `here` the files that the script writes itself.
void take_launch(const Reading& reading, const Launch& launch, const Scope& scope,
                 const std::vector<ShellCommand>& here, Workload& workload);

// Runs through words that a container starts, or a script's text, and takes the first launch of
// them; the variables at that point are returned.
struct Started {
  std::optional<Launch> launch;
  Scope scope;
  std::vector<ShellCommand> here;
};
Started start_words(const std::vector<Word>& words, const SourceText& source, Scope scope);
Started start_scripts(const PlanDocument& document,
                      const std::vector<const document::Value*>& scripts, Scope scope);

// What a file under another says, where that one says nothing.
void fill_workload(Workload& workload, const Workload& beneath);

// The ZeRO stage in the name of a DeepSpeed preset (`ds_z3_config.json`), or nothing.
std::optional<int> preset_stage(std::string_view path);

}  // namespace ullage::plan
