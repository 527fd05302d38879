// Activations and logits of one rank: layers of its stage, microbatches in flight, recompute, and
// the loss.
#pragma once

#include "memory/activation_sets.hpp"

namespace ullage::memory {

// Two figures: what must be kept, and what is kept at worst. Either may be unknown.
struct Bounds {
  provenance::Figure<units::Bytes> floor;
  provenance::Figure<units::Bytes> upper;
};

// What one decoder layer keeps of one microbatch: under full recompute its checkpoint.
Bounds layer_activations(provenance::Graph& graph, const model::LayerKinds& kinds,
                         const TrainingRanks& ranks, const TrainingBatch& batch,
                         const ActivationChoice& choice);

// What a rank of `stage` keeps, logits apart. The floor counts the fused set, or the one that was
// asked for; under full recompute checkpoints and one fused layer. The upper figure counts the
// eager set, or the one that was asked for, and under recompute one layer of it beside what is
// kept.
Bounds activations(provenance::Graph& graph, const model::LayerKinds& kinds,
                   const TrainingRanks& ranks, const TrainingBatch& batch,
                   const ActivationChoice& choice, TrainingStage stage);

// Logits of one microbatch on the stage that holds the head: 4 bytes a logit with a fused loss (6
// at most), 6 to 14 with an eager one (16-bit logits, an fp32 copy, its log-softmax and the
// gradient); a chunked loss has one chunk alive. Zero on a stage without the head.
Bounds logits(provenance::Graph& graph, const model::LayerKinds& kinds, const TrainingRanks& ranks,
              const TrainingBatch& batch, const ActivationChoice& choice, TrainingStage stage);

// Microbatches in one step: as given, else as many as the pipeline has stages.
model::Term microbatches_of(const TrainingBatch& batch, const TrainingRanks& ranks);
// Microbatches whose activations a stage holds at once. 1F1B: up to as many as stages are left;
// interleaved: chunks of several microbatches (arXiv 2205.05198, section 4.2.3); GPipe: all.
model::Term in_flight(const TrainingBatch& batch, const TrainingRanks& ranks, TrainingStage stage);

}  // namespace ullage::memory
