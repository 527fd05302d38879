// Serving: weights and caches of the fullest rank, by the engine's rules.
#include <algorithm>
#include <array>

#include "memory/formulas.hpp"
#include "plan/check/need.hpp"
#include "plan/serve.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using provenance::Figure;
using units::Bytes;

// Whose rules: the engine's where they are known for this place, else ideal ones.
std::string engine_of(const Subject& subject) {
  if (subject.place.is_neuron || !subject.workload.engine) return "ideal";
  const std::string& name = subject.workload.engine->text;
  const bool known = name == "vllm" || name == "sglang" || name == "trtllm" || name == "llamacpp";
  return known ? name : "ideal";
}

ServeChoice choice_of(const Subject& subject, const std::string& engine) {
  const Workload& workload = subject.workload;
  ServeChoice choice;
  choice.engine = engine;
  if (engine != "ideal" && workload.engine_version) {
    choice.engine += "@" + workload.engine_version->text;
  }
  if (workload.kv_dtype) choice.kv_dtype = workload.kv_dtype->text;
  const auto degree = [&](const std::optional<Number>& number) -> std::optional<GivenNumber> {
    if (!number || number->value.sign() <= 0) return std::nullopt;
    return subject.given(*number);
  };
  choice.layout.tensor = degree(workload.tp);
  if (!choice.layout.tensor && subject.ranks.tp > Rational{1}) {
    choice.layout.tensor =
        GivenNumber{subject.ranks.tp, "KAITO spreads a model over the devices it has"};
  }
  choice.layout.pipeline = degree(workload.pp);
  if (!choice.layout.pipeline && subject.ranks.pp > Rational{1}) {
    choice.layout.pipeline = GivenNumber{subject.ranks.pp, "KAITO spreads a model over machines"};
  }
  choice.context_parallel = degree(workload.cp);
  if (!workload.attention_dp) choice.data = degree(workload.dp);
  if (subject.ranks.ep > Rational{1}) {
    const Number ep{subject.ranks.ep, workload.ep ? workload.ep->where : workload.where};
    choice.layout.expert = subject.given(ep);
  }
  if (engine != "ideal") choice.block_size = degree(workload.block_size);
  if (workload.role) {
    choice.role = workload.role->text == "prefill" ? Role::prefill : Role::decode;
  }
  return choice;
}

// Tokens of one sequence: the file's, else what the model was trained for, which is what engines
// take.
std::optional<GivenNumber> context_of(const Subject& subject) {
  if (subject.workload.context) return subject.given(*subject.workload.context);
  const auto& inventory = subject.model->inventory;
  if (!inventory || !inventory->trained_length) return std::nullopt;
  return GivenNumber{inventory->trained_length->value,
                     "the length that the model was trained for, since the file states none"};
}

Figure<Bytes> used_weights(const Subject& subject) {
  const memory::Weights& weights = *subject.weights;
  return subject.graph.known(weights.payload.id()) ? weights.payload : weights.floor;
}

// The engine's answer, or the ideal one with a note where its rules do not cover the case.
base::Result<Serving> ask(Subject& subject, const GivenNumber& concurrency,
                          const std::optional<GivenNumber>& context) {
  std::string engine = engine_of(subject);
  ServeChoice choice = choice_of(subject, engine);
  choice.context = context;
  choice.concurrency = concurrency;
  ServeMemory memory;
  if (subject.budget && subject.graph.known(subject.budget->id())) {
    // The share is in the budget already.
    if (auto capacity = subject.graph.narrow<units::Capacity>(subject.budget->id())) {
      memory.capacity = *capacity;
      memory.share = subject.graph.assumed<units::Share>("share of the budget", Rational{1},
                                                         "the budget is what may be used");
    }
  }
  auto answer = serve(subject.graph, *subject.model, &*subject.weights, choice, memory,
                      subject.place.chip, subject.catalogue);
  if (answer || engine == "ideal") {
    subject.serving.engine = engine;
    return answer;
  }
  if (answer.error().code != base::Code::unknown_figure &&
      answer.error().code != base::Code::unsupported_architecture) {
    return answer;
  }
  subject.note("engine-rules-ideal", base::Severity::note,
               "counted by ideal rules, since those of " + engine +
                   " do not cover this: " + answer.error().message,
               subject.workload.engine->where);
  subject.serving.engine = "ideal";
  choice = choice_of(subject, "ideal");
  choice.context = context;
  choice.concurrency = concurrency;
  return serve(subject.graph, *subject.model, &*subject.weights, choice, memory, subject.place.chip,
               subject.catalogue);
}

// A plan of ours without a layout is spread perfectly over its devices.
bool is_balanced(const Subject& subject) {
  return subject.is_native() && !subject.workload.native->has_layout && subject.workload.devices &&
         subject.ranks.given && *subject.ranks.given > Rational{1};
}

Figure<Bytes> over_ranks(Subject& subject, Figure<Bytes> total) {
  const Rational ranks = *subject.ranks.given;
  const auto count = subject.graph.given<units::Count>(
      "ranks of the devices", ranks, {text_of(subject.workload.devices->where), ""});
  const Rational whole = subject.graph.known(total.id()) ? subject.graph.value(total) : Rational{0};
  return subject.graph.derived<Bytes>("even share of one rank", "total ÷ ranks of the devices", "",
                                      {total.id(), count.id()}, whole / ranks);
}

