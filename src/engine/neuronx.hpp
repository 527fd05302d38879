// NeuronX Distributed Inference and the vLLM Neuron plugin: static caches on each rank.
#pragma once

#include <optional>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

std::optional<Utilization> neuronx_utilization(const Version& version);
memory::CacheRules neuronx_cache_rules(const Version& version, std::optional<bool> expanded);
base::Result<Allocation> allocate_neuronx(provenance::Graph& graph, const Question& question);

}  // namespace ullage::engine
