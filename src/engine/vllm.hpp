// vLLM: paged blocks (V0), and groups of layers over one pool (V1).
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

std::optional<Utilization> vllm_utilization(const Version& version);
memory::CacheRules vllm_cache_rules(const Version& version, std::optional<bool> expanded);
base::Result<Allocation> allocate_vllm(provenance::Graph& graph, const Question& question);

}  // namespace ullage::engine
