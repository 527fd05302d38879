// DeepSpeed's estimators, deepspeed/runtime/zero/stage_1_and_2.py
// (estimate_zero2_model_states_mem_needs) and stage3.py (estimate_zero3_model_states_mem_needs),
// commit edaa72212672, after pull request 5099. They truncate the share of a rank to whole bytes.
#include "engine/training.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

constexpr const char* kZero2 =
    "DeepSpeed stage_1_and_2.py, estimate_zero2_model_states_mem_needs (commit edaa72212672)";
constexpr const char* kZero3 =
    "DeepSpeed stage3.py, estimate_zero3_model_states_mem_needs (commit edaa72212672)";

// Pinned and staging buffers of the host, as both estimators assume.
Term buffers() {
  return {*Rational::ratio(3, 2)};
}

Term host_zero_2(const DeepSpeedQuestion& question) {
  const Term parameters(question.parameters);
  if (!question.offload_optimizer) {
    return parameters * Term(4) * Term(question.per_node) * buffers();
  }
  return parameters * max(Term(4) * Term(question.ranks), Term(16)) * buffers();
}

Term host_zero_3(const DeepSpeedQuestion& question) {
  const Term parameters(question.parameters);
  const Term whole_copies = Term(4) * Term(question.per_node);
  const Term nodes = Term(question.ranks) / Term(question.per_node);
  if (!question.offload_optimizer) {
    const Term built = question.zero_init ? Term(*question.largest_layer) : parameters;
    return built * whole_copies * buffers();
  }
  const Term states = Term(question.offload_parameters ? 18 : 16) / nodes;
  return parameters * (question.zero_init ? states : max(whole_copies, states)) * buffers();
}

}  // namespace

DeepSpeedStates deepspeed_states(Graph& graph, const memory::StateBytes& bytes,
                                 const DeepSpeedQuestion& question) {
  const bool third = question.zero == 3;
  const char* const cited = third ? kZero3 : kZero2;
  const Term parameters(question.parameters);
  const Term ranks(question.ranks);
  const auto figure = [&](const char* name, const Term& term) {
    return term.derive<Bytes>(graph, name, cited);
  };
  const Term none =
      model::nothing("offloaded, or not kept at this stage", question.parameters.figure);
  const Term per_parameter(bytes.weights);
  // Beside the fp32 gradients ZeRO-2 keeps the 16-bit ones of the shard.
  const Term gradients = third ? Term(bytes.gradients) : Term(2) + Term(bytes.gradients);
  const bool away = question.offload_optimizer;
  const Term share = parameters / ranks;
  Term weights = third ? per_parameter * share : per_parameter * parameters;
  if (question.offload_parameters) weights = none;
  const auto kept_weights = figure("weights", weights);
  const auto kept_gradients = figure("gradients", away ? none : gradients * share);
  const auto kept_master = figure("master weights", away ? none : Term(bytes.master) * share);
  const auto kept_optimizer =
      figure("optimizer states", away ? none : Term(bytes.optimizer) * share);
  const auto gathered = figure("largest layer, gathered with its gradient",
                               third ? Term(4) * Term(*question.largest_layer) : none);
  // The whole share is truncated at once; its parts above are exact.
  const Term sharded =
      third ? weights +
                  (away ? none : (gradients + Term(bytes.master) + Term(bytes.optimizer)) * share)
            : (away ? none : (gradients + Term(bytes.master) + Term(bytes.optimizer)) * share);
  const Term whole = third ? Term(graph, gathered.id()) : weights;
  const bool exact = sharded.value().is_whole();
  std::vector<Figure<Bytes>> parts{kept_weights, kept_gradients, kept_master, kept_optimizer};
  if (third) parts.push_back(gathered);
  const auto total =
      exact ? graph.sum("model states", parts) : figure("model states", whole + floor(sharded));
  const auto host =
      figure("host memory of one node", third ? host_zero_3(question) : host_zero_2(question));
  return {{.weights = kept_weights,
           .gradients = kept_gradients,
           .master = kept_master,
           .optimizer = kept_optimizer,
           .total = total,
           .host = {}},
          gathered,
          host};
}

BucketSizes deepspeed_buckets(Graph& graph, catalog::Catalogue& catalogue, BucketSizes given) {
  const auto fill = [&](std::optional<model::Extent>& size, const char* name, std::int64_t elements,
                        const char* locator) {
    if (size) return;
    size = model::extent_of(
        graph, memory::published(graph, catalogue, name, Rational(elements),
                                 "DeepSpeed's default number of elements", "deepspeed-zero-config",
                                 locator, units::Count::kUnit));
  };
  fill(given.reduce, "reduce bucket", 500'000'000, "reduce_bucket_size");
  fill(given.allgather, "allgather bucket", 500'000'000, "allgather_bucket_size");
  fill(given.prefetch, "prefetch bucket", 50'000'000, "prefetch_bucket_size");
  return given;
}

std::optional<Figure<Bytes>> bucket_bytes(Graph& graph, const BucketSizes& sizes,
                                          const model::Extent& parameters, int zero) {
  if (zero == 0) return std::nullopt;
  Term total(0);
  for (const auto& size : {sizes.reduce, zero == 3 ? sizes.prefetch : sizes.allgather}) {
    if (size) total = total + Term(2) * min(Term(*size), Term(parameters));
  }
  if (total.is_constant(0)) return std::nullopt;
  return total.derive<Bytes>(graph, "buckets of collectives",
                             "DeepSpeed zero/config.py (commit 1b88ac366fc9): elements reduced, "
                             "gathered or fetched ahead at a time");
}

}  // namespace ullage::engine
