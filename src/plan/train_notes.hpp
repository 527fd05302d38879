// What of a training request cannot be, does not divide, or has no effect.
#pragma once

#include "plan/train_setup.hpp"

namespace ullage::plan {

// Compares degrees with the model. Error usage for more stages than layers, more expert ranks than
// experts, and more chunks of the loss than tokens; degrees that do not divide are answered as if
// they did, with a note.
base::Result<void> check_layout(const TrainRequest& request, const model::Model& model,
                                provenance::Graph& graph, TrainSetup& setup);

// Notes the flags that change nothing in this answer, and why.
void note_ignored(const TrainRequest& request, TrainSetup& setup);

}  // namespace ullage::plan
