// TensorRT-LLM: blocks of tokens, rounded up.
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

std::optional<Utilization> trtllm_utilization(const Version& version);
memory::CacheRules trtllm_cache_rules(const Version& version, std::optional<bool> expanded);
base::Result<Allocation> allocate_trtllm(provenance::Graph& graph, const Question& question);

}  // namespace ullage::engine
