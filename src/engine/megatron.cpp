// Sorts the tensors into the parts of the estimators.
#include "engine/megatron.hpp"

#include <algorithm>

#include "model/elements.hpp"

namespace ullage::engine {

using exact::Rational;
using memory::degree;
using model::Component;
using model::TensorGroup;
using model::Term;
using provenance::Graph;

namespace {

// The projection of hidden state and embedding side by side in front of a prediction module's
// layer.
bool joins(const TensorGroup& group, const model::LayerKinds& kinds) {
  return group.shape.size() == 2 && group.shape[1].size() == 2 &&
         group.shape[1].back().figure == kinds.hidden.figure;
}

bool norms_latent(const TensorGroup& group, const model::LayerKinds& kinds) {
  if (!model::is_norm(group) || group.shape.size() != 1 || group.shape[0].size() != 1) return false;
  return std::any_of(kinds.mixers.begin(), kinds.mixers.end(), [&](const auto& mixer) {
    return std::any_of(mixer.latents.begin(), mixer.latents.end(), [&](const model::Extent& width) {
      return width.figure == group.shape[0].front().figure;
    });
  });
}

}  // namespace

MegatronParts megatron_parts(Graph& graph, const DecoderNumbers& decoder) {
  MegatronParts parts;
  const model::LayerKinds& kinds = decoder.kinds;
  for (const TensorGroup& group : decoder.inventory.tensors) {
    if (!group.counted || group.component == Component::vision) continue;
    const bool prediction = group.component == Component::mtp;
    const auto add = [&](Term& layers, Term& predicted) {
      Term& total = prediction ? predicted : layers;
      total = total + Term(graph, model::elements(graph, group).id());
    };
    if (group.component == Component::norms && group.name.ends_with("bias")) parts.norm_bias = true;
    if (group.component == Component::norms && group.name.ends_with("bias}")) {
      parts.norm_bias =
          parts.norm_bias || group.shape.front().front().figure == kinds.hidden.figure;
    }
    if (norms_latent(group, kinds)) {
      add(parts.latent_norms, parts.latent_norms);
      add(parts.layers, parts.prediction);
    } else if (model::is_router(group) && model::is_matrix(group)) {
      add(parts.routers, parts.prediction_routers);
    } else if (memory::is_layer_matrix(group) && !(prediction && joins(group, kinds))) {
      if (group.experts) {
        add(parts.experts, parts.prediction_experts);
      } else {
        add(parts.layers, parts.prediction);
      }
    } else if (group.component == Component::embedding && group.split == model::Split::vocabulary) {
      parts.table = Term(graph, model::elements(graph, group).id());
    } else if (group.component == Component::head && group.shape.size() == 2) {
      parts.untied = true;
    }
  }
  return parts;
}

Term interleaving(const memory::TrainingRanks& ranks, const memory::TrainingBatch& batch) {
  const Term stages = degree(ranks.pipeline);
  if (batch.virtual_stages) {
    return Term(1) + (stages - Term(1)) / (stages * Term(*batch.virtual_stages));
  }
  if (ranks.pipeline.value == Rational(1) || !batch.microbatches) return {1};
  if (batch.microbatches->value >= ranks.pipeline.value) return {1};
  return Term(*batch.microbatches) / stages;
}

}  // namespace ullage::engine
