// Names the figures of training in the order in which they add up.
#include "plan/train.hpp"

#include "plan/train_verdict.hpp"

namespace ullage::plan {
namespace {

using base::Note;
using base::Severity;
using exact::Rational;
using memory::TrainingStage;
using model::Term;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Bytes;
using units::Count;

class Answering {
 public:
  Answering(const TrainRequest& request, const TrainSetup& setup, const TrainModel& model,
            Graph& graph, Row& row)
      : request_(request), setup_(setup), model_(model), graph_(graph), row_(row) {}

  base::Result<void> answer(const std::optional<TrainDevice>& device);

 private:
  void add(const char* name, FigureId id) { row_.results.push_back({name, id}); }
  template <class M>
  void add(const char* name, Figure<M> figure) {
    add(name, figure.id());
  }
  base::Result<StageAnswer> whole_model(bool offloads) const;
  Figure<Bytes> largest(const char* name, Figure<Bytes> a, Figure<Bytes> b) const;
  memory::Bounds totals(const std::vector<StageAnswer>& stages) const;
  void add_parameters(const StageAnswer& fullest);
  void add_whole(const std::optional<StageAnswer>& whole);
  void add_transients(const memory::StageNeeds& needs);
  void add_rank(const StageAnswer& fullest, const std::vector<StageAnswer>& stages);
  void add_checkpoint(const std::optional<StageAnswer>& whole);
  void note_rules();

