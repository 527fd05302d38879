// Counts what a rank holds, and asks memory and engine what becomes of it.
#include "plan/train_parts.hpp"

#include <algorithm>

#include "memory/adapters.hpp"
#include "model/elements.hpp"

namespace ullage::plan {
namespace {

using base::Diagnostic;
using engine::Accounting;
using exact::Rational;
using memory::TrainingStage;
using model::Extent;
using model::TensorGroup;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Bytes;
using units::Count;

Diagnostic needs_shape(const TrainModel& model, const std::string& what) {
  return {.code = base::Code::unknown_figure,
          .message = base::printable(model.model.name) + ": " + what +
                     " needs the shapes of the tensors, which are not known",
          .span = {},
          .hint = "name a config.json or a card with an architecture",
          .notes = {}};
}

// How many parameters stand on a rank: by part where tensors are counted, else their number.
struct Counted {
  std::optional<memory::RankParameters> parts;
  std::optional<Figure<Count>> on_rank;
};

// A model without tensors: its parameters, divided by tp and pp.
memory::RankLoad plain_load(Graph& graph, const TrainSetup& setup, const TrainModel& model) {
  memory::RankLoad load;
  const Term all(graph, model.parameters.id());
  load.dense = all / (memory::degree(setup.ranks.tensor) * memory::degree(setup.ranks.pipeline));
  load.dense_matrices = load.dense;
  load.group = memory::shard_group(setup.ranks);
  return load;
}

memory::RankLoad load_of(Graph& graph, const TrainSetup& setup,
                         const memory::RankParameters& rank) {
  memory::RankLoad load;
  load.dense = Term(graph, rank.dense.id());
  load.dense_matrices = rank.matrices.dense;
  if (rank.experts) {
    load.experts = Term(graph, rank.experts->id());
    load.expert_matrices = rank.matrices.experts;
  }
  load.group = memory::shard_group(setup.ranks);
  load.expert_group = memory::expert_shard_group(setup.ranks);
  return load;
}

std::string on_stage(TrainingStage stage) {
  return stage == TrainingStage::only ? "" : ", " + std::string(name_of(stage));
}

// The optimizer's part: bytes of each parameter where they are alike, else tensor by tensor.
base::Result<void> add_optimizer(Graph& graph, const TrainSetup& setup, const TrainModel& model,
                                 const std::vector<TensorGroup>* groups, TrainingStage stage,
                                 memory::TrainedPart& part) {
  part.frozen = setup.optimizer.optimizer->state == memory::OptimizerState::frozen;
  part.optimizer_per_parameter = memory::uniform_bytes(setup.optimizer, setup.bytes);
  if (part.optimizer_per_parameter) return {};
  if (groups == nullptr) {
    part.optimizer_per_parameter = memory::literal_bytes(setup.optimizer, setup.bytes);
    if (part.optimizer_per_parameter) return {};
    return needs_shape(model, "--optimizer " + std::string(setup.optimizer.optimizer->name));
  }
  part.optimizer_bytes = memory::share_of(
      graph, *groups, setup.ranks, stage,
      "optimizer bytes, " +
          (stage == TrainingStage::only ? std::string() : std::string(name_of(stage)) + ": "),
      [&](const TensorGroup& group) {
        return std::optional(memory::optimizer_bytes(graph, setup.optimizer, setup.bytes, group));
      });
  return {};
}

base::Result<memory::TrainedPart> trained_part(Graph& graph, const TrainSetup& setup,
                                               const TrainModel& model, TrainingStage stage,
                                               Counted& counted) {
  memory::TrainedPart part;
  if (!model.model.inventory) {
    part.held = plain_load(graph, setup, model);
    part.trained = part.held;
    ULLAGE_CHECK(add_optimizer(graph, setup, model, nullptr, stage, part));
    counted.on_rank = part.held.dense.derive<Count>(graph, "parameters on the rank");
    return part;
  }
  const std::vector<TensorGroup>& groups = model.model.inventory->tensors;
  counted.parts = memory::rank_parameters(graph, groups, setup.ranks, stage);
  part.held = load_of(graph, setup, *counted.parts);
  part.trained = part.held;
  if (model.adapters.empty()) {
    ULLAGE_CHECK(add_optimizer(graph, setup, model, &groups, stage, part));
    return part;
  }
  const memory::RankParameters adapters =
      memory::rank_parameters(graph, model.adapters, setup.ranks, stage);
  part.adapters = load_of(graph, setup, adapters);
  part.trained = *part.adapters;
  part.adapter_bytes = Term(setup.bytes.weights);
  ULLAGE_CHECK(add_optimizer(graph, setup, model, &model.adapters, stage, part));
  return part;
}

memory::Bounds unknown_bounds(Graph& graph, const std::string& name, const std::string& why) {
  const auto unknown = [&](const std::string& end) {
    return *graph.narrow<Bytes>(
        graph.unknown(name + end, Bytes::kUnit, provenance::Absence::unpublished, why));
  };
  return {unknown(", floor"), unknown(", upper")};
}

// Logits within the single figure of a Megatron report.
memory::Bounds reported_logits(Graph& graph, const TrainSetup& setup, const TrainModel& model) {
  const model::LayerKinds& kinds = *model.kinds;
  const bool one_stage = setup.ranks.pipeline.value == Rational(1);
  const bool selective =
      setup.ranks.sequence_parallel && setup.choice.recompute == memory::Recompute::selective;
  Term bytes = model::nothing("the report counts them where there is one stage",
                              setup.ranks.pipeline.figure);
  if (one_stage && kinds.vocabulary) {
    const bool bridge = setup.rules->accounting == Accounting::megatron_bridge;
    const Rational each =
        bridge || selective ? Rational(4) : Rational(2) * *Rational::ratio(105, 100);
    bytes = Term(setup.batch.sequence) * Term(setup.batch.microbatch) * Term(each) *
            Term(*kinds.vocabulary) / memory::degree(setup.ranks.tensor);
    if (bridge) bytes = bytes / memory::degree(setup.ranks.context);
  }
  const auto figure = bytes.derive<Bytes>(graph, "logits within the report", "");
  return {figure, figure};
}

struct Needs {
  memory::Bounds activations;
  memory::Bounds logits;
};

Needs activation_needs(Graph& graph, const TrainSetup& setup, const TrainModel& model,
                       TrainingStage stage) {
  if (!model.kinds) {
    return {unknown_bounds(graph, "activations", model.no_kinds),
            unknown_bounds(graph, "logits", model.no_kinds)};
  }
  const Accounting accounting = setup.rules->accounting;
  const bool megatron =
      accounting == Accounting::megatron_lm || accounting == Accounting::megatron_bridge;
  if (!megatron) {
    return {memory::activations(graph, *model.kinds, setup.ranks, setup.batch, setup.choice, stage),
            memory::logits(graph, *model.kinds, setup.ranks, setup.batch, setup.choice, stage)};
  }
  const engine::DecoderNumbers decoder{*model.model.inventory, *model.kinds};
  const auto reported =
      accounting == Accounting::megatron_lm
          ? engine::megatron_lm_activations(graph, decoder, setup.ranks, setup.batch,
                                            setup.choice.recompute == memory::Recompute::selective)
          : engine::megatron_bridge_activations(graph, decoder, setup.ranks, setup.batch);
  return {{reported, reported}, reported_logits(graph, setup, model)};
}

memory::Gathered nothing_gathered(Graph& graph, const TrainSetup& setup) {
  return {model::nothing("weights stand whole on each rank below ZeRO 3", setup.zero.figure)
              .derive<Bytes>(graph, "gathered units")};
}

// Gathered units of ZeRO-3 and FSDP; of a bare number of parameters nobody knows them.
memory::Gathered gathered_units(Graph& graph, const TrainSetup& setup, const TrainModel& model,
                                const Counted& counted) {
  if (setup.sharding.zero < 3) return nothing_gathered(graph, setup);
  if (counted.parts && model.kinds) {
    const bool frozen = !model.adapters.empty() ||
                        setup.optimizer.optimizer->state == memory::OptimizerState::frozen;
    return memory::gathered(graph, *counted.parts, setup.ranks, *model.kinds, frozen);
  }
  return {*graph.narrow<Bytes>(graph.unknown("gathered units", Bytes::kUnit,
                                             provenance::Absence::unpublished, model.no_kinds))};
}

// Buffers of collectives: DeepSpeed's defaults under its rules, else what flags say.
std::optional<Figure<Bytes>> buckets_of(Graph& graph, const TrainRequest& request,
                                        const TrainSetup& setup, Figure<Count> parameters,
                                        catalog::Catalogue& catalogue) {
  if (!graph.known(parameters.id())) return std::nullopt;
  const auto size = [&](const char* name, const std::optional<GivenNumber>& given) {
    if (!given) return std::optional<Extent>();
    return std::optional(
        model::extent_of(graph, graph.given<Count>(name, given->value, {given->where, ""}).id()));
  };
  engine::BucketSizes sizes{.reduce = size("reduce bucket", request.reduce_bucket),
                            .allgather = size("allgather bucket", request.allgather_bucket),
                            .prefetch = size("prefetch bucket", request.prefetch_bucket)};
  if (setup.rules->accounting == Accounting::deepspeed && setup.sharding.zero > 0) {
    sizes = engine::deepspeed_buckets(graph, catalogue, std::move(sizes));
  }
  return engine::bucket_bytes(graph, sizes, model::extent_of(graph, parameters.id()),
                              setup.sharding.zero);
}

// An estimate whose optimizer keeps the same of each parameter.
Diagnostic fixed_optimizer(const TrainSetup& setup) {
  return train_usage("--optimizer " + std::string(setup.optimizer.optimizer->name) + ": " +
                         std::string(setup.rules->name) + "'s estimate is of AdamW",
                     "--rules ideal counts it tensor by tensor");
}

// What no report of the Megatron family covers. Megatron-LM prints that hybrid models are not
// supported yet (report_theoretical_memory).
base::Result<void> check_reported(const TrainSetup& setup, const TrainModel& model) {
  const auto& mixers = model.kinds->mixers;
  const bool hybrid = std::any_of(mixers.begin(), mixers.end(), [](const auto& mixer) {
    return mixer.mixing == model::Mixing::state_space;
  });
  if (!hybrid) return {};
  return Diagnostic{.code = base::Code::unsupported_architecture,
                    .message = base::printable(model.model.name) + ": " +
                               std::string(setup.rules->help) +
                               " does not cover hybrid models with state-space layers",
                    .span = {},
                    .hint = "--rules ideal counts them",
                    .notes = {}};
}

base::Result<memory::TrainedPart> megatron_part(Graph& graph, const TrainSetup& setup,
                                                const TrainModel& model, Counted& counted) {
  memory::TrainedPart part;
  if (!model.model.inventory) {
    part.held = plain_load(graph, setup, model);
    if (setup.rules->accounting == Accounting::megatron_lm) {
      part.held.group = memory::degree(setup.ranks.data);
    }
  } else if (!model.kinds) {
    return needs_shape(model, "--rules " + std::string(setup.rules->name));
  } else {
    const engine::DecoderNumbers decoder{*model.model.inventory, *model.kinds};
    part.held = setup.rules->accounting == Accounting::megatron_lm
                    ? engine::megatron_lm_load(graph, decoder, setup.ranks)
                    : engine::megatron_bridge_load(graph, decoder, setup.ranks);
    part.held.dense_matrices = part.held.dense;
    part.held.expert_matrices = part.held.experts;
  }
  part.trained = part.held;
  if (model.model.inventory && !memory::uniform_bytes(setup.optimizer, setup.bytes)) {
    return fixed_optimizer(setup);
  }
  ULLAGE_CHECK(add_optimizer(graph, setup, model, nullptr, TrainingStage::only, part));
  counted.on_rank =
      (part.held.dense + part.held.experts).derive<Count>(graph, "parameters on the rank");
  return part;
}

// The largest single module: a matrix with its bias.
std::optional<Extent> largest_module(Graph& graph, const model::Inventory& inventory) {
  std::optional<Extent> largest;
  for (const TensorGroup& group : inventory.tensors) {
    if (!group.counted || group.shape.size() < 2 || model::is_norm(group)) continue;
    Term own(1);
    for (const model::Axis& axis : group.shape)
      own = own * Term(axis);
    std::string bias = group.name;
    if (bias.ends_with(".weight")) bias = bias.substr(0, bias.size() - 6) + "bias";
    for (const TensorGroup& beside : inventory.tensors) {
      if (beside.name == bias && bias != group.name) own = own + Term(beside.shape.front());
    }
    if (largest && own.value() <= largest->value) continue;
    largest = model::extent_of(graph, own.derive<Count>(graph, "largest layer").id());
  }
  return largest;
}

base::Result<engine::DeepSpeedStates> deepspeed(Graph& graph, const TrainRequest& request,
                                                const TrainSetup& setup, const TrainModel& model) {
  if (setup.ranks.tensor.value * setup.ranks.pipeline.value != Rational(1)) {
    return train_usage("--rules deepspeed: its estimators know data parallel ranks only",
                       "--rules ideal takes --tp and --pp");
  }
  const bool adam = setup.optimizer.optimizer->state == memory::OptimizerState::two_moments;
  if (!adam && !setup.optimizer.given) return fixed_optimizer(setup);
  if (!graph.known(model.parameters.id())) return needs_shape(model, "the number of parameters");
  std::optional<Extent> largest;
  if (request.largest_layer) {
    largest =
        model::extent_of(graph, graph
                                    .given<Count>("largest layer", request.largest_layer->value,
                                                  {request.largest_layer->where, ""})
                                    .id());
  } else if (model.model.inventory) {
    largest = largest_module(graph, *model.model.inventory);
  }
  if (setup.sharding.zero == 3 && !largest) {
    return train_usage("--rules deepspeed --zero 3: the largest layer is not known",
                       "--largest-layer 0.131B says its parameters");
  }
  return engine::deepspeed_states(graph, setup.bytes,
                                  {.parameters = model::extent_of(graph, model.parameters.id()),
                                   .ranks = setup.world,
                                   .per_node = setup.per_node,
                                   .largest_layer = largest,
                                   .zero = setup.sharding.zero,
                                   .offload_optimizer = setup.sharding.offload_optimizer,
                                   .offload_parameters = setup.sharding.offload_parameters,
                                   .zero_init = request.zero_init});
}

}  // namespace

base::Result<TrainModel> train_model(const TrainRequest& request, const TrainSetup& setup,
                                     const model::Model& model, catalog::Catalogue& catalogue,
                                     Graph& graph) {
  ULLAGE_TRY(const memory::Weights weights, memory::weigh(graph, model, {}, catalogue));
  TrainModel result{
      .model = model,
      .parameters = weights.parameters,
      .kinds = {},
      .no_kinds = "the shape of " + model.name +
                  " is not known; a config.json or a card with an architecture has it",
      .adapters = {},
      .trainable = {},
      .buckets = buckets_of(graph, request, setup, weights.parameters, catalogue)};
  if (model.inventory) {
    auto kinds = model::layer_kinds(graph, *model.inventory, model.name);
    if (kinds) {
      result.kinds = std::move(*kinds);
    } else {
      result.no_kinds = kinds.error().message;
    }
  } else if (setup.ranks.expert.value > Rational(1)) {
    return needs_shape(result, "--ep");
  }
  if (!request.lora_rank) {
    if (request.base_weights || !request.lora_targets.empty()) {
      return train_usage("--base-weights and --lora-targets need --lora-rank",
                         "--lora-rank 8 --lora-targets q_proj,v_proj");
    }
    return result;
  }
  if (setup.rules->accounting != Accounting::ideal) {
    return train_usage(
        "--lora-rank: " + std::string(setup.rules->name) + " does not estimate adapters",
        "--rules ideal does");
  }
  if (request.lora_targets.empty()) {
    return train_usage("--lora-rank needs --lora-targets", "--lora-targets q_proj,v_proj");
  }
  if (setup.optimizer.optimizer->state == memory::OptimizerState::frozen) {
    return train_usage("--lora-rank with --optimizer none: adapters are there to be trained",
                       "leave one of them out");
  }
  if (!model.inventory) return needs_shape(result, "--lora-rank");
  const Extent rank = model::extent_of(
      graph,
      graph.given<Count>("LoRA rank", request.lora_rank->value, {request.lora_rank->where, ""})
          .id());
  ULLAGE_TRY(result.adapters,
             memory::adapters(graph, *model.inventory, rank, request.lora_targets));
  std::vector<Figure<Count>> parts;
  for (const TensorGroup& group : result.adapters)
    parts.push_back(model::elements(graph, group));
  result.trainable = graph.sum("trainable parameters", parts);
  return result;
}

base::Result<StageAnswer> stage_answer(const TrainRequest& request, const TrainSetup& setup,
                                       const TrainModel& model, TrainingStage stage,
                                       const std::vector<Figure<Bytes>>& overheads, Graph& graph) {
  const Accounting accounting = setup.rules->accounting;
  const bool megatron =
      accounting == Accounting::megatron_lm || accounting == Accounting::megatron_bridge;
  const bool estimated = accounting == Accounting::deepspeed && setup.sharding.zero >= 2;
  if (megatron && model.kinds) ULLAGE_CHECK(check_reported(setup, model));
  const Needs needs = activation_needs(graph, setup, model, stage);
  const Term microbatches = memory::microbatches_of(setup.batch, setup.ranks);
  const memory::TotalRules rules{
      .one_microbatch = microbatches.value() == Rational(1) && !megatron,
      .gradients_leave = setup.sharding.offload_optimizer && setup.sharding.zero == 3,
      .logits_inside = megatron};
  const auto finish = [&](const memory::RankStates& states, const memory::Gathered& gathered) {
    memory::StageNeeds all{stage, states, needs.activations, needs.logits, gathered};
    if (setup.sharding.zero > 0) all.buckets = model.buckets;
    return StageAnswer{all, memory::stage_totals(graph, all, rules, overheads), {}, {}, {}};
  };
  if (estimated) {
    ULLAGE_TRY(const auto states, deepspeed(graph, request, setup, model));
    StageAnswer answer = finish(states.states, {states.gathered});
    answer.host = states.host;
    return answer;
  }
  Counted counted;
  ULLAGE_TRY(const memory::TrainedPart part,
             megatron ? megatron_part(graph, setup, model, counted)
                      : trained_part(graph, setup, model, stage, counted));
  memory::StateBytes held = setup.bytes;
  if (setup.base_matrices) held.matrices = setup.base_matrices;
  const memory::RankStates states =
      memory::rank_states(graph, held, setup.sharding, part, on_stage(stage));
  StageAnswer answer = finish(states, megatron ? nothing_gathered(graph, setup)
                                               : gathered_units(graph, setup, model, counted));
  answer.parameters = counted.parts;
  answer.on_rank = counted.on_rank;
  if (states.host) {
    answer.host = (Term(graph, states.host->id()) * Term(setup.per_node))
                      .derive<Bytes>(graph, "offloaded states of one node");
  }
  return answer;
}

}  // namespace ullage::plan
