// Reads degrees, batch, recipe and optimizer of a request.
#include "plan/train_setup.hpp"

#include "plan/train_notes.hpp"

namespace ullage::plan {

using base::Diagnostic;
using base::Severity;
using exact::Rational;
using memory::StateOverrides;
using model::Extent;
using model::Term;
using provenance::FigureId;
using provenance::Graph;
using units::Count;

Diagnostic train_usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

namespace {

Extent number(Graph& graph, const char* name, const std::optional<GivenNumber>& given,
              const Rational& fallback, const std::string& why) {
  const FigureId id =
      given ? graph.given<Count>(name, given->value, {given->where, ""}).id()
            : graph.assumed<Count>(name, fallback, "the default of " + fallback.to_string() + why)
                  .id();
  return model::extent_of(graph, id);
}

std::optional<Extent> optional_number(Graph& graph, const char* name,
                                      const std::optional<GivenNumber>& given) {
  if (!given) return std::nullopt;
  return number(graph, name, given, 1, "");
}

// dp from --devices where --dp is left out.
base::Result<Extent> data_ranks(Graph& graph, const TrainRequest& request,
                                const std::optional<Extent>& chips, const Term& model_ranks) {
  if (!request.devices) return number(graph, "dp", request.dp, 1, "; set it with --dp N");
  const Rational others = model_ranks.value();
  const FigureId given =
      graph.given<Count>("devices", request.devices->value, {request.devices->where, ""}).id();
  Term all(graph, given);
  if (chips) all = all * Term(*chips);
  if (request.dp) {
    if (request.dp->value * others == all.value()) {
      return number(graph, "dp", request.dp, 1, "");
    }
    return train_usage(request.devices->where + ": the degrees make " +
                           (request.dp->value * others).to_string() + " ranks, but there are " +
                           all.value().to_string(),
                       "leave --dp out and it follows from the devices");
  }
  const Rational data = all.value() / others;
  if (!data.is_whole() || data.sign() <= 0) {
    return train_usage(request.devices->where + ": " + all.value().to_string() +
                           " devices cannot be shared by tp × pp × cp = " + others.to_string(),
                       "a multiple of " + others.to_string());
  }
  const auto id = (all / model_ranks).derive<Count>(graph, "dp");
  return model::extent_of(graph, id.id());
}

base::Result<memory::TrainingRanks> read_ranks(Graph& graph, const TrainRequest& request,
                                               const std::optional<Extent>& chips) {
  Extent tp = number(graph, "tp", request.tp, 1, "; set it with --tp N");
  Extent pp = number(graph, "pp", request.pp, 1, "; set it with --pp N");
  Extent cp = number(graph, "cp", request.cp, 1, "; set it with --cp N");
  const Term others = memory::degree(tp) * memory::degree(pp) * memory::degree(cp);
  ULLAGE_TRY(Extent dp, data_ranks(graph, request, chips, others));
  Extent ep = number(graph, "ep", request.ep, 1, "; set it with --ep N");
  Extent etp =
      number(graph, "etp", request.expert_tp, 1, "; set it with --expert-tensor-parallel N");
  Extent shard = dp;
  if (request.dp_shard) {
    shard = number(graph, "dp-shard", request.dp_shard, 1, "");
    if (!(dp.value / shard.value).is_whole()) {
      return train_usage(request.dp_shard->where + ": does not divide dp = " + dp.value.to_string(),
                         "hybrid sharding splits the data parallel ranks into equal groups");
    }
  }
  memory::TrainingRanks ranks{.tensor = std::move(tp),
                              .pipeline = std::move(pp),
                              .data = std::move(dp),
                              .context = std::move(cp),
                              .expert = std::move(ep),
                              .expert_tensor = std::move(etp),
                              .shard = std::move(shard),
                              .sequence_parallel = request.sequence_parallel};
  const Rational spread = ranks.expert.value * ranks.expert_tensor.value;
  const Rational available = ranks.data.value * ranks.context.value * ranks.tensor.value;
  if (spread > available || !(available / spread).is_whole()) {
    return train_usage("--ep " + ranks.expert.value.to_string() + " × --expert-tensor-parallel " +
                           ranks.expert_tensor.value.to_string() +
                           " does not divide dp × cp × tp = " + available.to_string(),
                       "experts are spread over these ranks; raise --dp");
  }
  return ranks;
}

memory::TrainingBatch read_batch(Graph& graph, const TrainRequest& request) {
  return {.sequence = number(graph, "sequence", request.sequence, 4096,
                             " tokens; set it with --sequence N"),
          .microbatch = number(graph, "microbatch", request.microbatch, 1,
                               " sequence; set it with --microbatch N"),
          .microbatches = optional_number(graph, "microbatches", request.microbatches),
          .virtual_stages = optional_number(graph, "virtual stages", request.virtual_stages),
          .schedule = request.schedule};
}

// A format's bytes of one parameter, scales included.
base::Result<Extent> format_bytes(Graph& graph, catalog::Catalogue& catalogue, const char* name,
                                  const std::string& format_name, const std::string& flag) {
  auto found = catalogue.formats().find(format_name);
  if (!found) {
    Diagnostic fault = std::move(found).error();
    fault.message = flag + ": " + fault.message;
    return fault;
  }
  const catalog::StorageFormat& format = **found;
  const auto bits = format.stored_bits ? format.stored_bits : format.bits;
  if (!bits) {
    return train_usage(flag + " " + format.name + " has no single width: " + format.mix,
                       "a format with one, or --bits N");
  }
  const FigureId id = memory::published(graph, catalogue, "bits of " + format.name, *bits,
                                        format.note.empty() ? format.name : format.note,
                                        format.source, format.locator, Count::kUnit);
  const Term bytes = Term(graph, id) / Term(8);
  return model::extent_of(graph, bytes.derive<units::Bytes>(graph, name).id());
}

base::Result<StateOverrides> read_overrides(Graph& graph, catalog::Catalogue& catalogue,
                                            const TrainRequest& request) {
  StateOverrides overrides;
  const auto target = [&](const std::string& name) -> std::optional<memory::GivenBytes>* {
    if (name == "weights") return &overrides.weights;
    if (name == "gradients") return &overrides.gradients;
    if (name == "master") return &overrides.master;
    if (name == "optimizer") return &overrides.optimizer;
    return nullptr;
  };
  for (const StateTerm& term : request.state_bytes) {
    std::optional<memory::GivenBytes>* const given = target(term.name);
    if (given == nullptr) {
      return train_usage("--state-bytes: no term is called " + base::printable(term.name),
                         "weights, gradients, master, optimizer");
    }
    if (given->has_value()) {
      return train_usage("--state-bytes: " + term.name + " is given twice", "one value a term");
    }
    *given = memory::GivenBytes{term.bytes.value, term.bytes.where};
  }
  if (overrides.weights && (request.weights.format || request.weights.bits)) {
    return train_usage(
        "--state-bytes weights=… and --weights or --bits both say how weights are kept",
        "leave one of them out");
  }
  if (request.weights.format) {
    ULLAGE_TRY(overrides.weights_format, format_bytes(graph, catalogue, "weight bytes",
                                                      *request.weights.format, "--weights"));
  } else if (request.weights.bits) {
    const Rational bytes = *request.weights.bits / Rational(8);
    overrides.weights =
        memory::GivenBytes{bytes, "--bits " + request.weights.bits->to_significant(17) + ", ÷ 8"};
  }
  return overrides;
}

base::Result<void> read_optimizer(Graph& graph, const TrainRequest& request, TrainSetup& setup) {
  ULLAGE_TRY(setup.optimizer.optimizer,
             memory::find_optimizer(request.optimizer.value_or("adamw")));
  for (const StateTerm& term : request.state_bytes)
    setup.optimizer.given = setup.optimizer.given || term.name == "optimizer";
  setup.optimizer.rank = optional_number(graph, "GaLore rank", request.galore_rank);
  const bool projected = setup.optimizer.optimizer->state == memory::OptimizerState::projected;
  if (projected != request.galore_rank.has_value()) {
    return train_usage(projected ? "--optimizer galore needs --galore-rank N"
                                 : request.galore_rank->where + ": only GaLore has a rank",
                       "--optimizer galore --galore-rank 128");
  }
  return {};
}

base::Result<void> read_sharding(const TrainRequest& request, TrainSetup& setup) {
  const engine::TrainingRules& rules = *setup.rules;
  const auto zero = request.zero ? request.zero->value.to_int64().value_or(-1) : 0;
  if (zero < 0 || zero > 3)
    return train_usage(request.zero->where + ": no such stage", "0, 1, 2, 3");
  if (zero > rules.most_zero) {
    return train_usage(request.zero->where + ": " + std::string(rules.name) +
                           " knows stages up to " + std::to_string(rules.most_zero),
                       "--rules ideal takes 0 to 3");
  }
  setup.sharding = {.zero = static_cast<int>(zero),
                    .offload_optimizer = request.offload_optimizer,
                    .offload_parameters = request.offload_parameters};
  // Its recipes distribute the optimizer; only who says --zero 0 does not.
  if (rules.accounting == engine::Accounting::megatron_bridge && !request.zero) {
    setup.sharding.zero = 1;
  }
  if (request.offload_parameters && zero != 3) {
    return train_usage("--offload parameters needs --zero 3",
                       "below it each rank keeps them whole");
  }
  return {};
}

}  // namespace

base::Result<TrainSetup> train_setup(const TrainRequest& request, const model::Model& model,
                                     const std::optional<Extent>& chips,
                                     catalog::Catalogue& catalogue, Graph& graph) {
  ULLAGE_TRY(const engine::TrainingRules* rules, engine::find_training_rules(request.rules));
  ULLAGE_TRY(memory::TrainingRanks ranks, read_ranks(graph, request, chips));
  const bool first = request.zero && request.zero->value == Rational(1);
  const std::string fallback(first ? rules->zero_1_recipe : rules->recipe);
  ULLAGE_TRY(const memory::Recipe* recipe, memory::find_recipe(request.recipe.value_or(fallback)));
  ULLAGE_TRY(const StateOverrides overrides, read_overrides(graph, catalogue, request));
  memory::TrainingBatch batch = read_batch(graph, request);
  Extent imbalance = number(graph, "expert imbalance", request.expert_imbalance, 1,
                            ", balanced experts; set it with --expert-imbalance R");
  const Term all = memory::degree(ranks.tensor) * memory::degree(ranks.pipeline) *
                   memory::degree(ranks.data) * memory::degree(ranks.context);
  Extent world = ranks.tensor;
  if (!all.is_constant(1)) world = model::extent_of(graph, all.derive<Count>(graph, "ranks").id());
  Extent per_node = request.devices_per_node
                        ? number(graph, "ranks of a node", request.devices_per_node, 1, "")
                        : world;
  TrainSetup setup{
      .rules = rules,
      .ranks = std::move(ranks),
      .batch = std::move(batch),
      .choice = {.recompute = request.recompute,
                 .kernels = request.kernels,
                 .attention = request.attention,
                 .loss = request.loss,
                 .chunks = optional_number(graph, "loss chunks", request.loss_chunks),
                 .imbalance = std::move(imbalance)},
      .sharding = {},
      .zero = number(graph, "ZeRO stage", request.zero, 0, "; set it with --zero N"),
      .recipe = recipe,
      .bytes =
          memory::state_bytes(graph, catalogue, *recipe, request.recipe.has_value(), overrides),
      .optimizer = {},
      .base_matrices = {},
      .world = std::move(world),
      .per_node = std::move(per_node),
      .layout_given = request.devices || request.tp || request.pp || request.dp || request.cp,
      .notes = {}};
  ULLAGE_CHECK(read_optimizer(graph, request, setup));
  ULLAGE_CHECK(read_sharding(request, setup));
  if (setup.per_node.value > setup.world.value ||
      !(setup.world.value / setup.per_node.value).is_whole()) {
    return train_usage(request.devices_per_node->where + ": does not divide the " +
                           setup.world.value.to_string() + " ranks",
                       "nodes = ranks ÷ devices of a node");
  }
  if (request.base_weights) {
    ULLAGE_TRY(setup.base_matrices, format_bytes(graph, catalogue, "frozen matrix bytes",
                                                 *request.base_weights, "--base-weights"));
  }
  if (!rules->note.empty()) {
    setup.notes.push_back({"rules", Severity::note, std::string(rules->note),
                           std::string(rules->source), std::string(rules->locator)});
  }
  ULLAGE_CHECK(check_layout(request, model, graph, setup));
  note_ignored(request, setup);
  return setup;
}

}  // namespace ullage::plan
