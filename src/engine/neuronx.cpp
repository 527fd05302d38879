// NeuronX Distributed Inference: each rank allocates the whole length of every sequence of the
// batch at the start (kv_cache_manager.py); KV heads are replicated to the tensor-parallel degree,
// or one is kept for each query head, where they do not divide (gqa.py). Read at 4bcdc54b. A device
// here is a rank: a core as software sees it.
#include "engine/neuronx.hpp"

#include <algorithm>

#include "engine/demand.hpp"
#include "engine/ideal.hpp"

namespace ullage::engine {

using exact::Rational;
using memory::CacheClass;
using model::CacheKind;
using provenance::Graph;

std::optional<Utilization> neuronx_utilization(const Version&) {
  return Utilization{
      .share = Rational(9) / Rational(10),
      .citation =
          "0.9, the default of the vLLM Neuron plugin (features guide, KV budget); "
          "--utilization R sets another",
      .of_free = false,
      .cap = Rational(3) / Rational(10),
      .cap_citation =
          "vLLM Neuron plugin, features guide: the cache gets at most 0.30 of the usable "
          "memory (VLLM_NEURON_KV_GMU_BUDGET_CAP_FRACTION)"};
}

memory::CacheRules neuronx_cache_rules(const Version&, std::optional<bool> expanded) {
  memory::CacheRules rules;
  rules.heads = memory::HeadRule::replicated;
  rules.heads_citation =
      "neuronx-distributed-inference 4bcdc54b, modules/attention/gqa.py, L62-103";
  rules.honours_stated_cache = false;  // kv_cache_quant asks for it
  rules.expanded_latent = expanded.value_or(false);
  return rules;
}

base::Result<Allocation> allocate_neuronx(Graph& graph, const Question& question) {
  ULLAGE_CHECK(check_format(question, {"fp32", "fp16", "bf16", "fp8"},
                            "NeuronX Distributed Inference",
                            "aws-neuron-sdk 81ce03ae, nxd-inference feature guide, L462-481"));
  const bool states =
      std::any_of(question.classes.begin(), question.classes.end(), [](const CacheClass& layers) {
        return layers.kind == CacheKind::recurrent || layers.kind == CacheKind::index;
      });
  if (states) {
    return unsupported(
        "NeuronX Distributed Inference lists no model with recurrent states or an indexer",
        "aws-neuron-sdk 81ce03ae, nxd-inference developer guide, model-reference.rst");
  }
  ULLAGE_TRY(Allocation allocation, allocate_ideal(graph, question));
  allocation.notes.push_back({"static-cache", base::Severity::note,
                              "the cache is allocated whole at the start: context × concurrency "
                              "on every rank, whatever is in use"});
  return allocation;
}

}  // namespace ullage::engine
