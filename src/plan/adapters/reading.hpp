// What adapters work with, and how they offer what they find. One file a kind of deployment file.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/files/file_set.hpp"
#include "plan/files/launch.hpp"
#include "plan/files/settings.hpp"
#include "plan/files/shell.hpp"
#include "plan/files/tree.hpp"
#include "plan/files/workload.hpp"

namespace ullage::plan {

// The set that is read, with what the user sets for its variables.
struct Reading {
  const FileSet& set;
  const Variables& overrides;

  Scope scope() const { return Scope(overrides); }
};

// One kind of file. `takes` looks at the keys only; the first adapter that takes a document reads
// it.
struct Adapter {
  std::string_view kind;
  bool (*takes)(const PlanDocument& document);
  std::vector<Workload> (*read)(const Reading& reading, const PlanDocument& document);
};

// Every adapter, in the order of asking.
const std::vector<Adapter>& adapters();

// Every workload of the set: adapters' finds in document order, alternatives as rows of their own.
std::vector<Workload> read_workloads(const Reading& reading);

// A workload of that document with its name.
Workload begin_workload(const PlanDocument& document, std::string_view kind, std::string name);

// A text that the set holds under the name of a file: a key of a ConfigMap, or a file.
struct HeldText {
  const PlanDocument* document = nullptr;
  const document::Value* scalar = nullptr;  // the ConfigMap's value; nullptr for a whole document
};
std::optional<HeldText> held_text(const Reading& reading, std::string_view path);
// Its tree, parsed where it is text inside a scalar.
std::optional<document::Document> held_tree(const Reading& reading, std::string_view path);

// The Kubernetes object of that kind and name in the set, or nullptr.
const PlanDocument* find_object(const Reading& reading, std::string_view kind,
                                std::string_view name);

// Puts every key of a mapping that the dialect knows into settings; keys that stand already are
// kept. Mappings under `kv_cache_config` count as TensorRT-LLM's keys.
void put_tree(Dialect dialect, const PlanDocument& document, const document::Value& mapping,
              const Scope& scope, Settings& settings);

// The file that settings name (`--config`, `--extra-llm-api-options`), in the set or among the
// here-documents of a script: its keys stand behind the flags'.
void follow_config_file(const Reading& reading, const Launch& launch, const Scope& scope,
                        const std::vector<ShellCommand>& here, Settings& settings);

}  // namespace ullage::plan
