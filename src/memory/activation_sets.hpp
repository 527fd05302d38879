// Which tensors of a layer are kept for the backward pass, in bytes a token on one rank, by the
// kernels that run it.
#pragma once

#include "memory/training_setup.hpp"
#include "model/layer_kinds.hpp"

namespace ullage::memory {

// The bytes of one token, or why no set is known.
struct KeptBytes {
  model::Term bytes{0};
  std::string unknown = {};
};

// What the parts of a decoder keep with one set of kernels. All of one token on one rank.
class ActivationSet {
 public:
  ActivationSet(Kernels kernels, const model::LayerKinds& kinds, const TrainingRanks& ranks,
                const TrainingBatch& batch, const ActivationChoice& choice, bool upper)
      : kernels_(kernels),
        kinds_(kinds),
        ranks_(ranks),
        batch_(batch),
        choice_(choice),
        upper_(upper) {}

  // One layer: the largest mixer, the largest MLP or mixture, and what stands around them.
  model::Term layer() const;
  // Every layer of the model, prediction layers included.
  model::Term all_layers() const;
  // The final norm and the input of the head.
  model::Term ends() const;
  // The dropout mask of the embedding, where the set has one.
  model::Term embedding() const;

 private:
  model::Term wide(const model::Term& bytes) const;   // of hidden_size: whole, or ÷ tp
  model::Term inner(const model::Term& bytes) const;  // inside attention and MLP: ÷ tp
  model::Term key_value(const model::MixerLayers& mixer, const model::Term& bytes) const;
  model::Term around(const model::Term& norms, const model::Term& blocks) const;
  model::Term mixer(const model::MixerLayers& mixer) const;
  model::Term recurrent(const model::MixerLayers& mixer) const;
  model::Term softmax(const model::MixerLayers& mixer) const;
  model::Term latent(const model::MixerLayers& mixer) const;
  model::Term scores(const model::MixerLayers& mixer) const;
  model::Term mlp(const model::MlpLayers& mlp) const;
  model::Term korthikanti() const;

  Kernels kernels_;
  const model::LayerKinds& kinds_;
  const TrainingRanks& ranks_;
  const TrainingBatch& batch_;
  const ActivationChoice& choice_;
  bool upper_;
};

// What one layer keeps where every second matrix product is kept and the rest computed again
// (torchtitan's op-level selective checkpointing), and all layers of the model.
struct SelectiveOps {
  KeptBytes layer;
  KeptBytes all_layers;
};
SelectiveOps op_selective(const model::LayerKinds& kinds, const TrainingRanks& ranks);

// The checkpoint of one layer under full recompute, a token on one rank: 2 × hidden_size, ÷ tp with
// sequence parallelism.
model::Term layer_checkpoint(const model::LayerKinds& kinds, const TrainingRanks& ranks);

// Layers of the main model and of its prediction modules.
model::Term layers_of(const model::LayerKinds& kinds);

}  // namespace ullage::memory
