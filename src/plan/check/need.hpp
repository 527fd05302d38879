// What a workload needs of each rank, and what each rank has.
#pragma once

#include "plan/check/subject.hpp"

namespace ullage::plan {

// Opens the model: --model, else what the file names, where the catalogue knows it. Errors: those
// of opening --model, and the model of a native plan.
base::Result<void> find_model(Subject& subject);

// Counts the ranks of the layout and of the devices.
void find_ranks_of_layout(Subject& subject);

// Memory of one rank that may be used: its part of a chip's capacity × the engine's or the default
// share.
void find_budget(Subject& subject);

// Weights and cache of the fullest rank, with one sequence and with all of them.
void find_serving_need(Subject& subject);

// Floor and upper figure of training on the fullest rank.
void find_training_need(Subject& subject);

// Weights and working memory over all devices, perfectly balanced: plans of our own without a
// workload.
void find_balanced_need(Subject& subject);

// Totals, and the lower bound of devices, under the names that scripts read.
void add_totals(Subject& subject);

}  // namespace ullage::plan
