// The parts of an answer on training, before they are named: one stage at a time.
#pragma once

#include "plan/train_setup.hpp"

namespace ullage::plan {

// The model as training sees it: with a shape, or as a number of parameters.
struct TrainModel {
  const model::Model& model;
  provenance::Figure<units::Count> parameters;
  std::optional<model::LayerKinds> kinds;  // where activations can be counted
  std::string no_kinds;                    // why they cannot
  std::vector<model::TensorGroup> adapters;
  std::optional<provenance::Figure<units::Count>> trainable;  // of adapters
  std::optional<provenance::Figure<units::Bytes>> buckets;    // of collectives, where there are
};

// What the ranks of one stage need.
struct StageAnswer {
  memory::StageNeeds needs;
  memory::Bounds totals;
  std::optional<memory::RankParameters> parameters;         // where the tensors are counted
  std::optional<provenance::Figure<units::Count>> on_rank;  // else their number
  std::optional<provenance::Figure<units::Bytes>> host;     // of one node
};

base::Result<TrainModel> train_model(const TrainRequest& request, const TrainSetup& setup,
                                     const model::Model& model, catalog::Catalogue& catalogue,
                                     provenance::Graph& graph);

// The figures of one stage under the setup's rules. Errors: unknown_figure where the optimizer or
// the estimator needs a shape that the model does not have.
base::Result<StageAnswer> stage_answer(
    const TrainRequest& request, const TrainSetup& setup, const TrainModel& model,
    memory::TrainingStage stage, const std::vector<provenance::Figure<units::Bytes>>& overheads,
    provenance::Graph& graph);

}  // namespace ullage::plan
