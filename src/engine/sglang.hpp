// SGLang: token slots in pages, with pools of their own for windows and states.
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

std::optional<Utilization> sglang_utilization(const Version& version);
memory::CacheRules sglang_cache_rules(const Version& version, std::optional<bool> expanded);
base::Result<Allocation> allocate_sglang(provenance::Graph& graph, const Question& question);

}  // namespace ullage::engine
