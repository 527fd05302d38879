// Names the figures of compute/, and brings a device's peak beside them.
#include "plan/flops.hpp"

#include <algorithm>

#include "catalog/figures.hpp"
#include "compute/utilisation.hpp"
#include "memory/adapters.hpp"
#include "plan/device_figures.hpp"

namespace ullage::plan {
namespace {

using base::Diagnostic;
using base::Severity;
using compute::FlopsAnswer;
using compute::FlopsPerToken;
using compute::FlopsQuestion;
using exact::Rational;
using model::Term;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Count;

Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// What a question counts, and under which other conventions it can be counted.
struct Counted {
  FlopsQuestion question;
  FlopsAnswer answer;
  std::optional<model::LayerKinds> kinds;
  Figure<Count> parameters;
};

class FlopsAnswering {
 public:
  FlopsAnswering(const FlopsRequest& request, const model::Model& model,
                 catalog::Catalogue& catalogue, Graph& graph, Row& row)
      : request_(request), model_(model), catalogue_(catalogue), graph_(graph), row_(row) {}

  base::Result<void> answer();

 private:
  void add(const char* name, FigureId id) { row_.results.push_back({name, id}); }
  void note(const char* code, std::string text, Severity level = Severity::note) {
    row_.notes.push_back({code, level, std::move(text)});
  }
  base::Result<FlopsQuestion> question();
  base::Result<Counted> count();
  FlopsAnswer recount(const Counted& counted, const char* rules, bool causal);
  void add_counts(const Counted& counted);
  void note_indexer(const Counted& counted, const model::LayerKinds& kinds);
  void note_conventions(const Counted& counted);
  base::Result<void> add_device(const Counted& counted);
  base::Result<FigureId> peak_of(DeviceFigures& figures);
  void add_utilisation(const Counted& counted, Figure<Count> devices,
                       Figure<units::DenseRate> peak);
  void add_times(const Counted& counted, Figure<compute::TokenRate> rate);

