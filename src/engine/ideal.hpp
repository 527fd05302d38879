// Arithmetic alone: no blocks, no padding, nothing reserved.
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

memory::CacheRules ideal_cache_rules(const Version& version, std::optional<bool> expanded);
// What a prefill instance hands to a decode instance for one request at the context: the entries
// that windows leave, states and encoder caches, each once, whatever either side replicates.
// Nothing without a context.
std::optional<provenance::Figure<units::Bytes>> handover(provenance::Graph& graph,
                                                         const Question& question);

base::Result<Allocation> allocate_ideal(provenance::Graph& graph, const Question& question);

// kv_floor_per_sequence and kv_full_per_sequence of a model with windows, where a context is asked
// for: window-limited arithmetic, and every layer full.
void add_window_figures(provenance::Graph& graph, const Question& question, Allocation& allocation);

}  // namespace ullage::engine
