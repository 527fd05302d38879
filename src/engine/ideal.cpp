// No engine: what arithmetic needs, without blocks, padding or reserved pages.
#include "engine/ideal.hpp"

#include <algorithm>

#include "engine/demand.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::CacheKind;
using provenance::Graph;
using units::Count;
using units::Tokens;

// Entries of one sequence: its tokens, or those that a window keeps.
Slots slots_of(const CacheClass& layers, const model::Extent& context, bool whole) {
  if (!keeps_tokens(layers.kind)) return {Rational(1), "1 sequence", "", {}};
  Slots slots{context.value, context.name, "", {context.figure}};
  if (!whole && layers.window) {
    slots.entries = held_tokens(layers, context.value);
    slots.formula = "min(" + context.name + ", " + layers.window->name + ")";
    slots.inputs.push_back(layers.window->figure);
  }
  if (layers.compress) {
    slots.entries = entries_of(layers, slots.entries);
    slots.formula = "⌈" + slots.formula + " ÷ " + layers.compress->name + "⌉";
    slots.inputs.push_back(layers.compress->figure);
  }
  return slots;
}

// Bytes on one device for a sequence of `length`, its state included.
Rational need(const Graph& graph, const Question& question, const Rational& length) {
  Rational total;
  for (const CacheClass& layers : question.classes) {
    if (!keeps_tokens(layers.kind)) {
      total += fixed_on_device(graph, layers);
      continue;
    }
    const Rational held = question.workload.swa_full ? length : held_tokens(layers, length);
    total +=
        bytes_on_device(graph, layers, entries_of(layers, held) / question.layout.context.value);
  }
  return total;
}

void add_supply(Graph& graph, const Question& question, Allocation& allocation) {
  const BytesFigure memory = *question.workload.kv_memory;
  const Rational& available = graph.value(memory);
  std::vector<provenance::FigureId> inputs{memory.id()};
  const auto rest = basis(question);
  inputs.insert(inputs.end(), rest.begin(), rest.end());
  const auto longest = largest_length(
      [&](const Rational& length) { return need(graph, question, length) <= available; });
  if (longest) {
    allocation.max_context = graph.derived<Tokens>(
        "longest sequence", "the largest length whose cache and state fit", "", inputs, *longest);
  } else {
    allocation.notes.push_back({"context-unlimited", base::Severity::note,
                                "nothing that the model keeps grows with the length: memory sets "
                                "no limit on the context"});
  }
  const bool plain =
      !graph.value(*allocation.kv_per_token_per_device).is_zero() &&
      std::all_of(question.classes.begin(), question.classes.end(), [](const CacheClass& layers) {
        return keeps_tokens(layers.kind) && !layers.window;
      });
  if (question.workload.context) {
    const Rational one = need(graph, question, question.workload.context->value);
    if (!one.is_zero()) {
      inputs.push_back(question.workload.context->figure);
      allocation.max_concurrency = graph.derived<Count>(
          "sequences held at once", "memory ÷ need of one sequence", "", inputs, available / one);
    }
  }
  if (plain) {
    allocation.max_tokens = graph.derived<Tokens>(
        "tokens held", "⌊memory ÷ bytes per token⌋", "",
        {memory.id(), allocation.kv_per_token_per_device->id()},
        (available / graph.value(*allocation.kv_per_token_per_device)).floor());
  } else if (allocation.max_concurrency) {
    allocation.max_tokens = graph.derived<Tokens>(
        "tokens held", "⌊sequences held at once × context⌋", "",
        {allocation.max_concurrency->id(), question.workload.context->figure},
        (graph.value(*allocation.max_concurrency) * question.workload.context->value).floor());
  } else if (allocation.max_context) {
    allocation.max_tokens = allocation.max_context;
  }
}

}  // namespace

memory::CacheRules ideal_cache_rules(const Version&, std::optional<bool> expanded) {
  return {.expanded_latent = expanded.value_or(false)};
}

namespace {

// One sequence at the context in each class of which `counts` holds: every token, or those that
// windows leave.
template <class Counts>
std::vector<BytesFigure> of_sequence(Graph& graph, const Question& question, bool whole,
                                     const Counts& counts) {
  std::vector<BytesFigure> parts;
  for (const CacheClass& layers : question.classes) {
    if (!counts(layers)) continue;
    const bool tokens = keeps_tokens(layers.kind);
    const Slots slots = slots_of(layers, *question.workload.context, whole);
    std::vector<provenance::FigureId> inputs{tokens ? layers.entry.id() : layers.fixed.id(),
                                             layers.layers.figure};
    inputs.insert(inputs.end(), slots.inputs.begin(), slots.inputs.end());
    parts.push_back(graph.derived<units::Bytes>(
        layers.name + (whole ? ", every token kept" : ", window-limited"),
        "bytes of one layer × layers × " + slots.formula, "", std::move(inputs),
        graph.value(tokens ? layers.entry : layers.fixed) * layers.layers.value * slots.entries));
  }
  return parts;
}

}  // namespace

void add_window_figures(Graph& graph, const Question& question, Allocation& allocation) {
  const auto cached = [](const CacheClass& layers) { return layers.kind != CacheKind::recurrent; };
  const bool windows = std::any_of(
      question.classes.begin(), question.classes.end(),
      [&](const CacheClass& layers) { return cached(layers) && layers.window.has_value(); });
  if (!question.workload.context || !windows) return;
  allocation.kv_floor_per_sequence = graph.sum("KV cache per sequence, window-limited",
                                               of_sequence(graph, question, false, cached));
  allocation.kv_full_per_sequence = graph.sum("KV cache per sequence, every layer full",
                                              of_sequence(graph, question, true, cached));
}

std::optional<BytesFigure> handover(Graph& graph, const Question& question) {
  if (!question.workload.context) return std::nullopt;
  return graph.sum("handed over per request",
                   of_sequence(graph, question, false, [](const CacheClass&) { return true; }));
}

base::Result<Allocation> allocate_ideal(Graph& graph, const Question& question) {
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (question.workload.context) {
    std::vector<Slots> slots;
    for (const CacheClass& layers : question.classes)
      slots.push_back(slots_of(layers, *question.workload.context, question.workload.swa_full));
    add_need(graph, question, slots, allocation);
    add_least_memory(graph, allocation);
  }
  if (question.workload.kv_memory) add_supply(graph, question, allocation);
  return allocation;
}

}  // namespace ullage::engine