  const FlopsRequest& request_;
  const model::Model& model_;
  catalog::Catalogue& catalogue_;
  Graph& graph_;
  Row& row_;
  std::optional<Figure<Count>> batch_;  // sequences of a step, once they are counted
};

base::Result<FlopsQuestion> FlopsAnswering::question() {
  ULLAGE_TRY(const compute::FlopsRules* rules, compute::find_flops_rules(request_.rules));
  const FigureId sequence =
      request_.sequence
          ? graph_
                .given<Count>("sequence", request_.sequence->value, {request_.sequence->where, ""})
                .id()
          : graph_
                .assumed<Count>("sequence", 4096,
                                "the default of 4096 tokens; set it with --sequence N")
                .id();
  FlopsQuestion question{.rules = rules,
                         .sequence = model::extent_of(graph_, sequence),
                         .causal = request_.causal.value_or(false),
                         .recompute = request_.recompute};
  if (!request_.lora_rank) {
    if (!request_.lora_targets.empty()) {
      return usage("--lora-targets needs --lora-rank",
                   "--lora-rank 8 --lora-targets q_proj,v_proj");
    }
    return question;
  }
  if (request_.lora_targets.empty()) {
    return usage("--lora-rank needs --lora-targets", "--lora-targets q_proj,v_proj");
  }
  if (!model_.inventory) {
    return Diagnostic{
        .code = base::Code::unknown_figure,
        .message = base::printable(model_.name) + ": --lora-rank needs the shapes of the tensors",
        .span = {},
        .hint = "name a config.json or a card with an architecture",
        .notes = {}};
  }
  const auto rank =
      graph_.given<Count>("LoRA rank", request_.lora_rank->value, {request_.lora_rank->where, ""});
  ULLAGE_TRY(question.adapters,
             memory::adapters(graph_, *model_.inventory, model::extent_of(graph_, rank.id()),
                              request_.lora_targets));
  return question;
}

base::Result<Counted> FlopsAnswering::count() {
  ULLAGE_TRY(FlopsQuestion asked, question());
  ULLAGE_TRY(const memory::Weights weights, memory::weigh(graph_, model_, {}, catalogue_));
  if (model_.inventory) {
    ULLAGE_TRY(model::LayerKinds kinds, model::layer_kinds(graph_, *model_.inventory, model_.name));
    FlopsAnswer answer = compute::flops_of(graph_, *model_.inventory, kinds, asked);
    return Counted{std::move(asked), std::move(answer), std::move(kinds), weights.parameters};
  }
  if (asked.rules->basis != compute::Basis::parameters) {
    return Diagnostic{.code = base::Code::unknown_figure,
                      .message = base::printable(model_.name) +
                                 ": which matrices a token passes is not known without a shape",
                      .span = {},
                      .hint =
                          "a config.json or a card with an architecture; --rules six-n counts 6 "
                          "× parameters",
                      .notes = {}};
  }
  const auto passed = weights.active_parameters.value_or(weights.parameters);
  FlopsAnswer answer = compute::flops_of_total(graph_, passed, asked);
  note("no-attention", "the term of attention is left out: a number of parameters has no shape",
       Severity::warning);
  return Counted{std::move(asked), std::move(answer), {}, weights.parameters};
}

FlopsAnswer FlopsAnswering::recount(const Counted& counted, const char* rules, bool causal) {
  FlopsQuestion question = counted.question;
  question.rules = *compute::find_flops_rules(rules);
  question.causal = causal;
  question.adapters.clear();
  return compute::flops_of(graph_, *model_.inventory, *counted.kinds, question);
}

void FlopsAnswering::add_counts(const Counted& counted) {
  const FlopsAnswer& answer = counted.answer;
  add("parameters", counted.parameters.id());
  add("parameters_passed", answer.passed.id());
  add("flops_forward_per_token", answer.forward.id());
  add("flops_training_per_token", answer.training.id());
  add("flops_hardware_per_token", answer.hardware.id());
  add("attention_flops_per_token", answer.attention.id());
  if (request_.batch) {
    const auto batch = graph_.given<Count>("sequences of a step", request_.batch->value,
                                           {request_.batch->where, ""});
    batch_ = batch;
    const Term step = Term(graph_, answer.training.id()) * Term(counted.question.sequence) *
                      Term(graph_, batch.id());
    add("flops_training_per_step", step.derive<units::Flops>(graph_, "training, one step").id());
  }
  if (!counted.kinds || counted.question.rules->basis == compute::Basis::parameters) return;
  const FlopsAnswer plain = recount(counted, "six-n", counted.question.causal);
  const Term six = Term(6) * Term(graph_, plain.passed.id());
  const auto six_n = six.derive<FlopsPerToken>(graph_, "6N");
  add("flops_six_n_per_token", six_n.id());
  const Term share = Term(graph_, six_n.id()) / Term(graph_, answer.training.id()) - Term(1);
  add("six_n_difference", share.derive<units::Share>(graph_, "6N against the count").id());
}

void FlopsAnswering::note_indexer(const Counted& counted, const model::LayerKinds& kinds) {
  const bool chosen =
      counted.question.rules->sparse_attention &&
      std::any_of(kinds.mixers.begin(), kinds.mixers.end(),
                  [](const model::MixerLayers& mixer) { return mixer.chosen.has_value(); });
  if (!chosen) {
    return note("convention",
                "attention is counted over all tokens, though an indexer chooses some of them: an "
                "upper figure for long sequences");
  }
  note("convention",
       "attention reads the tokens that an indexer chooses (the mean over the sequence), and the "
       "indexer scores all of them; counters of frameworks take the whole sequence");
}

void FlopsAnswering::note_conventions(const Counted& counted) {
  if (!counted.kinds) return;
  const model::LayerKinds& kinds = *counted.kinds;
  if (counted.question.rules->basis == compute::Basis::gpt_shape) {
    note("convention",
         "the closed form knows layers, hidden size and vocabulary only: MLPs of 4 × hidden size, "
         "as many KV heads as heads, and the full square of attention whatever --causal says");
  } else {
    note("convention",
         std::string(counted.question.causal
                         ? "attention counts half of the square, for the causal mask"
                         : "attention counts the full square, without credit for the causal mask") +
             (request_.causal ? "" : " (the default; --causal yes halves it)"));
  }
  if (!kinds.prediction_layers.is_constant(0)) {
    note("convention", "multi-token prediction layers are counted, each with the head once more");
  }
  if (!kinds.indexers.empty()) note_indexer(counted, kinds);
  if (kinds.vision) note("text-only", "FLOPs are those of text tokens");
  if (counted.question.rules->selective_is_whole &&
      counted.question.recompute == compute::Repeat::selective) {
    note("convention",
         "selective recompute adds the whole score term once more, as the 2022 paper prints (s/6h "
         "becomes s/3h); one repeated forward pass of it would add a third of that");
  }
}

// The dense peak of what --on names; the sparse one only where the model is sparse by structure.
base::Result<FigureId> FlopsAnswering::peak_of(DeviceFigures& figures) {
  const std::string precision = request_.precision.value_or("bf16");
  if (request_.sparse && model_.sparsity.empty()) {
    return Diagnostic{
        .code = base::Code::kind_mismatch,
        .message = "--sparse: nothing says that " + base::printable(model_.name) +
                   " is structurally sparse, and a with-sparsity rate is no peak of dense weights",
        .span = {},
        .hint =
            "without --sparse the dense peak counts; a configuration states 2:4 under "
            "quantization_config.sparsity_config",
        .notes = {}};
  }
  const std::string name = (request_.sparse ? "sparse_" : "dense_") + precision;
  const catalog::FigureName* figure = catalog::find_hardware_figure(name);
  if (figure == nullptr) {
    std::string known;
    for (const std::string_view each : catalog::precisions())
      known += (known.empty() ? "" : ", ") + std::string(each);
    return usage("--precision " + base::printable(precision) + " is no precision", known);
  }
  return figures.bring(*figure);
}

void FlopsAnswering::add_times(const Counted& counted, Figure<compute::TokenRate> rate) {
  const auto time = [&](const char* name, Figure<units::Tokens> tokens) {
    add(name, graph_.derive<compute::TimeForTokens>(tokens, rate).id());
  };
  if (batch_) {
    const Term tokens = Term(graph_, batch_->id()) * Term(counted.question.sequence);
    time("time_per_step", tokens.derive<units::Tokens>(graph_, "tokens of a step"));
  }
  if (request_.tokens) {
    time("training_time", graph_.given<units::Tokens>("tokens", request_.tokens->value,
                                                      {request_.tokens->where, ""}));
  }
}

// One measured rate, under each convention.
void FlopsAnswering::add_utilisation(const Counted& counted, Figure<Count> devices,
                                     Figure<units::DenseRate> peak) {
  const FigureId measured =
      graph_.given("measured", {request_.measured->value, {.dimension = units::kTokenRate}},
                   {request_.measured->where, ""});
  const auto rate = *graph_.narrow<compute::TokenRate>(measured);
  add("measured", measured);
  const auto share = [&](const char* name, Figure<FlopsPerToken> flops) {
    const auto figure = graph_.derive<compute::Utilisation>(rate, flops, devices, peak);
    add(name, figure.id());
    if (std::string_view(name) == "hfu" && graph_.known(figure.id()) &&
        graph_.value(figure) > Rational(1)) {
      note(
          "above-peak",
          "more than the whole peak: the run has another precision (--precision), other devices or "
          "another convention",
          Severity::warning);
    }
  };
  share("mfu", counted.answer.training);
  share("hfu", counted.answer.hardware);
  add_times(counted, rate);
  if (!counted.kinds || !counted.question.adapters.empty()) return;
  share("mfu_full_square", recount(counted, "ideal", false).training);
  share("mfu_causal", recount(counted, "ideal", true).training);
  share("mfu_six_n", recount(counted, "six-n", false).training);
  note("convention",
       "mfu follows --rules and --causal, hfu adds what is computed again; mfu_full_square and "
       "mfu_causal count matrices with the whole square or half of it, mfu_six_n all parameters; "
       "compare tokens a second, not figures of different conventions");
}

base::Result<void> FlopsAnswering::add_device(const Counted& counted) {
  if (!request_.on) {
    if (request_.mfu || request_.measured || request_.tokens || request_.devices ||
        request_.precision || request_.sparse) {
      return usage(
          "--mfu, --measured, --tokens, --devices, --precision and --sparse need --on DEVICE",
          "--on h100-sxm --devices 8");
    }
    return {};
  }
  if (request_.mfu && request_.measured) {
    return usage("--mfu states the share of the peak that --measured asks for",
                 "leave one of them out");
  }
  ULLAGE_TRY(const catalog::Entry* entry, catalogue_.hardware(*request_.on));
  row_.device = entry->id;
  DeviceFigures figures(graph_, catalogue_, *entry);
  ULLAGE_TRY(const FigureId peak, peak_of(figures));
  add(request_.sparse ? "sparse_peak" : "dense_peak", peak);
  if (!request_.precision) {
    note("precision", "the peak is that of bf16; --precision chooses another");
  }
  const auto devices =
      request_.devices
          ? graph_.given<Count>("devices", request_.devices->value, {request_.devices->where, ""})
          : graph_.assumed<Count>("devices", 1, "the default of 1; set it with --devices N");
  add("devices", devices.id());
  if (request_.measured) {
    if (request_.sparse) {
      return usage("--measured with --sparse: utilisation is stated against the dense peak",
                   "leave --sparse out");
    }
    ULLAGE_TRY(const auto dense, graph_.narrow<units::DenseRate>(peak));
    add_utilisation(counted, devices, dense);
    return {};
  }
  const auto share =
      request_.mfu
          ? graph_.given<units::Share>("MFU", request_.mfu->value, {request_.mfu->where, ""})
          : graph_.assumed<units::Share>("MFU", 1,
                                         "all of the peak: a bound that no run reaches; --mfu says "
                                         "what one does");
  add("mfu_stated", share.id());
  if (!request_.mfu) {
    note("arithmetic-bound", "without --mfu times are lower bounds at the full dense peak");
  }
  if (request_.sparse) {
    note("sparse-peak", "the peak is that of structured sparsity (" + model_.sparsity + ")",
         Severity::warning);
    ULLAGE_TRY(const auto sparse, graph_.narrow<units::SparseRate>(peak));
    const auto rate = graph_.derive<compute::SparseTokensPerSecond>(devices, sparse, share,
                                                                    counted.answer.training);
    add("tokens_per_second", rate.id());
    add_times(counted, rate);
    return {};
  }
  ULLAGE_TRY(const auto dense, graph_.narrow<units::DenseRate>(peak));
  const auto rate =
      graph_.derive<compute::TokensPerSecond>(devices, dense, share, counted.answer.training);
  add("tokens_per_second", rate.id());
  add_times(counted, rate);
  return {};
}

base::Result<void> FlopsAnswering::answer() {
  ULLAGE_TRY(const Counted counted, count());
  add_counts(counted);
  note_conventions(counted);
  return add_device(counted);
}

}  // namespace

base::Result<provenance::Answer> flops(const FlopsRequest& request, catalog::Catalogue& catalogue,
                                       const base::FileSystem& files) {
  provenance::Answer answer;
  answer.command = "flops";
  import::OpenContext context{catalogue, files, answer.graph, request.assume};
  ULLAGE_TRY(const model::Model model, import::open_model(context, request.model));
  Row row;
  row.model = model.name;
  row.notes = model.notes;
  FlopsAnswering answering(request, model, catalogue, answer.graph, row);
  ULLAGE_CHECK(answering.answer());
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
  answer.rows.push_back(std::move(row));
  return answer;
}

}  // namespace ullage::plan
