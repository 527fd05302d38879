// Factors that formulas of training share.
#include "memory/training_setup.hpp"

namespace ullage::memory {

using model::Term;

std::vector<TrainingStage> stages_of(const TrainingRanks& ranks) {
  if (ranks.pipeline.value == exact::Rational(1)) return {TrainingStage::only};
  return {TrainingStage::first, TrainingStage::last};
}

std::string_view name_of(TrainingStage stage) {
  switch (stage) {
    case TrainingStage::only:
      return "rank";
    case TrainingStage::first:
      return "first stage";
    case TrainingStage::last:
      return "last stage";
  }
  return "rank";
}

Term degree(const model::Extent& extent) {
  return extent.value == exact::Rational(1) ? Term(1) : Term(extent);
}

Term tokens_of(const TrainingBatch& batch, const TrainingRanks& ranks) {
  return Term(batch.sequence) * Term(batch.microbatch) / degree(ranks.context);
}

Term shard_group(const TrainingRanks& ranks) {
  return degree(ranks.shard) * degree(ranks.context);
}

Term expert_shard_group(const TrainingRanks& ranks) {
  return degree(ranks.shard) * degree(ranks.context) * degree(ranks.tensor) /
         (degree(ranks.expert) * degree(ranks.expert_tensor));
}

}  // namespace ullage::memory
