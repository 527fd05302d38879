// Sums over classes of layers.
#include "engine/demand.hpp"

#include <algorithm>

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::CacheKind;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;
using units::Tokens;

// Whether one more token makes the class larger.
bool grows(const Question& question, const CacheClass& layers) {
  if (!keeps_tokens(layers.kind)) return false;
  if (!bounded(layers) || question.workload.swa_full) return true;
  return question.workload.context && question.workload.context->value < layers.window->value;
}

// Figures of a need, summed over classes as they come.
struct Parts {
  std::vector<BytesFigure> all;
  std::vector<std::pair<CacheKind, BytesFigure>> kinds;
};

BytesFigure of_layers(Graph& graph, const std::string& name, const CacheClass& layers,
                      BytesFigure one, const Rational& number, FigureId number_id,
                      const Rational& entries, const std::string& per, const Slots* slots) {
  std::vector<FigureId> inputs{one.id(), number_id};
  std::string formula = "bytes of one layer × layers";
  std::string citation;
  if (slots != nullptr) {
    formula += " × " + (slots->formula.empty() ? per : "(" + slots->formula + ")");
    inputs.insert(inputs.end(), slots->inputs.begin(), slots->inputs.end());
    citation = slots->citation;
  }
  return graph.derived<Bytes>(layers.name + ", " + name, std::move(formula), std::move(citation),
                              std::move(inputs), graph.value(one) * number * entries);
}

}  // namespace

bool bounded(const CacheClass& layers) {
  return layers.kind == CacheKind::window || layers.kind == CacheKind::chunked;
}

bool unbounded(const CacheClass&) {
  return false;
}

Rational entries_per_token(const CacheClass& layers) {
  return layers.compress ? Rational(1) / layers.compress->value : Rational(1);
}

bool keeps_tokens(CacheKind kind) {
  return kind != CacheKind::recurrent && kind != CacheKind::cross;
}

Rational held_tokens(const CacheClass& layers, const Rational& length) {
  return bounded(layers) ? min(length, layers.window->value) : length;
}

Rational entries_of(const CacheClass& layers, const Rational& tokens) {
  return layers.compress ? (tokens / layers.compress->value).ceil() : tokens;
}

Rational sequences_of_copy(const Question& question) {
  return (question.workload.concurrency.value / question.layout.data.value).ceil();
}

Rational bytes_on_device(const Graph& graph, const CacheClass& layers, const Rational& entries) {
  return graph.value(layers.entry_on_rank) * graph.value(layers.layers_on_stage) * entries;
}

Rational fixed_on_device(const Graph& graph, const CacheClass& layers) {
  return graph.value(layers.fixed_on_rank) * graph.value(layers.layers_on_stage);
}

