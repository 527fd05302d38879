// Megatron-Bridge, src/megatron/bridge/training/utils/theoretical_memory_utils.py, commit
// 067f987df03b.
#include "engine/megatron.hpp"

namespace ullage::engine {

using memory::degree;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

namespace {

constexpr const char* kReport = "Megatron-Bridge theoretical_memory_utils.py (commit 067f987df03b)";

// Widths of all layers together, prediction layers included: of the dense MLP, or of a token's
// experts and the shared one.
Term widths(const model::LayerKinds& kinds) {
  Term total(0);
  for (const model::MlpLayers& mlp : kinds.mlps) {
    const Term own = mlp.experts ? Term(*mlp.chosen) * Term(mlp.width) : Term(mlp.width);
    total = total + Term(mlp.layers) * own;
  }
  return total;
}

}  // namespace

memory::RankLoad megatron_bridge_load(Graph& graph, const DecoderNumbers& decoder,
                                      const memory::TrainingRanks& ranks) {
  const MegatronParts parts = megatron_parts(graph, decoder);
  const model::LayerKinds& kinds = decoder.kinds;
  const Term hidden(kinds.hidden);
  const Term tensor = degree(ranks.tensor);
  const Term pipeline = degree(ranks.pipeline);
  // Prediction layers stand at the end of its list of layers, which stages share evenly.
  const Term norms = Term(4) * hidden * memory::layers_of(kinds) + Term(2) * hidden;
  Term divided = (parts.layers + parts.prediction + norms) / pipeline + parts.table;
  if (parts.untied && pipeline.is_constant(1)) divided = divided + parts.table;
  const Term spread = degree(ranks.expert) * degree(ranks.expert_tensor);
  const auto count = [&](const char* name, const Term& term) {
    return Term(graph, term.derive<units::Count>(graph, name, kReport).id());
  };
  memory::RankLoad load;
  load.dense = count("parameters of the most loaded rank", divided / tensor);
  if (!parts.experts.is_constant(0)) {
    load.experts = count("experts' parameters of the most loaded rank",
                         (parts.experts + parts.prediction_experts) / (pipeline * spread));
  }
  load.group = degree(ranks.data) * degree(ranks.context);
  load.expert_group = degree(ranks.data) * tensor * degree(ranks.context) / spread;
  return load;
}

Figure<Bytes> megatron_bridge_activations(Graph& graph, const DecoderNumbers& decoder,
                                          const memory::TrainingRanks& ranks,
                                          const memory::TrainingBatch& batch) {
  const model::LayerKinds& kinds = decoder.kinds;
  const Term tokens = Term(batch.sequence) * Term(batch.microbatch);
  const Term hidden(kinds.hidden);
  const Term layers =
      tokens * (Term(18) * hidden * memory::layers_of(kinds) + Term(4) * widths(kinds));
  const Term embedding = tokens * degree(ranks.pipeline) * (Term(8) + hidden);
  Term total = (layers + embedding) * interleaving(ranks, batch);
  if (degree(ranks.pipeline).is_constant(1)) {
    const Term vocabulary = kinds.vocabulary ? Term(*kinds.vocabulary) : Term(0);
    total = total + Term(4) * tokens * (hidden + vocabulary);
  }
  return (total / (degree(ranks.tensor) * degree(ranks.context)))
      .derive<Bytes>(graph, "activations as reported",
                     std::string(kReport) + ", compute_activation_memory");
}

}  // namespace ullage::engine
