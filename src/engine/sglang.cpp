// SGLang: slots of tokens in pages, a page more than it gives out; windowed layers and recurrent
// states have pools of their own (python/sglang/srt/model_executor/
// model_runner_kv_cache_mixin.py).
#include "engine/sglang.hpp"

#include <algorithm>

#include "engine/demand.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::CacheKind;
using model::Extent;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;
using units::Count;
using units::Tokens;

constexpr std::string_view kMixin =
    "SGLang, python/sglang/srt/model_executor/model_runner_kv_cache_mixin.py";

Extent page_of(Graph& graph, const Question& question) {
  if (question.workload.block_size) return *question.workload.block_size;
  return {"page size", 1,
          graph
              .assumed<Tokens>("page size", 1,
                               "1 token, the default of --page-size; --block-size N sets another, "
                               "as some attention backends do")
              .id()};
}

bool windowed(const CacheClass& layers) {
  return layers.kind == CacheKind::window;
}

std::vector<Slots> slots_of(const Question& question, const Extent& page) {
  const Extent& context = *question.workload.context;
  std::vector<Slots> slots;
  for (const CacheClass& layers : question.classes) {
    if (!keeps_tokens(layers.kind)) {
      slots.push_back({Rational(1), "1 sequence", "", {}});
      continue;
    }
    const Rational held = windowed(layers) && !question.workload.swa_full
                              ? held_tokens(layers, context.value)
                              : context.value;
    Slots slot{entries_of(layers, (held / page.value).ceil() * page.value),
               "whole pages of " + page.name,
               std::string(kMixin),
               {context.figure, page.figure}};
    if (layers.window) slot.inputs.push_back(layers.window->figure);
    slots.push_back(std::move(slot));
  }
  return slots;
}

// Bytes of one token in the layers of a pool, and those layers.
struct Cell {
  Rational bytes;
  Rational layers;
};

Cell cell_of(const Graph& graph, const Question& question, bool windows) {
  Cell cell;
  for (const CacheClass& layers : question.classes) {
    if (!keeps_tokens(layers.kind)) continue;
    const bool in_window_pool = windowed(layers) && !question.workload.swa_full;
    if (in_window_pool != windows) continue;
    const Rational share = layers.compress ? Rational(1) / layers.compress->value : Rational(1);
    cell.bytes += bytes_on_device(graph, layers, share);
    if (layers.kind != CacheKind::index) cell.layers += graph.value(layers.layers_on_stage);
  }
  return cell;
}

// The share of the memory that states get: memory × r ÷ (1 + r), r = 0.9.
BytesFigure token_memory(Graph& graph, const Question& question, std::vector<FigureId>& inputs,
                         std::optional<Rational>& states) {
  const BytesFigure memory = *question.workload.kv_memory;
  Rational state;
  for (const CacheClass& layers : question.classes) {
    if (layers.kind == CacheKind::recurrent) state += fixed_on_device(graph, layers);
  }
  inputs.push_back(memory.id());
  if (state.is_zero()) return memory;
  const auto ratio =
      graph.assumed<Count>("ratio of states to tokens", Rational(9) / Rational(10),
                           "0.9, the default of --mamba-full-memory-ratio (pull request 15337)");
  const Rational share = graph.value(ratio) / (Rational(1) + graph.value(ratio));
  states = (graph.value(memory) * share / state).floor();
  return graph.derived<Bytes>("memory for tokens", "memory − memory × ratio ÷ (1 + ratio)",
                              std::string(kMixin), {memory.id(), ratio.id()},
                              graph.value(memory) * (Rational(1) - share));
}