void take_notes(Subject& subject, const std::vector<base::Note>& notes) {
  for (const base::Note& note : notes) {
    const bool known = std::any_of(subject.row.notes.begin(), subject.row.notes.end(),
                                   [&](const base::Note& other) {
                                     return other.code == note.code && other.text == note.text;
                                   });
    // Rules of ours speak of divisibility and replication, with their places.
    // The share that suffices would be one of the budget here.
    constexpr std::array<std::string_view, 5> said{"tensor-parallel-uneven", "kv-heads-replicated",
                                                   "replicated", "replication",
                                                   "no-utilization-suffices"};
    const bool is_said = std::find(said.begin(), said.end(), note.code) != said.end();
    if (!known && !is_said) subject.row.notes.push_back(note);
  }
}

}  // namespace

void find_serving_need(Subject& subject) {
  // KAITO chooses the layout: without a number of machines only the lower bound can be told.
  if (subject.workload.kind == "kaito" && !subject.workload.tp && !subject.workload.devices) {
    subject.required_total = used_weights(subject);
    subject.open.push_back("the file states no number of machines");
    std::string text =
        "devices: the file states no number of machines, and KAITO spreads the model";
    if (subject.budget && subject.graph.known(subject.budget->id())) {
      const Rational least = (subject.graph.value(*subject.required_total) /
                              (subject.graph.value(*subject.budget) * subject.place.ranks))
                                 .ceil();
      text += "; its weights need at least " + least.to_string() + " devices";
    }
    subject.note("value-unresolved", base::Severity::warning, text + "; give it with --devices N",
                 subject.place.stated.where);
    return;
  }
  if (subject.workload.host_weights) {
    subject.open.push_back("parts of the weights are kept on the host (" +
                           text_of(subject.workload.host_weights->where) +
                           "), and what is copied back when is not counted");
    return;
  }
  const auto context = context_of(subject);
  const bool context_open =
      std::any_of(subject.workload.unresolved.begin(), subject.workload.unresolved.end(),
                  [](const Unresolved& open) { return open.what == "context"; });
  if (context) subject.serving.context = context->value;
  subject.serving.static_cache =
      subject.place.is_neuron ||
      (subject.workload.engine && subject.workload.engine->text == "neuronx");
  const auto one =
      ask(subject, {Rational{1}, "one sequence"}, context_open ? std::nullopt : context);
  if (!one) {
    subject.open.push_back(one.error().message);
    return;
  }
  take_notes(subject, one->notes);
  take_notes(subject, one->allocation.notes);
  subject.serving.weights = one->weights_per_device;
  subject.serving.one = one->required_per_device;
  subject.serving.cache_one = one->cache_per_device;
  if (!subject.serving.one && !context) {
    subject.note("context-unknown", base::Severity::note,
                 "the file states no length of a sequence and the model's own is not known: only "
                 "weights are counted",
                 subject.workload.where);
    subject.serving.one = subject.serving.weights;
  }
  const bool is_spread = is_balanced(subject);
  if (is_spread) {
    subject.serving.weights = over_ranks(subject, used_weights(subject));
    if (one->required_total) subject.serving.one = over_ranks(subject, *one->required_total);
    if (one->cache_total) subject.serving.cache_one = over_ranks(subject, *one->cache_total);
    subject.ranks.needed = subject.ranks.given;
    subject.note("arithmetic-lower-bound", base::Severity::note,
                 "the plan states no layout: weights and cache are spread evenly over its devices, "
                 "which certifies no layout",
                 subject.workload.where);
  }
  for (const provenance::NamedFigure& figure : serving_results(*one)) {
    if (figure.name == "utilization_min" || figure.name == "kv_memory_min") continue;
    if (!is_spread || !figure.name.ends_with("_per_device"))
      subject.add(figure.name, figure.figure);
  }
  if (!subject.workload.concurrency || !context || context_open) return;
  // Every data-parallel copy holds that many.
  Number all = *subject.workload.concurrency;
  if (!subject.workload.attention_dp) all.value = all.value * subject.ranks.dp;
  if (all.value.sign() <= 0) return;
  const auto full = ask(subject, subject.given(all), context);
  if (!full) return;
  if (is_spread) {
    if (full->required_total) subject.serving.full = over_ranks(subject, *full->required_total);
    if (full->cache_total) subject.serving.cache_full = over_ranks(subject, *full->cache_total);
    return;
  }
  subject.serving.full = full->required_per_device;
  subject.serving.cache_full = full->cache_per_device;
}

void find_balanced_need(Subject& subject) {
  const NativeParts& native = *subject.workload.native;
  const auto working =
      native.working_memory
          ? subject.graph.given<Bytes>("working memory", native.working_memory->value,
                                       {text_of(native.working_memory->where), "working_memory"})
          : subject.graph.assumed<Bytes>("working memory", Rational{32} * exact::power_of_ten(9),
                                         "the default of 32 GB, since the plan states no workload; "
                                         "set it with working_memory:");
  const auto required =
      subject.graph.derive<memory::RequiredMemory>(used_weights(subject), working);
  subject.add("working_memory", working.id());
  subject.required_total = required;
  subject.note("arithmetic-lower-bound", base::Severity::note,
               "an arithmetic lower bound under perfectly balanced sharding: it certifies no "
               "layout, no software support and no speed",
               subject.workload.where);
}

}  // namespace ullage::plan