std::optional<Rational> largest_length(const std::function<bool(const Rational&)>& fits) {
  if (!fits(1)) return Rational(0);
  Rational low = 1;
  Rational high = 2;
  const Rational limit = exact::power_of_two(62);
  while (fits(high)) {
    low = high;
    high = high * Rational(2);
    if (high > limit) return std::nullopt;
  }
  while (high - low > Rational(1)) {
    const Rational middle = ((low + high) / Rational(2)).floor();
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

std::vector<FigureId> basis(const Question& question) {
  std::vector<FigureId> figures;
  for (const CacheClass& layers : question.classes) {
    figures.push_back(keeps_tokens(layers.kind) ? layers.entry_on_rank.id()
                                                : layers.fixed_on_rank.id());
    figures.push_back(layers.layers_on_stage.id());
  }
  return figures;
}

std::vector<Slots> block_slots(const Question& question, const model::Extent& block,
                               bool (*windowed)(const CacheClass&), std::string_view citation) {
  const model::Extent& context = *question.workload.context;
  std::vector<Slots> slots;
  for (const CacheClass& layers : question.classes) {
    if (!keeps_tokens(layers.kind)) {
      slots.push_back({Rational(1), "1 sequence", "", {}});
      continue;
    }
    const bool short_of = windowed(layers) && !question.workload.swa_full;
    const Rational held = short_of ? held_tokens(layers, context.value) : context.value;
    const std::string tokens =
        short_of ? "min(" + context.name + ", " + layers.window->name + ")" : context.name;
    Slots slot{entries_of(layers, (held / block.value).ceil() * block.value),
               "⌈" + tokens + " ÷ " + block.name + "⌉ × " + block.name,
               std::string(citation),
               {context.figure, block.figure}};
    if (short_of) slot.inputs.push_back(layers.window->figure);
    if (layers.compress) {
      slot.formula = "⌈" + slot.formula + " ÷ " + layers.compress->name + "⌉";
      slot.inputs.push_back(layers.compress->figure);
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

model::Extent block_or(Graph& graph, const Workload& workload, std::string_view name,
                       std::int64_t tokens, std::string why) {
  if (workload.block_size) return *workload.block_size;
  const std::string text(name);
  return {text, tokens, graph.assumed<Tokens>(text, tokens, std::move(why)).id()};
}

memory::CacheRules whole_heads(std::string citation) {
  memory::CacheRules rules;
  rules.heads = memory::HeadRule::rounded_down;
  rules.heads_citation = std::move(citation);
  return rules;
}

void add_least_memory(Graph& graph, Allocation& allocation) {
  if (!allocation.kv_total_per_device) return;
  std::vector<BytesFigure> parts{*allocation.kv_total_per_device};
  if (allocation.state_total_per_device) parts.push_back(*allocation.state_total_per_device);
  allocation.kv_memory_min = graph.sum("least memory for the cache", parts,
                                       "cache and state of all sequences on one device");
}

void set_least_memory(Graph& graph, const Question& question, std::string formula,
                      std::string citation, const Rational& bytes, Allocation& allocation) {
  std::vector<FigureId> inputs{question.workload.context->figure,
                               question.workload.concurrency.figure};
  const auto classes = basis(question);
  inputs.insert(inputs.end(), classes.begin(), classes.end());
  allocation.kv_memory_min = graph.derived<Bytes>("least memory for the cache", std::move(formula),
                                                  std::move(citation), std::move(inputs), bytes);
}

void add_growth(Graph& graph, const Question& question, Allocation& allocation) {
  std::vector<BytesFigure> whole;
  std::vector<BytesFigure> device;
  std::vector<BytesFigure> states;
  for (const CacheClass& layers : question.classes) {
    if (layers.kind == CacheKind::recurrent) {
      states.push_back(of_layers(graph, "state", layers, layers.fixed, layers.layers.value,
                                 layers.layers.figure, 1, "", nullptr));
      continue;
    }
    if (!grows(question, layers)) continue;
    const Rational share = entries_per_token(layers);
    const Slots slots{share, layers.compress ? "1 ÷ " + layers.compress->name : "1 token", "", {}};
    whole.push_back(of_layers(graph, "growth", layers, layers.entry, layers.layers.value,
                              layers.layers.figure, share, "", &slots));
    device.push_back(of_layers(graph, "growth on one device", layers, layers.entry_on_rank,
                               graph.value(layers.layers_on_stage), layers.layers_on_stage.id(),
                               share / question.layout.context.value, "", &slots));
  }
  allocation.kv_per_token = graph.sum("KV cache per token", whole);
  allocation.kv_per_token_per_device = graph.sum("KV cache per token on one device", device);
  allocation.state_per_sequence = graph.sum("state per sequence", states);
}

namespace {

void add_kinds(Graph& graph, const Parts& parts, Allocation& allocation) {
  for (const auto& [kind, unused] : parts.kinds) {
    const auto seen = [kind = kind](const KindBytes& known) { return known.kind == kind; };
    if (std::any_of(allocation.kinds.begin(), allocation.kinds.end(), seen)) continue;
    std::vector<BytesFigure> same;
    for (const auto& [other, bytes] : parts.kinds) {
      if (other == kind) same.push_back(bytes);
    }
    const auto total = graph.sum("cache of kind " + std::string(name_of(kind)), same);
    allocation.kinds.push_back({kind, total.id()});
  }
}

// All sequences: `one` × their number.
BytesFigure times_sequences(Graph& graph, const std::string& name, BytesFigure one,
                            const Rational& number, const std::string& formula,
                            std::vector<FigureId> inputs) {
  inputs.insert(inputs.begin(), one.id());
  return graph.derived<Bytes>(name, "one sequence × " + formula, "", std::move(inputs),
                              graph.value(one) * number);
}

}  // namespace

void add_need(Graph& graph, const Question& question, const std::vector<Slots>& slots,
              Allocation& allocation) {
  const Workload& workload = question.workload;
  const Rational sequences = sequences_of_copy(question);
  const bool copies = question.layout.data.value != Rational(1);
  const std::string on_device = copies ? "⌈concurrency ÷ dp⌉" : "concurrency";
  std::vector<FigureId> device_inputs{workload.concurrency.figure};
  if (copies) device_inputs.push_back(question.layout.data.figure);
  Parts whole;
  Parts device;
  Parts device_total;
  std::vector<BytesFigure> states;
  for (std::size_t i = 0; i < question.classes.size(); ++i) {
    const CacheClass& layers = question.classes[i];
    const bool state = layers.kind == CacheKind::recurrent;
    const bool tokens = keeps_tokens(layers.kind);
    Slots rank = slots[i];
    if (tokens && question.layout.context.value != Rational(1)) {
      rank.entries = (rank.entries / question.layout.context.value).ceil();
      rank.formula = "⌈(" + rank.formula + ") ÷ cp⌉";
      rank.inputs.push_back(question.layout.context.figure);
    }
    const auto one = of_layers(graph, "one sequence", layers, tokens ? layers.entry : layers.fixed,
                               layers.layers.value, layers.layers.figure, slots[i].entries,
                               "entries", &slots[i]);
    const auto here = of_layers(graph, "one sequence on one device", layers,
                                tokens ? layers.entry_on_rank : layers.fixed_on_rank,
                                graph.value(layers.layers_on_stage), layers.layers_on_stage.id(),
                                rank.entries, "entries", &rank);
    if (state) {
      states.push_back(here);
      continue;
    }
    whole.all.push_back(one);
    device.all.push_back(here);
    const auto all_here = times_sequences(graph, layers.name + ", all sequences on one device",
                                          here, sequences, on_device, device_inputs);
    device_total.kinds.emplace_back(layers.kind, all_here);
  }
  allocation.kv_per_sequence = graph.sum("KV cache per sequence", whole.all);
  allocation.kv_per_sequence_per_device =
      graph.sum("KV cache per sequence on one device", device.all);
  allocation.kv_total =
      times_sequences(graph, "KV cache in all", *allocation.kv_per_sequence,
                      workload.concurrency.value, "concurrency", {workload.concurrency.figure});
  allocation.kv_total_per_device =
      times_sequences(graph, "KV cache on one device", *allocation.kv_per_sequence_per_device,
                      sequences, on_device, device_inputs);
  add_kinds(graph, device_total, allocation);
  if (states.empty()) return;
  const auto one_state = graph.sum("state per sequence on one device", states);
  allocation.state_total_per_device =
      times_sequences(graph, "state on one device", one_state, sequences, on_device, device_inputs);
  allocation.state_total =
      times_sequences(graph, "state in all", *allocation.state_per_sequence,
                      workload.concurrency.value, "concurrency", {workload.concurrency.figure});
}

base::Diagnostic unsupported(std::string what, std::string source) {
  return {.code = base::Code::unknown_figure,
          .message = std::move(what),
          .span = {},
          .hint = "source: " + std::move(source),
          .notes = {}};
}

base::Result<void> check_format(const Question& question, const std::vector<std::string_view>& kept,
                                std::string_view engine, std::string_view source) {
  if (std::find(kept.begin(), kept.end(), question.format) != kept.end()) return {};
  std::string names;
  for (const std::string_view name : kept)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return unsupported(std::string(engine) + " keeps no KV cache in " + std::string(question.format) +
                         "; it does in " + names,
                     std::string(engine) + ", " + std::string(source));
}

}  // namespace ullage::engine
