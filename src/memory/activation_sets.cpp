// Fused: what kernels with fused norms, activations and attention still need. Eager: what modules
// of transformers keep, measured layer by layer (Machine Learning Engineering,
// training/performance). Korthikanti: Reducing Activation Recomputation (arXiv 2205.05198),
// section 4.
#include "memory/activation_sets.hpp"

#include <algorithm>
#include <map>

namespace ullage::memory {
namespace {

using exact::Rational;
using model::Axis;
using model::LayerKinds;
using model::MixerLayers;
using model::Mixing;
using model::MlpLayers;
using model::Term;

// Layers of each kind, once each: a shared expert stands beside routed ones.
template <class Kind>
Term blocks_of(const std::vector<Kind>& kinds, bool prediction) {
  std::vector<provenance::FigureId> seen;
  Term total(0);
  for (const Kind& kind : kinds) {
    if (kind.prediction != prediction) continue;
    if (std::find(seen.begin(), seen.end(), kind.layers.figure) != seen.end()) continue;
    seen.push_back(kind.layers.figure);
    total = total + Term(kind.layers);
  }
  return total;
}

Term blocks_of(const LayerKinds& kinds, bool prediction) {
  return blocks_of(kinds.mixers, prediction) + blocks_of(kinds.mlps, prediction);
}

// A whole number where a quotient is one, so that formulas read `16 × hidden_size`.
Term constant(const Rational& value) {
  return {value};
}

// Bytes of one normed hidden state in eager modules: an fp32 copy (4), the normalised state (2) and
// the scaled one (2); with an offset weight two more.
std::int64_t norm_bytes(const LayerKinds& kinds) {
  return kinds.offset_norms ? 10 : 8;
}

const MlpLayers* shared_beside(const LayerKinds& kinds, const MlpLayers& routed) {
  for (const MlpLayers& mlp : kinds.mlps) {
    if (mlp.shared && mlp.layers.figure == routed.layers.figure) return &mlp;
  }
  return nullptr;
}

}  // namespace

Term layers_of(const LayerKinds& kinds) {
  return Term(kinds.layers) + kinds.prediction_layers;
}

Term layer_checkpoint(const LayerKinds& kinds, const TrainingRanks& ranks) {
  const Term whole = Term(2) * Term(kinds.hidden);
  return ranks.sequence_parallel ? whole / degree(ranks.tensor) : whole;
}

Term ActivationSet::wide(const Term& bytes) const {
  return ranks_.sequence_parallel ? bytes / degree(ranks_.tensor) : bytes;
}

Term ActivationSet::inner(const Term& bytes) const {
  return bytes / degree(ranks_.tensor);
}

// Keys and values of grouped heads stay whole on a rank once there are fewer heads than ranks.
Term ActivationSet::key_value(const MixerLayers& mixer, const Term& bytes) const {
  if (mixer.kv_heads && mixer.kv_heads->value < ranks_.tensor.value) {
    return bytes / Term(*mixer.kv_heads);
  }
  return inner(bytes);
}

Term ActivationSet::around(const Term& norms, const Term& blocks) const {
  const Term hidden(kinds_.hidden);
  if (kernels_ == Kernels::fused) {
    // The input of each block and its normed form.
    const Rational fewer = exact::min(norms.value(), blocks.value());
    return wide(Term(4) * hidden * (fewer == blocks.value() ? blocks : norms));
  }
  return wide(Term(norm_bytes(kinds_)) * hidden * norms + Term(2) * hidden * blocks);
}

Term ActivationSet::scores(const MixerLayers& mixer) const {
  if (choice_.attention == AttentionKernel::flash || choice_.recompute != Recompute::none)
    return {0};
  Term keys(batch_.sequence);
  if (mixer.window && mixer.window->value < batch_.sequence.value) keys = Term(*mixer.window);
  // One 16-bit matrix of probabilities at least; eager modules keep the softmax in fp32 and its
  // 16-bit copy.
  const int bytes = kernels_ == Kernels::fused ? 2 : 6;
  return inner(Term(bytes) * Term(*mixer.heads) * keys);
}

Term ActivationSet::softmax(const MixerLayers& mixer) const {
  const Term query(mixer.query);
  const Term output(mixer.output);
  if (kernels_ == Kernels::fused) {
    return inner(Term(2) * query + Term(2) * output) +
           key_value(mixer, Term(2) * Term(mixer.key) + Term(2) * Term(mixer.value));
  }
  // Queries after rotation, keys and values expanded to all heads, the output.
  Term bytes = Term(4) * query + Term(4) * output;
  if (mixer.head_norms) bytes = bytes + Term(6) * (query + Term(mixer.key));
  return inner(bytes);
}

Term ActivationSet::latent(const MixerLayers& mixer) const {
  Term compressed(0);
  for (const model::Extent& width : mixer.latents)
    compressed = compressed + Term(width);
  const int kept =
      kernels_ == Kernels::fused ? 4 : 10;  // before and after its norm; eager: fp32 too
  return wide(Term(kept) * compressed) +
         inner(Term(4) * Term(mixer.query) + Term(4) * Term(mixer.output));
}

// Linear attention and state-space layers. Fused: the projections and what the output projection
// reads; the rest is computed again (Mamba's ssd_combined.py, MambaSplitConv1dScanCombinedFn).
// Eager: modules of transformers around the chunked kernels, which keep on top the convolution's
// input and output, each at most as wide as the projections, and a gated norm in fp32 (16 bytes a
// channel with its input and output). The delta rule's kernel keeps queries and keys, repeated for
// the heads of values and normalised, a decay in fp32, and two matrices of a chunk of 64 tokens
// (flash-linear-attention, ops/gated_delta_rule/chunk.py, ops/kda/chunk.py); Mamba's keeps the
// steps and their sums in fp32.
Term ActivationSet::recurrent(const MixerLayers& mixer) const {
  const Term projected(mixer.projected);
  const Term output(mixer.output);
  if (kernels_ == Kernels::fused) return inner(Term(2) * projected + Term(2) * output);
  Term bytes = Term(6) * projected + Term(16) * output;
  if (mixer.state.size() == 3) {
    const Term heads(mixer.state.front());
    if (mixer.mixing == Mixing::delta_rule) {
      const Term keys(mixer.state[1]);
      bytes = bytes + heads * (Term(12) * keys + Term(2) * Term(2) * Term(64));
    } else if (mixer.mixing == Mixing::state_space) {
      bytes = bytes + Term(8) * heads;
    }
  }
  return inner(bytes);
}

Term ActivationSet::mixer(const MixerLayers& mixer) const {
  switch (mixer.mixing) {
    case Mixing::softmax:
      return softmax(mixer) + scores(mixer);
    case Mixing::latent:
      return latent(mixer) + scores(mixer);
    case Mixing::delta_rule:
    case Mixing::state_space:
    case Mixing::linear:
      break;
  }
  return recurrent(mixer);
}

Term ActivationSet::mlp(const MlpLayers& mlp) const {
  const int per_width = kernels_ == Kernels::fused ? (mlp.gated ? 6 : 4) : 8;
  const Term width(mlp.width);
  if (!mlp.experts) return inner(Term(per_width) * width);
  // Dispatched inputs and combined outputs of each chosen expert, what is inside them, and the
  // router's scores in fp32.
  const Term hidden(kinds_.hidden);
  const Term routed = Term(*mlp.chosen) * (Term(4) * hidden + Term(per_width) * width);
  const Term scores = Term(4) * Term(*mlp.experts);
  if (!upper_) return routed / degree(ranks_.tensor) + wide(scores);
  return degree(choice_.imbalance) * routed / degree(ranks_.expert_tensor) + wide(scores);
}

Term ActivationSet::korthikanti() const {
  const Term hidden(kinds_.hidden);
  // The widest MLP, or what a token's experts are wide together.
  Term width(0);
  for (const MlpLayers& mlp : kinds_.mlps) {
    if (mlp.prediction || mlp.shared) continue;
    Term own(mlp.width);
    if (mlp.experts) {
      own = Term(*mlp.chosen) * own;
      if (const MlpLayers* shared = shared_beside(kinds_, mlp)) own = own + Term(shared->width);
    }
    if (own.value() > width.value()) width = own;
  }
  Term square(0);
  const bool keeps_scores =
      choice_.attention == AttentionKernel::unfused && choice_.recompute == Recompute::none;
  if (keeps_scores && !kinds_.mixers.empty() && kinds_.mixers.front().heads) {
    square = Term(5) * Term(*kinds_.mixers.front().heads) * Term(batch_.sequence);
  }
  const bool usual = width.value() == Rational(4) * kinds_.hidden.value;
  if (ranks_.sequence_parallel) {
    const Term linear = usual ? Term(34) * hidden : Term(18) * hidden + Term(4) * width;
    return inner(linear + square);
  }
  const Term linear = usual ? Term(24) * hidden : Term(8) * hidden + Term(4) * width;
  return Term(10) * hidden + inner(linear + square);
}

Term ActivationSet::layer() const {
  if (kernels_ == Kernels::korthikanti) return korthikanti();
  Term largest_mixer(0);
  for (const MixerLayers& each : kinds_.mixers) {
    const Term own = mixer(each);
    if (own.value() > largest_mixer.value()) largest_mixer = own;
  }
  Term largest_mlp(0);
  for (const MlpLayers& each : kinds_.mlps) {
    if (each.shared) continue;
    Term own = mlp(each);
    const MlpLayers* shared = each.experts ? shared_beside(kinds_, each) : nullptr;
    if (shared != nullptr) own = own + mlp(*shared);
    if (own.value() > largest_mlp.value()) largest_mlp = own;
  }
  const Rational layers = kinds_.layers.value;
  const Rational norms = kinds_.norms.value() / layers;
  const Rational blocks = blocks_of(kinds_, false).value() / layers;
  const Term around_layer = around(constant(norms.ceil()), constant(blocks.ceil()));
  if (kinds_.one_part_layers) {
    const bool mixes = largest_mixer.value() > largest_mlp.value();
    return around_layer + (mixes ? largest_mixer : largest_mlp);
  }
  return around_layer + largest_mixer + largest_mlp;
}

Term ActivationSet::all_layers() const {
  if (kernels_ == Kernels::korthikanti) return layers_of(kinds_) * korthikanti();
  // Norms of prediction layers are as many as their blocks.
  const Term predicted = blocks_of(kinds_, true);
  Term total = around(kinds_.norms + predicted, blocks_of(kinds_, false) + predicted);
  for (const MixerLayers& each : kinds_.mixers)
    total = total + Term(each.layers) * mixer(each);
  for (const MlpLayers& each : kinds_.mlps)
    total = total + Term(each.layers) * mlp(each);
  return total;
}

Term ActivationSet::ends() const {
  const Term hidden(kinds_.hidden);
  return wide(Term(kernels_ == Kernels::eager ? norm_bytes(kinds_) : 4) * hidden);
}

Term ActivationSet::embedding() const {
  if (kernels_ != Kernels::korthikanti) return {0};
  return wide(Term(kinds_.hidden));
}

SelectiveOps op_selective(const LayerKinds& kinds, const TrainingRanks& ranks) {
  // Of every layer the input and the outputs of every second matrix: query, value, one of gate and
  // up, down; and that of attention.
  const Term hidden(kinds.hidden);
  const Term tensor = degree(ranks.tensor);
  const auto wide = [&](const Term& bytes) {
    return ranks.sequence_parallel ? bytes / tensor : bytes;
  };
  SelectiveOps result;
  Term layer_mixer(0);
  for (const MixerLayers& mixer : kinds.mixers) {
    if (mixer.mixing != Mixing::softmax && mixer.mixing != Mixing::latent) {
      const std::string why =
          "which products of linear attention or state-space layers are kept is "
          "not stated";
      return {{Term(0), why}, {Term(0), why}};
    }
    const Term kept =
        Term(2) * (Term(mixer.query) + Term(mixer.value) + Term(mixer.output)) / tensor +
        wide(Term(2) * hidden);
    result.all_layers.bytes = result.all_layers.bytes + Term(mixer.layers) * kept;
    if (kept.value() > layer_mixer.value()) layer_mixer = kept;
  }
  Term layer_mlp(0);
  for (const MlpLayers& mlp : kinds.mlps) {
    const Term chosen = mlp.chosen ? Term(*mlp.chosen) : Term(1);
    const Term inside = chosen * Term(2) * Term(mlp.width) / tensor;
    const Term kept = mlp.shared ? inside : inside + wide(Term(2) * hidden);
    result.all_layers.bytes = result.all_layers.bytes + Term(mlp.layers) * kept;
    if (kept.value() > layer_mlp.value()) layer_mlp = kept;
  }
  result.layer.bytes = layer_mixer + layer_mlp;
  return result;
}

}  // namespace ullage::memory
