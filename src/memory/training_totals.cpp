// Adds up one stage.
#include "memory/training_totals.hpp"

namespace ullage::memory {

using exact::Rational;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

Figure<Bytes> gathered(Graph& graph, const RankParameters& rank, const TrainingRanks& ranks,
                       const model::LayerKinds& kinds, bool frozen) {
  const std::string on =
      rank.stage == TrainingStage::only ? "" : ", " + std::string(name_of(rank.stage));
  const Term root(graph, rank.embeddings->id());
  const Term final_norm = rank.stage == TrainingStage::first ? Term(0) : Term(kinds.hidden);
  Term blocks = Term(graph, rank.dense.id()) - root;
  if (!final_norm.is_constant(0)) blocks = blocks - final_norm;
  if (rank.experts) blocks = blocks + Term(graph, rank.experts->id());
  const Term layers = Term(kinds.layers) / degree(ranks.pipeline);
  const Term bytes = frozen ? Term(2) : Term(2) + Term(4);
  return (bytes * (root + final_norm + Term(2) * blocks / layers))
      .derive<Bytes>(graph, "gathered units" + on,
                     "PyTorch FSDP2: the root unit, the layer in use and the prefetched one");
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
  const bool nothing = graph.known(needs.gathered.id()) && graph.value(needs.gathered).is_zero();
  if (!nothing) upper = upper + term(needs.gathered);
  for (const Figure<Bytes>& overhead : overheads) {
    floor = floor + term(overhead);
    upper = upper + term(overhead);
  }
  return {floor.derive<Bytes>(graph, "total, floor" + on),
          upper.derive<Bytes>(graph, "total, upper" + on)};
}

}  // namespace ullage::memory
