// Adds up one stage.
#include "memory/training_totals.hpp"

namespace ullage::memory {

using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

Gathered gathered(Graph& graph, const RankParameters& rank, const TrainingRanks& ranks,
                  const model::LayerKinds& kinds, bool frozen) {
  const std::string on =
      rank.stage == TrainingStage::only ? "" : ", " + std::string(name_of(rank.stage));
  const Term tables(graph, rank.embeddings->id());
  const Term final_norm = rank.stage == TrainingStage::first ? Term(0) : Term(kinds.hidden);
  Term blocks = Term(graph, rank.dense.id()) - tables;
  if (!final_norm.is_constant(0)) blocks = blocks - final_norm;
  if (rank.experts) blocks = blocks + Term(graph, rank.experts->id());
  const Term layers = Term(kinds.layers) / degree(ranks.pipeline);
  const Term bytes = frozen ? Term(2) : Term(2) + Term(4);
  const auto figure = [&](const char* name, const Term& term) {
    return term.derive<Bytes>(graph, name + on,
                              "PyTorch FSDP2, torch/distributed/fsdp/_fully_shard: 16-bit weights "
                              "and, before they are reduced, fp32 gradients of a unit");
  };
  const Gathered::Parts parts{.root = figure("gathered root unit", bytes * (tables + final_norm)),
                              .layer = figure("gathered layer in use", bytes * blocks / layers),
                              .prefetched = figure("prefetched layer", bytes * blocks / layers)};
  return {graph.sum("gathered units" + on, std::vector{parts.root, parts.layer, parts.prefetched}),
          parts};
}

Bounds stage_totals(Graph& graph, const StageNeeds& needs, const TotalRules& rules,
                    const std::vector<Figure<Bytes>>& overheads) {
  const RankStates& states = needs.states;
  const std::string on =
      needs.stage == TrainingStage::only ? "" : ", " + std::string(name_of(needs.stage));
  const auto term = [&](Figure<Bytes> figure) { return Term(graph, figure.id()); };
  const Term resident = term(states.weights) + term(states.master) + term(states.optimizer);
  const bool separate = !rules.logits_inside;
  const Term low = separate ? term(needs.activations.floor) + term(needs.logits.floor)
                            : term(needs.activations.floor);
  const Term high = separate ? term(needs.activations.upper) + term(needs.logits.upper)
                             : term(needs.activations.upper);
  const Term gradients = term(states.gradients);
  Term floor = resident + low;
  if (!rules.gradients_leave) {
    floor = rules.one_microbatch ? resident + max(gradients, low) : resident + gradients + low;
  }
  Term upper = resident + gradients + high;
  const Figure<Bytes> units = needs.gathered.total;
  const bool nothing = graph.known(units.id()) && graph.value(units).is_zero();
  if (!nothing) upper = upper + term(units);
  if (needs.buckets) upper = upper + term(*needs.buckets);
  for (const Figure<Bytes>& overhead : overheads) {
    floor = floor + term(overhead);
    upper = upper + term(overhead);
  }
  const bool larger = rules.one_microbatch && !rules.gradients_leave;
  return {floor.derive<Bytes>(graph, "total, floor" + on,
                              larger ? "without accumulation gradients appear while activations "
                                       "disappear, so the larger counts: compiled runs peak below "
                                       "the sum (torchtune README.md, commit bd2a0fc7c314)"
                                     : ""),
          upper.derive<Bytes>(graph, "total, upper" + on)};
}

}  // namespace ullage::memory
