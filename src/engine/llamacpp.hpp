// llama.cpp: cells of a whole context, allocated at the start.
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

std::optional<Utilization> llamacpp_utilization(const Version& version);
memory::CacheRules llamacpp_cache_rules(const Version& version, std::optional<bool> expanded);
base::Result<Allocation> allocate_llamacpp(provenance::Graph& graph, const Question& question);

}  // namespace ullage::engine
