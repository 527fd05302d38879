// Divides and adds up.
#include "memory/training_states.hpp"

namespace ullage::memory {
namespace {

using model::Extent;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;

constexpr const char* kZero = "ZeRO (arXiv 1910.02054), section 5 and Table 1";

Term divided(const Term& dense, const Term& experts, const RankLoad& load, bool sharded) {
  if (!sharded) return dense + experts;
  return dense / load.group + experts / load.expert_group;
}

// `bytes` for each parameter of `load`.
Term of_load(const Term& bytes, const RankLoad& load, bool sharded) {
  const bool single = load.experts.is_constant(0);
  if (single) return divided(bytes * load.dense, Term(0), load, sharded);
  if (!sharded) return bytes * (load.dense + load.experts);
  return bytes * divided(load.dense, load.experts, load, true);
}

Term weight_term(const StateBytes& bytes, const RankLoad& load, bool sharded) {
  if (!bytes.matrices) return of_load(Term(bytes.weights), load, sharded);
  RankLoad others = load;
  others.dense = load.dense - load.dense_matrices;
  others.experts = load.experts.is_constant(0) ? Term(0) : load.experts - load.expert_matrices;
  RankLoad matrices = load;
  matrices.dense = load.dense_matrices;
  matrices.experts = load.expert_matrices;
  return of_load(Term(bytes.weights), others, sharded) +
         of_load(Term(*bytes.matrices), matrices, sharded);
}

}  // namespace

RankStates rank_states(Graph& graph, const StateBytes& bytes, const StateSharding& sharding,
                       const TrainedPart& part, const std::string& on) {
  const bool weights_sharded = sharding.zero >= 3;
  const bool gradients_sharded = sharding.zero >= 2;
  const bool optimizer_sharded = sharding.zero >= 1;
  const auto figure = [&](const char* name, const Term& term) {
    return term.derive<Bytes>(graph, name + on, sharding.zero > 0 ? kZero : "");
  };
  Term weights = weight_term(bytes, part.held, weights_sharded);
  if (part.adapters) {
    weights = weights + of_load(part.adapter_bytes, *part.adapters, weights_sharded);
  }
  const Term frozen = model::nothing("the weights are frozen", bytes.weights.figure);
  Term gradients = frozen;
  Term master = frozen;
  Term optimizer = frozen;
  if (!part.frozen) {
    gradients = of_load(Term(bytes.gradients), part.trained, gradients_sharded);
    if (bytes.gradient_copy) {
      gradients = gradients + of_load(Term(*bytes.gradient_copy), part.trained, optimizer_sharded);
    }
    master = of_load(Term(bytes.master), part.trained, optimizer_sharded);
    optimizer = part.optimizer_bytes
                    ? divided(part.optimizer_bytes->dense, part.optimizer_bytes->experts,
                              part.trained, optimizer_sharded)
                    : of_load(*part.optimizer_per_parameter, part.trained, optimizer_sharded);
    if (optimizer.is_constant(0)) {
      optimizer = model::nothing("the optimizer keeps no state", bytes.optimizer.figure);
    }
  }
  const auto whole_weights = figure("weights", weights);
  const auto whole_gradients = figure("gradients", gradients);
  const auto whole_master = figure("master weights", master);
  const auto whole_optimizer = figure("optimizer states", optimizer);
  const auto away = [&](const char* name, Figure<Bytes> whole) {
    return model::nothing("kept in host memory", whole.id())
        .derive<Bytes>(graph, std::string(name) + on + ", offloaded");
  };
  std::vector<Figure<Bytes>> host;
  if (sharding.offload_parameters) host.push_back(whole_weights);
  if (sharding.offload_optimizer) host.insert(host.end(), {whole_master, whole_optimizer});
  const auto kept_weights =
      sharding.offload_parameters ? away("weights", whole_weights) : whole_weights;
  const auto kept_master =
      sharding.offload_optimizer ? away("master weights", whole_master) : whole_master;
  const auto kept_optimizer =
      sharding.offload_optimizer ? away("optimizer states", whole_optimizer) : whole_optimizer;
  RankStates states{
      .weights = kept_weights,
      .gradients = whole_gradients,
      .master = kept_master,
      .optimizer = kept_optimizer,
      .total = graph.sum("model states" + on,
                         std::vector{kept_weights, whole_gradients, kept_master, kept_optimizer},
                         "weights + gradients + master weights + optimizer states"),
      .host = {}};
  if (!host.empty()) states.host = graph.sum("offloaded states of a rank" + on, host);
  return states;
}

}  // namespace ullage::memory
