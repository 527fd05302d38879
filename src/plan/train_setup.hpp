// From a request to a setup: every number a figure, every degree checked against the others.
#pragma once

#include "engine/training.hpp"
#include "plan/train.hpp"

namespace ullage::plan {

struct TrainSetup {
  const engine::TrainingRules* rules = nullptr;
  memory::TrainingRanks ranks;
  memory::TrainingBatch batch;
  memory::ActivationChoice choice;
  memory::StateSharding sharding;
  model::Extent zero;  // the stage as asked
  const memory::Recipe* recipe = nullptr;
  memory::StateBytes bytes;
  memory::OptimizerChoice optimizer;
  std::optional<model::Extent> base_matrices;  // bytes of frozen matrices kept in another format
  model::Extent world;                         // ranks in all
  model::Extent per_node;                      // of them on one node
  bool layout_given = false;                   // whether the user says how many ranks there are
  std::vector<base::Note> notes;
};

// `chips` are those of one device as named by --on, where it is an instance or system. Errors
// usage: degrees that do not divide, flags that exclude each other, names that nobody knows.
base::Result<TrainSetup> train_setup(const TrainRequest& request, const model::Model& model,
                                     const std::optional<model::Extent>& chips,
                                     catalog::Catalogue& catalogue, provenance::Graph& graph);

// A usage error with a hint.
base::Diagnostic train_usage(std::string message, std::string hint);

}  // namespace ullage::plan
