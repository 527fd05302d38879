// What the two estimators of the Megatron family read alike.
#pragma once

#include "engine/training.hpp"

namespace ullage::engine {

// Parameters of the parts that they tell apart, over the whole model.
struct MegatronParts {
  model::Term layers{0};   // matrices of attention and of dense or shared MLPs
  model::Term experts{0};  // matrices of routed experts
  model::Term routers{0};
  model::Term latent_norms{0};  // of multi-head latent attention, inside its matrices
  model::Term prediction{0};    // a prediction module's layer, without its joining projection
  model::Term prediction_experts{0};
  model::Term prediction_routers{0};
  model::Term table{0};  // input table
  bool untied = false;   // the head is another matrix of its size
  bool norm_bias = false;
};
MegatronParts megatron_parts(provenance::Graph& graph, const DecoderNumbers& decoder);

// 1 + (p − 1) ÷ (p × v) with interleaved stages, else the share of the pipeline that is filled.
model::Term interleaving(const memory::TrainingRanks& ranks, const memory::TrainingBatch& batch);

}  // namespace ullage::engine