  const TrainRequest& request_;
  const TrainSetup& setup_;
  const TrainModel& model_;
  Graph& graph_;
  Row& row_;
  std::vector<Figure<Bytes>> overheads_;
};

// Everything on one rank: what is spread over devices, or all of it, offloaded or not.
base::Result<StageAnswer> Answering::whole_model(bool offloads) const {
  TrainSetup one = setup_;
  if (!offloads) one.sharding = {};
  const auto single = [&](model::Extent& degree) { degree.value = Rational(1); };
  for (model::Extent* degree :
       {&one.ranks.tensor, &one.ranks.pipeline, &one.ranks.data, &one.ranks.context,
        &one.ranks.expert, &one.ranks.expert_tensor, &one.ranks.shard})
    single(*degree);
  one.world.value = Rational(1);
  one.per_node.value = Rational(1);
  one.ranks.sequence_parallel = false;
  one.sharding.zero = 0;
  one.rules = *engine::find_training_rules("ideal");
  return stage_answer(request_, one, model_, TrainingStage::only, {}, graph_);
}

Figure<Bytes> Answering::largest(const char* name, Figure<Bytes> a, Figure<Bytes> b) const {
  return max(Term(graph_, a.id()), Term(graph_, b.id())).derive<Bytes>(graph_, name);
}

memory::Bounds Answering::totals(const std::vector<StageAnswer>& stages) const {
  if (stages.size() == 1) return stages.front().totals;
  return {largest("total, floor", stages[0].totals.floor, stages[1].totals.floor),
          largest("total, upper", stages[0].totals.upper, stages[1].totals.upper)};
}

void Answering::add_parameters(const StageAnswer& fullest) {
  add("parameters", model_.parameters);
  if (model_.trainable) add("trainable_parameters", *model_.trainable);
  if (fullest.parameters) {
    const memory::RankParameters& rank = *fullest.parameters;
    add("parameters_per_device", rank.total);
    add("parameters_per_device_dense", rank.dense);
    if (rank.experts) add("parameters_per_device_experts", *rank.experts);
    add("parameters_per_device_embeddings", *rank.embeddings);
    if (rank.replicated) add("parameters_per_device_replicated", *rank.replicated);
  } else if (fullest.on_rank) {
    add("parameters_per_device", *fullest.on_rank);
  }
}

void Answering::add_whole(const std::optional<StageAnswer>& whole) {
  const auto uniform = memory::literal_bytes(setup_.optimizer, setup_.bytes);
  const bool frozen = setup_.optimizer.optimizer->state == memory::OptimizerState::frozen;
  const bool alike = memory::uniform_bytes(setup_.optimizer, setup_.bytes).has_value() &&
                     !setup_.bytes.matrices && model_.adapters.empty();
  if (uniform && (alike || !model_.model.inventory)) {
    Term each(setup_.bytes.weights);
    if (!frozen) {
      each = each + Term(setup_.bytes.gradients);
      if (setup_.bytes.gradient_copy) each = each + Term(*setup_.bytes.gradient_copy);
      each = each + Term(setup_.bytes.master) + *uniform;
    }
    const auto bytes = each.derive<Bytes>(graph_, "state bytes of a parameter");
    add("state_bytes_per_parameter", bytes);
    const Term all = Term(graph_, bytes.id()) * Term(graph_, model_.parameters.id());
    add("model_states", all.derive<Bytes>(graph_, "model states, whole model"));
    return;
  }
  const auto states = whole->needs.states.total;
  const Term each = Term(graph_, states.id()) / Term(graph_, model_.parameters.id());
  add("state_bytes_per_parameter", each.derive<Bytes>(graph_, "state bytes of a parameter"));
  add("model_states", states);
}

// What passes through a rank: units of weights gathered whole, buffers of collectives.
void Answering::add_transients(const memory::StageNeeds& needs) {
  add("gathered_per_device", needs.gathered.total);
  if (const auto& parts = needs.gathered.parts) {
    add("gathered_root_per_device", parts->root);
    add("gathered_layer_per_device", parts->layer);
    add("prefetched_per_device", parts->prefetched);
  }
  if (needs.buckets) add("buckets_per_device", *needs.buckets);
}

void Answering::add_rank(const StageAnswer& fullest, const std::vector<StageAnswer>& stages) {
  const memory::RankStates& states = fullest.needs.states;
  add("weights_per_device", states.weights);
  add("gradients_per_device", states.gradients);
  add("master_per_device", states.master);
  add("optimizer_per_device", states.optimizer);
  add("model_states_per_device", states.total);
  add_transients(fullest.needs);
  if (model_.kinds && setup_.rules->accounting != engine::Accounting::megatron_lm &&
      setup_.rules->accounting != engine::Accounting::megatron_bridge) {
    const memory::Bounds layer =
        memory::layer_activations(graph_, *model_.kinds, setup_.ranks, setup_.batch, setup_.choice);
    add("layer_activations_floor_per_device", layer.floor);
    add("layer_activations_upper_per_device", layer.upper);
  }
  const auto bounds = [&](const char* name, Figure<Bytes> a, const Figure<Bytes>* b) {
    return b == nullptr ? a : largest(name, a, *b);
  };
  const memory::StageNeeds& first = stages.front().needs;
  const memory::StageNeeds* last = stages.size() > 1 ? &stages.back().needs : nullptr;
  const bool reported = setup_.rules->accounting == engine::Accounting::megatron_lm ||
                        setup_.rules->accounting == engine::Accounting::megatron_bridge;
  if (reported) last = nullptr;
  add("activations_floor_per_device", bounds("activations, floor", first.activations.floor,
                                             last ? &last->activations.floor : nullptr));
  add("activations_upper_per_device", bounds("activations, upper", first.activations.upper,
                                             last ? &last->activations.upper : nullptr));
  const memory::StageNeeds& head = last ? *last : first;
  add("logits_floor_per_device", head.logits.floor);
  add("logits_upper_per_device", head.logits.upper);
  for (std::size_t i = 0; i < overheads_.size(); ++i)
    add(("overhead_" + request_.overheads[i].name).c_str(), overheads_[i]);
  if (fullest.host) add("host_states_per_node", *fullest.host);
}

// Weights as they are served, and everything that a restart needs.
void Answering::add_checkpoint(const std::optional<StageAnswer>& whole) {
  const Term parameters(graph_, model_.parameters.id());
  const Term count = model_.trainable ? Term(graph_, model_.trainable->id()) : parameters;
  const Term weights = Term(setup_.bytes.weights) * count;
  add("checkpoint_weights", weights.derive<Bytes>(graph_, "checkpoint of the weights"));
  if (setup_.optimizer.optimizer->state == memory::OptimizerState::frozen) return;
  Term all = weights;
  if (whole && model_.model.inventory) {
    const memory::RankStates& states = whole->needs.states;
    all = weights + Term(graph_, states.master.id()) + Term(graph_, states.optimizer.id());
  } else {
    const auto optimizer = memory::literal_bytes(setup_.optimizer, setup_.bytes);
    if (!optimizer) return;
    all = (Term(setup_.bytes.weights) + Term(setup_.bytes.master) + *optimizer) * count;
  }
  add("checkpoint_with_optimizer",
      all.derive<Bytes>(graph_, "checkpoint with master weights and optimizer states"));
}

void Answering::note_rules() {
  const auto note = [&](const char* code, std::string text) {
    row_.notes.push_back({code, Severity::note, std::move(text)});
  };
  if (setup_.choice.recompute == memory::Recompute::selective &&
      setup_.choice.attention == memory::AttentionKernel::flash && !setup_.choice.kernels) {
    note("selective-with-flash",
         "flash attention keeps no score matrices: selective recompute saves nothing more");
  }
  if (model_.kinds && model_.kinds->vision) {
    note("text-only", "activations are those of text tokens; the vision tower's are not counted");
  }
  if (setup_.bytes.matrices && !model_.model.inventory) {
    note("all-matrices", "without a shape every parameter counts as one of a layer's matrices");
  }
  note("not-covered",
       "no formula covers the driver's context, collective buffers, workspaces of matrix products, "
       "CUDA graphs and fragmentation: state them with --overhead NAME=SIZE");
}

base::Result<void> Answering::answer(const std::optional<TrainDevice>& device) {
  for (const Overhead& overhead : request_.overheads) {
    overheads_.push_back(graph_.given<Bytes>("overhead " + overhead.name, overhead.size.value,
                                             {overhead.size.where, ""}));
  }
  const bool megatron = setup_.rules->accounting == engine::Accounting::megatron_lm ||
                        setup_.rules->accounting == engine::Accounting::megatron_bridge;
  std::vector<StageAnswer> stages;
  const std::vector<TrainingStage> wanted = megatron || !model_.model.inventory
                                                ? std::vector{TrainingStage::only}
                                                : stages_of(setup_.ranks);
  for (const TrainingStage stage : wanted) {
    ULLAGE_TRY(StageAnswer each, stage_answer(request_, setup_, model_, stage, overheads_, graph_));
    stages.push_back(std::move(each));
  }
  const auto heavier = [&](const StageAnswer& a, const StageAnswer& b) {
    return graph_.value(a.needs.states.total) >= graph_.value(b.needs.states.total);
  };
  const bool known = graph_.known(stages.front().needs.states.total.id());
  const StageAnswer& fullest =
      stages.size() == 1 || !known || heavier(stages[0], stages[1]) ? stages[0] : stages[1];
  const bool alike = memory::uniform_bytes(setup_.optimizer, setup_.bytes).has_value() &&
                     !setup_.bytes.matrices && model_.adapters.empty();
  std::optional<StageAnswer> whole;
  if (model_.model.inventory && !alike) {
    ULLAGE_TRY(whole, whole_model(false));
  }
  add_parameters(fullest);
  add_whole(whole);
  add_rank(fullest, stages);
  const memory::Bounds all = totals(stages);
  add("total_floor_per_device", all.floor);
  add("total_upper_per_device", all.upper);
  add_checkpoint(whole);
  note_rules();
  if (!device) return {};
  ULLAGE_TRY(const StageAnswer spread, whole_model(true));
  return judge_training(request_, setup_, *device, spread, fullest, all, graph_, row_);
}

}  // namespace

base::Result<Row> train_row(const TrainRequest& request, const model::Model& model,
                            catalog::Catalogue& catalogue, Graph& graph) {
  ULLAGE_TRY(const auto device, train_device(request, catalogue, graph));
  ULLAGE_TRY(const TrainSetup setup,
             train_setup(request, model, device ? device->chips : std::optional<model::Extent>(),
                         catalogue, graph));
  ULLAGE_TRY(const TrainModel trained, train_model(request, setup, model, catalogue, graph));
  Row row;
  row.model = model.name;
  row.notes = model.notes;
  row.notes.insert(row.notes.end(), setup.notes.begin(), setup.notes.end());
  Answering answering(request, setup, trained, graph, row);
  ULLAGE_CHECK(answering.answer(device));
  return row;
}

base::Result<provenance::Answer> train(const TrainRequest& request, catalog::Catalogue& catalogue,
                                       const base::FileSystem& files) {
  provenance::Answer answer;
  answer.command = "train";
  import::OpenContext context{catalogue, files, answer.graph, request.assume};
  ULLAGE_TRY(const model::Model model, import::open_model(context, request.model));
  ULLAGE_TRY(Row row, train_row(request, model, catalogue, answer.graph));
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
  answer.rows.push_back(std::move(row));
  return answer;
}

}  // namespace ullage::plan
