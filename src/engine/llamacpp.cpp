// llama.cpp: every cell of the context is allocated at the start. Windowed layers have a cache of
// their own (src/llama-kv-cache-iswa.cpp, read at 02c28f53); states are F32
// (src/llama-memory-recurrent.cpp). Layers are dealt out whole, so that a device holds the cache of
// its layers.
#include "engine/llamacpp.hpp"

#include "engine/demand.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::Extent;
using provenance::FigureId;
using provenance::Graph;
using units::Count;
using units::Tokens;

constexpr std::string_view kCells =
    "llama.cpp, src/llama-context.cpp and src/llama-kv-cache.cpp: cells padded to 256";
constexpr std::string_view kWindowCells =
    "llama.cpp, src/llama-kv-cache-iswa.cpp: pad(min(n_ctx, window + n_ubatch), 256)";
constexpr std::int64_t kPadding = 256;

Rational padded(const Rational& cells) {
  return (cells / Rational(kPadding)).ceil() * Rational(kPadding);
}

// Caches for windows came with build 5432 (pull request 13194), a stream for each sequence with
// build 5913 (pull request 14363).
bool window_caches(const Question& question) {
  return since(question.version, 5432, 0) && !question.workload.swa_full;
}
bool one_stream(const Question& question) {
  return !since(question.version, 5913, 0);
}

bool windowed(const CacheClass& layers) {
  return layers.kind == model::CacheKind::window || layers.kind == model::CacheKind::chunked;
}

// Cells of one layer for `sequences` sequences of `length`.
Rational cells(const Question& question, const CacheClass& layers, const Extent& ubatch,
               const Rational& length, const Rational& sequences) {
  const bool unified = one_stream(question);
  const Rational context = padded(unified ? length * sequences : length);
  const Rational streams = unified ? Rational(1) : sequences;
  if (!windowed(layers) || !window_caches(question)) return streams * context;
  const Rational held = layers.window->value * (unified ? sequences : Rational(1));
  return streams * padded(min(context, held + ubatch.value));
}

Extent ubatch_of(Graph& graph, const Workload& workload) {
  if (workload.ubatch) return *workload.ubatch;
  return {"ubatch", 512,
          graph
              .assumed<Tokens>("ubatch", 512,
                               "512, the default of llama.cpp (--ubatch-size); --ubatch N sets "
                               "another")
              .id()};
}

std::vector<Slots> slots_of(const Question& question, const Extent& ubatch) {
  const Extent& context = *question.workload.context;
  const Rational sequences = sequences_of_copy(question);
  std::vector<Slots> slots;
  for (const CacheClass& layers : question.classes) {
    if (!keeps_tokens(layers.kind)) {
      slots.push_back({Rational(1), "1 sequence", "", {}});
      continue;
    }
    Slots slot{cells(question, layers, ubatch, context.value, sequences) / sequences,
               "⌈" + context.name + " ÷ 256⌉ × 256 cells",
               std::string(kCells),
               {context.figure}};
    if (windowed(layers) && window_caches(question)) {
      slot.formula = "⌈min(" + context.name + ", " + layers.window->name + " + " + ubatch.name +
                     ") ÷ 256⌉ × 256 cells";
      slot.citation = kWindowCells;
      slot.inputs.push_back(layers.window->figure);
      slot.inputs.push_back(ubatch.figure);
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

Rational need(const Graph& graph, const Question& question, const Extent& ubatch,
              const Rational& length) {
  Rational total;
  for (const CacheClass& layers : question.classes) {
    total +=
        keeps_tokens(layers.kind)
            ? bytes_on_device(graph, layers, cells(question, layers, ubatch, length, Rational(1)))
            : fixed_on_device(graph, layers);
  }
  return total;
}

void add_supply(Graph& graph, const Question& question, const Extent& ubatch,
                Allocation& allocation) {
  const BytesFigure memory = *question.workload.kv_memory;
  std::vector<FigureId> inputs{memory.id(), ubatch.figure};
  const auto classes = basis(question);
  inputs.insert(inputs.end(), classes.begin(), classes.end());
  const auto longest = largest_length([&](const Rational& length) {
    return need(graph, question, ubatch, length) <= graph.value(memory);
  });
  if (longest) {
    allocation.max_context =
        graph.derived<Tokens>("longest sequence", "the largest context whose cells fit",
                              std::string(kCells), inputs, *longest);
    allocation.max_tokens = allocation.max_context;
  }
  if (!question.workload.context) return;
  const Rational one = need(graph, question, ubatch, question.workload.context->value);
  if (one.is_zero()) return;
  inputs.push_back(question.workload.context->figure);
  allocation.max_concurrency =
      graph.derived<Count>("sequences held at once", "memory ÷ cells of one sequence",
                           std::string(kCells), std::move(inputs), graph.value(memory) / one);
}

}  // namespace

std::optional<Utilization> llamacpp_utilization(const Version&) {
  return std::nullopt;
}

memory::CacheRules llamacpp_cache_rules(const Version&, std::optional<bool> expanded) {
  memory::CacheRules rules;
  rules.honours_stated_cache = false;  // --cache-type-k and -v say it, GGUF files do not
  rules.state_format = "fp32";
  rules.state_citation = "llama.cpp, src/llama-model.cpp: recurrent states are GGML_TYPE_F32";
  rules.expanded_latent = expanded.value_or(false);
  rules.expanded_citation =
      "llama.cpp: keys and values of every head, as models converted "
      "without absorbed projections keep them";
  return rules;
}

base::Result<Allocation> allocate_llamacpp(Graph& graph, const Question& question) {
  if (question.layout.tensor.value != Rational(1)) {
    return unsupported(
        "llama.cpp divides models by whole layers: its cache has no tensor-parallel "
        "ranks (--pp N or --layer-split N,N,… says how many layers a device holds)",
        "llama.cpp, docs of --split-mode: layer splits layers and KV across GPUs");
  }
  ULLAGE_CHECK(check_format(
      question, {"fp32", "fp16", "bf16", "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "iq4_nl"},
      "llama.cpp", "common/arg.cpp, kv_cache_types"));
  const Extent ubatch = ubatch_of(graph, question.workload);
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (question.workload.context) {
    add_need(graph, question, slots_of(question, ubatch), allocation);
    add_least_memory(graph, allocation);
  }
  if (question.workload.kv_memory) add_supply(graph, question, ubatch, allocation);
  return allocation;
}

}  // namespace ullage::engine
