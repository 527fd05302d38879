// The engines by name: which rules of allocation apply.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

struct Engine {
  std::string_view name;
  std::string_view summary;
  // Nothing where the engine has no such setting.
  std::optional<Utilization> (*utilization)(const Version& version);
  // How caches are kept under a version; `expanded` is --mla, where given.
  memory::CacheRules (*cache_rules)(const Version& version, std::optional<bool> expanded);
  base::Result<Allocation> (*allocate)(provenance::Graph& graph, const Question& question);
};

// In the order of the contract: ideal first.
std::span<const Engine> engines();

struct EngineChoice {
  const Engine* engine = nullptr;
  Version version;
  std::string text;  // as typed: `vllm@0.6`
};

// `NAME` or `NAME@VERSION`. Error usage with suggestions.
base::Result<EngineChoice> find_engine(std::string_view text);

}  // namespace ullage::engine
