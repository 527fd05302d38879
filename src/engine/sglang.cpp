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
  return block_or(graph, question.workload, "page size", 1,
                  "1 token, the default of --page-size; --block-size N sets another, as some "
                  "attention backends do");
}

bool windowed(const CacheClass& layers) {
  return layers.kind == CacheKind::window;
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
    cell.bytes += bytes_on_device(graph, layers, entries_per_token(layers));
    if (layers.kind != CacheKind::index) cell.layers += graph.value(layers.layers_on_stage);
  }
  return cell;
}

// Of the memory states get r ÷ (1 + r); windowed layers hold this share of the tokens of full ones.
Rational state_ratio() {
  return Rational(9) / Rational(10);
}
Rational window_ratio() {
  return Rational(8) / Rational(10);
}

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
      graph.assumed<Count>("ratio of states to tokens", state_ratio(),
                           "0.9, the default of --mamba-full-memory-ratio (pull request 15337)");
  const Rational share = graph.value(ratio) / (Rational(1) + graph.value(ratio));
  states = (graph.value(memory) * share / state).floor();
  return graph.derived<Bytes>("memory for tokens", "memory − memory × ratio ÷ (1 + ratio)",
                              std::string(kMixin), {memory.id(), ratio.id()},
                              graph.value(memory) * (Rational(1) - share));
}

// The memory whose tokens and states hold every sequence: the rules of the supply backwards.
void add_least(Graph& graph, const Question& question, const Extent& page, Allocation& allocation) {
  const Cell full = cell_of(graph, question, false);
  const Cell window = cell_of(graph, question, true);
  const Rational sequences = sequences_of_copy(question);
  const Rational tokens =
      sequences * (question.workload.context->value / page.value).ceil() * page.value;
  Rational bytes = tokens * (full.bytes + window.bytes);
  if (!window.bytes.is_zero() && !full.bytes.is_zero()) {
    const Rational over_all =
        tokens * (full.layers + window_ratio() * window.layers) / (full.layers + window.layers);
    bytes = over_all.ceil() * (full.bytes + window.bytes);
  }
  std::string formula = "tokens of all sequences in whole pages × bytes of a token";
  if (allocation.state_total_per_device) {
    const Rational states = graph.value(*allocation.state_total_per_device);
    bytes = max(bytes * (Rational(1) + state_ratio()),
                states * (Rational(1) + state_ratio()) / state_ratio());
    formula = "max(tokens × bytes × (1 + ratio), states × (1 + ratio) ÷ ratio)";
  }
  set_least_memory(graph, question, std::move(formula), std::string(kMixin), bytes, allocation);
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
    const auto ratio = graph.assumed<Count>("tokens of windows to all", window_ratio(),
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
  memory::CacheRules rules = whole_heads(
      "SGLang, python/sglang/srt/configs/model_config.py, get_num_kv_heads: "
      "max(1, total ÷ tensor parallel)");
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
    add_need(graph, question, block_slots(question, page, windowed, kMixin), allocation);
    add_least(graph, question, page, allocation);
  }
  if (question.workload.kv_memory) add_supply(graph, question, page, allocation);
  return allocation;
}

}  // namespace ullage::engine
