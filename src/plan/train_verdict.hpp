// Training needs against devices.
#pragma once

#include "plan/train_parts.hpp"

namespace ullage::plan {

struct TrainDevice {
  Device device;
  std::optional<model::Extent> chips;  // of one, where it is an instance or system
};
base::Result<std::optional<TrainDevice>> train_device(const TrainRequest& request,
                                                      catalog::Catalogue& catalogue,
                                                      provenance::Graph& graph);

// Adds capacity, budget, lower bound, headroom and the verdict to the row. `whole` is the need of
// one rank that holds everything, `fullest` the stage with the most states, `totals` the most that
// any stage needs.
base::Result<void> judge_training(const TrainRequest& request, const TrainSetup& setup,
                                  const TrainDevice& device, const StageAnswer& whole,
                                  const StageAnswer& fullest, const memory::Bounds& totals,
                                  provenance::Graph& graph, provenance::Row& row);

}  // namespace ullage::plan
