// Megatron-LM, megatron/training/theoretical_memory_usage.py, commit d98e8a64ddf3.
#include "engine/megatron.hpp"

namespace ullage::engine {

using memory::degree;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

namespace {

constexpr const char* kReport = "Megatron-LM theoretical_memory_usage.py (commit d98e8a64ddf3)";

// The width that `--ffn-hidden-size` holds: of dense layers, else of one expert.
Term mlp_width(const model::LayerKinds& kinds) {
  for (const model::MlpLayers& mlp : kinds.mlps) {
    if (!mlp.experts && !mlp.shared && !mlp.prediction) return Term(mlp.width);
  }
  return kinds.mlps.empty() ? Term(0) : Term(kinds.mlps.front().width);
}

}  // namespace

memory::RankLoad megatron_lm_load(Graph& graph, const DecoderNumbers& decoder,
                                  const memory::TrainingRanks& ranks) {
  const MegatronParts parts = megatron_parts(graph, decoder);
  const model::LayerKinds& kinds = decoder.kinds;
  const Term tensor = degree(ranks.tensor);
  const Term pipeline = degree(ranks.pipeline);
  const Term norm = Term(parts.norm_bias ? 2 : 1) * Term(kinds.hidden);
  Term divided = parts.layers / pipeline + parts.prediction + parts.table;
  if (parts.untied && pipeline.is_constant(1)) divided = divided + parts.table;
  const Term whole = (Term(2) * norm * Term(kinds.layers) + parts.routers + norm) / pipeline +
                     Term(2) * norm * kinds.prediction_layers + parts.prediction_routers;
  const Term spread = degree(ranks.expert) * degree(ranks.expert_tensor);
  const auto count = [&](const char* name, const Term& term) {
    return Term(graph, term.derive<units::Count>(graph, name, kReport).id());
  };
  memory::RankLoad load;
  load.dense = count("parameters of the most loaded rank", divided / tensor + whole);
  if (!parts.experts.is_constant(0)) {
    load.experts = count("experts' parameters of the most loaded rank",
                         (parts.experts / pipeline + parts.prediction_experts) / spread);
  }
  load.group = degree(ranks.data);
  // world ÷ (etp × ep × pp): unlike the group of dense weights it counts context parallel ranks.
  load.expert_group = degree(ranks.data) * degree(ranks.context) * tensor / spread;
  return load;
}

Figure<Bytes> megatron_lm_activations(Graph& graph, const DecoderNumbers& decoder,
                                      const memory::TrainingRanks& ranks,
                                      const memory::TrainingBatch& batch, bool selective) {
  const model::LayerKinds& kinds = decoder.kinds;
  const Term tokens = Term(batch.sequence) * Term(batch.microbatch);  // cp is not read
  const Term hidden(kinds.hidden);
  const Term layers(kinds.layers);
  const Term tensor = degree(ranks.tensor);
  const Term vocabulary = kinds.vocabulary ? Term(*kinds.vocabulary) : Term(0);
  const Term embedding = tokens * degree(ranks.pipeline) * (Term(8) + hidden);
  const Term filled = interleaving(ranks, batch);
  const bool one_stage = degree(ranks.pipeline).is_constant(1);
  if (ranks.sequence_parallel && selective) {
    const Term layer = Term(18) * hidden + Term(4) * mlp_width(kinds);
    Term total = (tokens * layer * layers + embedding) * filled;
    if (one_stage) total = total + Term(4) * tokens * (hidden + vocabulary);
    return (total / tensor)
        .derive<Bytes>(graph, "activations as reported",
                       std::string(kReport) + ", compute_activation_memory");
  }
  const Term layer = hidden * (Term(10) + Term(24) / tensor);
  Term total = (tokens * layer * layers + embedding) * filled;
  if (one_stage) total = total + Term(2) * tokens * (vocabulary / tensor + hidden);
  const Term margin(*exact::Rational::ratio(105, 100));
  return (margin * total)
      .derive<Bytes>(graph, "activations as reported",
                     std::string(kReport) + ", compute_activation_memory_without_sp");
}

}  // namespace ullage::engine
