// Gathers groups of one divisor before they are divided, so that explanations stay short.
#include "memory/rank_parameters.hpp"

#include <algorithm>
#include <map>

#include "model/elements.hpp"
#include "model/layer_kinds.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::Component;
using model::Extent;
using model::Split;
using model::TensorGroup;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Count;

// The heads that the divided axis is made of, where fewer than the tensor ranks: no rank holds less
// than one.
std::optional<Extent> few_heads(const TensorGroup& group, const TrainingRanks& ranks) {
  if (group.experts || group.split == Split::vocabulary || group.shape.empty()) return std::nullopt;
  const bool rows = group.split == Split::rows && group.shape.size() > 1;
  const model::Axis& divided = rows ? group.shape[1] : group.shape[0];
  if (divided.size() < 2 || divided.front().value >= ranks.tensor.value) return std::nullopt;
  // A factor in front of the heads (query and gate, q, k and v) is no number of heads.
  if (divided.front().value <= Rational(3) && divided.size() > 2) return std::nullopt;
  return divided.front();
}

struct Placed {
  std::string name;  // of the bucket
  Term divisor{1};
  bool here = true;
};

// By what a group's tensors are divided, apart from stages.
Placed divided(const TensorGroup& group, const TrainingRanks& ranks) {
  if (group.experts) {
    const Term spread = degree(ranks.expert);
    if (group.split == Split::replicated && ranks.expert_tensor.value > Rational(1)) {
      return {"experts, whole on tensor ranks", spread};
    }
    return {"experts", spread * degree(ranks.expert_tensor)};
  }
  if (ranks.tensor.value == Rational(1)) return {};
  if (group.split == Split::replicated) return {", whole on each rank"};
  if (const auto heads = few_heads(group, ranks)) return {", a head a rank", Term(*heads)};
  return {", split", degree(ranks.tensor)};
}

Placed place(const TensorGroup& group, const TrainingRanks& ranks, TrainingStage stage) {
  Placed placed = divided(group, ranks);
  const bool first = stage != TrainingStage::last;
  const bool last = stage != TrainingStage::first;
  const std::string part = std::move(placed.name);
  if (group.component == Component::vision) {
    placed.name = "vision tower" + part;
    placed.here = first;
  } else if (group.component == Component::mtp) {
    placed.name = "prediction layers" + (group.experts ? ", " + part : part);
    placed.here = last;
  } else if (!group.repeat.empty()) {
    placed.name = group.experts ? part : "layers" + part;
    placed.divisor = placed.divisor * degree(ranks.pipeline);
  } else if (group.component == Component::embedding) {
    placed.name = "input table" + part;
    placed.here = first || group.use == model::Use::every_token;
  } else if (group.component == Component::head) {
    placed.name = "head" + part;
    placed.here = last;
  } else {
    placed.name = "outside layers" + part;
    placed.here = last;
  }
  return placed;
}

struct Bucket {
  std::string name;
  Term total{0};
  Term divisor{1};
  bool experts = false;
};

bool is_table(const TensorGroup& group) {
  return group.repeat.empty() &&
         (group.component == Component::embedding || group.component == Component::head);
}

}  // namespace

RankShare share_of(Graph& graph, const std::vector<TensorGroup>& groups, const TrainingRanks& ranks,
                   TrainingStage stage, const std::string& what, const PerGroup& per_group) {
  std::vector<Bucket> buckets;  // in the order of the tensors
  for (const TensorGroup& group : groups) {
    if (!group.counted) continue;
    const Placed placed = place(group, ranks, stage);
    if (!placed.here) continue;
    const std::optional<Term> amount = per_group(group);
    if (!amount) continue;
    auto bucket = std::find_if(buckets.begin(), buckets.end(),
                               [&](const Bucket& known) { return known.name == placed.name; });
    if (bucket == buckets.end()) {
      bucket =
          buckets.insert(bucket, {placed.name, Term(0), placed.divisor, group.experts.has_value()});
    }
    bucket->total = bucket->total + *amount;
  }
  RankShare share{Term(0), Term(0)};
  for (const Bucket& bucket : buckets) {
    const auto figure = bucket.total.derive<Count>(graph, what + bucket.name);
    Term& side = bucket.experts ? share.experts : share.dense;
    side = side + Term(graph, figure.id()) / bucket.divisor;
  }
  return share;
}

bool is_layer_matrix(const TensorGroup& group) {
  const bool part = group.component == Component::attention || group.component == Component::mlp ||
                    group.component == Component::experts ||
                    group.component == Component::shared_experts ||
                    group.component == Component::mtp;
  return part && !group.repeat.empty() && group.shape.size() >= 2 && model::is_matrix(group) &&
         !model::is_router(group);
}

Rational single_tensor(const TensorGroup& group) {
  if (model::is_norm(group) && !group.shape.empty()) return model::product_of(group.shape.front());
  Rational elements = 1;
  for (const model::Axis& axis : group.shape)
    elements *= model::product_of(axis);
  return elements;
}

RankParameters rank_parameters(Graph& graph, const std::vector<TensorGroup>& groups,
                               const TrainingRanks& ranks, TrainingStage stage) {
  std::map<const TensorGroup*, Figure<Count>> counted;
  const auto elements = [&](const TensorGroup& group) {
    auto found = counted.find(&group);
    if (found == counted.end()) {
      found = counted.emplace(&group, model::elements(graph, group)).first;
    }
    return std::optional(Term(graph, found->second.id()));
  };
  const auto only = [&](auto wanted) {
    return [&, wanted](const TensorGroup& group) -> std::optional<Term> {
      if (!wanted(group)) return std::nullopt;
      return elements(group);
    };
  };
  const std::string on =
      stage == TrainingStage::only ? "" : " of the " + std::string(name_of(stage));
  const std::string prefix = stage == TrainingStage::only ? "" : std::string(name_of(stage)) + ": ";
  const RankShare all = share_of(graph, groups, ranks, stage, prefix, elements);
  const auto dense = all.dense.derive<Count>(graph, "dense parameters on the rank" + on);
  std::vector<Figure<Count>> parts{dense};
  std::optional<Figure<Count>> experts;
  if (!all.experts.is_constant(0)) {
    experts = all.experts.derive<Count>(graph, "experts' parameters on the rank" + on);
    parts.push_back(*experts);
  }
  const auto total = graph.sum("parameters on the rank" + on, parts);
  RankParameters result{.dense = dense,
                        .experts = experts,
                        .total = total,
                        .embeddings = {},
                        .replicated = {},
                        .matrices = {Term(0), Term(0)},
                        .stage = stage};
  const RankShare tables =
      share_of(graph, groups, ranks, stage, prefix + "tables, ", only(is_table));
  result.embeddings = tables.dense.derive<Count>(graph, "embedding and head on the rank" + on);
  if (ranks.tensor.value > Rational(1)) {
    const RankShare whole =
        share_of(graph, groups, ranks, stage, prefix + "whole on tensor ranks, ",
                 only([](const TensorGroup& group) {
                   return group.split == Split::replicated && !group.experts;
                 }));
    result.replicated = whole.dense.derive<Count>(graph, "replicated on tensor ranks" + on);
  }
  result.matrices =
      share_of(graph, groups, ranks, stage, prefix + "matrices, ", only(is_layer_matrix));
  return result;
}

}  // namespace ullage::memory