void add_supply(Graph& graph, const Question& question, const Extent& page,
                Allocation& allocation) {
  std::vector<FigureId> inputs;
  std::optional<Rational> states;
  const BytesFigure memory = token_memory(graph, question, inputs, states);
  const Cell full = cell_of(graph, question, false);
  const Cell window = cell_of(graph, question, true);
  const auto classes = basis(question);
  inputs.push_back(memory.id());
  inputs.push_back(page.figure);
  inputs.insert(inputs.end(), classes.begin(), classes.end());
  const Rational bytes = full.bytes + window.bytes;
  if (bytes.is_zero()) return;
  Rational tokens = (graph.value(memory) / bytes).floor();
  Rational window_tokens;
  std::string formula = "⌊memory ÷ bytes of a token⌋, in whole pages";
  if (!window.bytes.is_zero() && !full.bytes.is_zero()) {
    const auto ratio = graph.assumed<Count>("tokens of windows to all", Rational(8) / Rational(10),
                                            "0.8, the default of --swa-full-tokens-ratio");
    inputs.push_back(ratio.id());
    // Tokens over all layers, dealt out so that windows get `ratio` of what full layers do.
    const Rational& share = graph.value(ratio);
    tokens =
        (tokens * (full.layers + window.layers) / (full.layers + share * window.layers)).floor();
    window_tokens = ((tokens * share).floor() / page.value).floor() * page.value;
    formula =
        "⌊⌊memory ÷ bytes of a token⌋ × layers ÷ (full layers + ratio × windowed layers)⌋, "
        "in whole pages";
  }
  tokens = (tokens / page.value).floor() * page.value;
  allocation.block_tokens =
      graph.derived<Tokens>("tokens of a page", page.name, "", {page.figure}, page.value);
  allocation.blocks =
      graph.derived<Count>("pages", formula, std::string(kMixin), inputs, tokens / page.value);
  allocation.max_tokens =
      graph.derived<Tokens>("tokens held", formula, std::string(kMixin), inputs, tokens);
  allocation.max_context = allocation.max_tokens;
  const bool windows = !window_tokens.is_zero();
  allocation.pool_bytes = graph.derived<Bytes>(
      "bytes of the pool", "(tokens + one page) × bytes of a token",
      "SGLang, python/sglang/srt/mem_cache/memory_pool.py: buffers of size + page_size", inputs,
      (tokens + page.value) * full.bytes +
          (windows ? (window_tokens + page.value) * window.bytes
                   : (full.bytes.is_zero() ? Rational(1) : Rational(0)) * (tokens + page.value) *
                         window.bytes));
  if (!question.workload.context) return;
  inputs.push_back(question.workload.context->figure);
  const Rational one = (question.workload.context->value / page.value).ceil() * page.value;
  Rational sequences = tokens / one;
  if (states) sequences = min(sequences, *states);
  allocation.max_concurrency = graph.derived<Count>(
      "sequences held at once",
      states ? "min(tokens ÷ tokens of a sequence, states)" : "tokens ÷ tokens of a sequence",
      std::string(kMixin), std::move(inputs), sequences);
}

}  // namespace

std::optional<Utilization> sglang_utilization(const Version&) {
  return Utilization{Rational(9) / Rational(10),
                     "0.9, since the default of --mem-fraction-static depends on the device and "
                     "the layout; --utilization R sets another"};
}

memory::CacheRules sglang_cache_rules(const Version&, std::optional<bool> expanded) {
  memory::CacheRules rules;
  rules.heads = memory::HeadRule::rounded_down;
  rules.heads_citation =
      "SGLang, python/sglang/srt/configs/model_config.py, get_num_kv_heads: "
      "max(1, total ÷ tensor parallel)";
  rules.unstated_state_format = "fp32";
  rules.expanded_latent = expanded.value_or(false);
  return rules;
}

base::Result<Allocation> allocate_sglang(Graph& graph, const Question& question) {
  ULLAGE_CHECK(check_format(question,
                            {"fp32", "fp16", "bf16", "fp8", "fp8-ds-mla", "mxfp4", "nvfp4"},
                            "SGLang", "python/sglang/srt/server_args.py, --kv-cache-dtype"));
  const Extent page = page_of(graph, question);
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (question.workload.context) {
    add_need(graph, question, slots_of(question, page), allocation);
  }
  if (question.workload.kv_memory) add_supply(graph, question, page, allocation);
  return allocation;
}

}  // namespace ullage::engine
