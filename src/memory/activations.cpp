// Layers × tokens × microbatches in flight.
#include "memory/activations.hpp"

#include <algorithm>

namespace ullage::memory {
namespace {

using exact::Rational;
using model::LayerKinds;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

constexpr const char* kKorthikanti =
    "Reducing Activation Recomputation in Large Transformer Models (arXiv 2205.05198), section 4";
constexpr const char* kEager =
    "Machine Learning Engineering, training/performance, anatomy of memory (eager modules, "
    "measured)";
constexpr const char* kLoss =
    "fp32 logits 4 bytes (arXiv 2205.05198, section 4.3); eager modules of transformers: 16-bit "
    "logits 2, fp32 copy 4, log-softmax 4 and its gradient 4 (PyTorch cross_entropy)";

constexpr const char* kFused =
    "what the backward pass of fused kernels reads: flash-attention's queries, keys, values and "
    "output (arXiv 2205.14135, section 3.1), the inputs of norms and projections, gate, up and "
    "product of the MLP";
constexpr const char* kChunked =
    "; linear attention and state spaces by what mamba-ssm (ops/triton/ssd_combined.py, commit "
    "e9594ce1c732) and flash-linear-attention (ops/gated_delta_rule/chunk.py, commit bc3b101dcb71) "
    "save";

std::string citation(Kernels kernels, const LayerKinds& kinds) {
  if (kernels == Kernels::korthikanti) return kKorthikanti;
  const bool recurrent = std::any_of(kinds.mixers.begin(), kinds.mixers.end(),
                                     [](const auto& mixer) { return !mixer.heads.has_value(); });
  return std::string(kernels == Kernels::eager ? kEager : kFused) + (recurrent ? kChunked : "");
}

Figure<Bytes> figure(Graph& graph, const std::string& name, const std::string& unknown,
                     const Term& value, const std::string& cited) {
  if (unknown.empty()) return value.derive<Bytes>(graph, name, cited);
  return *graph.narrow<Bytes>(
      graph.unknown(name, Bytes::kUnit, provenance::Absence::unpublished, unknown));
}

// A figure of its own, so that formulas over it stay short.
Term of_token(Graph& graph, const char* name, const Term& bytes) {
  return {graph, bytes.derive<Bytes>(graph, name).id()};
}

// The sets that a question asks for.
struct Sets {
  ActivationSet floor;
  ActivationSet upper;
  Kernels floor_kernels;
  Kernels upper_kernels;
};
Sets sets_of(const LayerKinds& kinds, const TrainingRanks& ranks, const TrainingBatch& batch,
             const ActivationChoice& choice) {
  const Kernels low = choice.kernels.value_or(Kernels::fused);
  const Kernels high = choice.kernels.value_or(Kernels::eager);
  return {{low, kinds, ranks, batch, choice, false},
          {high, kinds, ranks, batch, choice, true},
          low,
          high};
}

// Keys and values of the next rank in a ring of context parallel ranks, in flight twice.
Term ring(const LayerKinds& kinds, const TrainingRanks& ranks) {
  if (ranks.context.value == Rational(1)) return {0};
  Term largest(0);
  for (const model::MixerLayers& mixer : kinds.mixers) {
    if (!mixer.heads) continue;
    const Term own =
        Term(2) * (Term(2) * Term(mixer.key) + Term(2) * Term(mixer.value)) / degree(ranks.tensor);
    if (own.value() > largest.value()) largest = own;
  }
  return largest;
}

struct Kept {
  KeptBytes bytes;  // a token
  std::string cited;
};

// Of all layers, one microbatch, a token.
Kept kept_of_layers(const LayerKinds& kinds, const TrainingRanks& ranks,
                    const ActivationChoice& choice, const ActivationSet& set, Kernels kernels) {
  switch (choice.recompute) {
    case Recompute::full:
      return {{layers_of(kinds) * layer_checkpoint(kinds, ranks), {}}, kKorthikanti};
    case Recompute::op_selective:
      return {op_selective(kinds, ranks).all_layers,
              "torchtitan, op-level selective activation checkpointing"};
    case Recompute::none:
    case Recompute::selective:
      break;
  }
  return {{set.all_layers(), {}}, citation(kernels, kinds)};
}

bool recomputes(const ActivationChoice& choice) {
  return choice.recompute == Recompute::full || choice.recompute == Recompute::op_selective;
}

}  // namespace

Term microbatches_of(const TrainingBatch& batch, const TrainingRanks& ranks) {
  return batch.microbatches ? Term(*batch.microbatches) : degree(ranks.pipeline);
}

Term in_flight(const TrainingBatch& batch, const TrainingRanks& ranks, TrainingStage stage) {
  if (stage == TrainingStage::only) return {1};
  const Term stages(ranks.pipeline);
  if (batch.schedule == Schedule::gpipe) return microbatches_of(batch, ranks);
  if (batch.virtual_stages && batch.virtual_stages->value > Rational(1)) {
    const Term chunks(*batch.virtual_stages);
    const Term warm = (stages - Term(1)) / chunks;
    return stage == TrainingStage::first ? stages + warm : stages - warm;
  }
  if (stage == TrainingStage::last) return {1};
  return batch.microbatches ? min(Term(*batch.microbatches), stages) : stages;
}

Bounds layer_activations(Graph& graph, const LayerKinds& kinds, const TrainingRanks& ranks,
                         const TrainingBatch& batch, const ActivationChoice& choice) {
  const Sets sets = sets_of(kinds, ranks, batch, choice);
  const Term tokens = tokens_of(batch, ranks);
  const auto one = [&](const char* name, const ActivationSet& set, Kernels kernels) {
    if (choice.recompute == Recompute::full) {
      const Term kept = tokens * layer_checkpoint(kinds, ranks);
      return kept.derive<Bytes>(graph, name, kKorthikanti);
    }
    const KeptBytes kept = choice.recompute == Recompute::op_selective
                               ? op_selective(kinds, ranks).layer
                               : KeptBytes{set.layer(), {}};
    const Term bytes = of_token(graph, "bytes kept of a token, one layer", kept.bytes);
    return figure(graph, name, kept.unknown, tokens * bytes, citation(kernels, kinds));
  };
  return {one("activations of one layer, floor", sets.floor, sets.floor_kernels),
          one("activations of one layer, upper", sets.upper, sets.upper_kernels)};
}

Bounds activations(Graph& graph, const LayerKinds& kinds, const TrainingRanks& ranks,
                   const TrainingBatch& batch, const ActivationChoice& choice,
                   TrainingStage stage) {
  const Sets sets = sets_of(kinds, ranks, batch, choice);
  const Term tokens = tokens_of(batch, ranks);
  const Term flight = in_flight(batch, ranks, stage);
  const std::string on = stage == TrainingStage::only ? "" : ", " + std::string(name_of(stage));
  const bool has_head = stage != TrainingStage::first;
  const auto one = [&](const std::string& name, const ActivationSet& set, Kernels kernels,
                       bool upper) {
    const Kept kept = kept_of_layers(kinds, ranks, choice, set, kernels);
    const Term layers = of_token(graph, "bytes kept of a token, all layers", kept.bytes.bytes);
    Term total = tokens * flight * layers / degree(ranks.pipeline);
    if (stage != TrainingStage::last) total = total + tokens * flight * set.embedding();
    if (upper ? recomputes(choice) : choice.recompute == Recompute::full) {
      ActivationChoice whole = choice;
      whole.recompute = Recompute::none;
      const ActivationSet working(kernels, kinds, ranks, batch, whole, upper);
      total = total + tokens * of_token(graph, "bytes kept of a token, the layer computed again",
                                        working.layer());
    } else if (has_head) {
      // Gone before a layer is computed again.
      total = total + tokens * set.ends();
    }
    if (upper) total = total + tokens * ring(kinds, ranks);
    return figure(graph, name + on, kept.bytes.unknown, total, kept.cited);
  };
  return {one("activations, floor", sets.floor, sets.floor_kernels, false),
          one("activations, upper", sets.upper, sets.upper_kernels, true)};
}

Bounds logits(Graph& graph, const LayerKinds& kinds, const TrainingRanks& ranks,
              const TrainingBatch& batch, const ActivationChoice& choice, TrainingStage stage) {
  const bool has_head = stage != TrainingStage::first && kinds.vocabulary.has_value();
  const auto one = [&](const char* name, Rational bytes, bool upper) {
    if (!has_head) {
      return model::nothing("there is no head on this stage", ranks.pipeline.figure)
          .derive<Bytes>(graph, name);
    }
    Term alive =
        tokens_of(batch, ranks) * Term(bytes) * Term(*kinds.vocabulary) / degree(ranks.tensor);
    if (choice.chunks) alive = alive / Term(*choice.chunks);
    if (upper && !kinds.prediction_layers.is_constant(0)) {
      alive = alive * (Term(1) + kinds.prediction_layers);
    }
    if (upper && batch.schedule == Schedule::gpipe) alive = alive * in_flight(batch, ranks, stage);
    return alive.derive<Bytes>(graph, name, kLoss);
  };
  Rational low = 4;
  Rational high = 14;
  if (choice.loss == Loss::fused) high = 6;
  if (choice.loss == Loss::eager) low = 6;
  return {one("logits, floor", low, false), one("logits, upper", high, true)};
}

}  // namespace ullage::memory
