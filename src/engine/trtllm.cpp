// TensorRT-LLM: blocks of tokens, their number rounded up (cpp/tensorrt_llm/batch_manager/
// kvCacheManager.cpp); the cache takes a fraction of the memory that is free after the weights
// (docs/source/reference/memory.md).
#include "engine/trtllm.hpp"

#include <algorithm>

#include "engine/demand.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::Extent;
using provenance::Graph;
using units::Bytes;
using units::Count;
using units::Tokens;

constexpr std::string_view kManager =
    "TensorRT-LLM, cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp";

Extent block_of(Graph& graph, const Question& question) {
  const std::int64_t tokens = since(question.version, 1, 0) ? 32 : 64;
  return block_or(graph, question.workload, "block size", tokens,
                  std::to_string(tokens) +
                      " tokens, the default of tokens_per_block; --block-size N sets another");
}

Rational bytes_of_token(const Graph& graph, const Question& question) {
  Rational token;
  for (const CacheClass& layers : question.classes) {
    if (keeps_tokens(layers.kind))
      token += bytes_on_device(graph, layers, entries_per_token(layers));
  }
  return token;
}

// Sequences × their blocks, the last of which is there as soon as one of its tokens is.
void add_least(Graph& graph, const Question& question, const Extent& block,
               Allocation& allocation) {
  const Rational token = bytes_of_token(graph, question);
  const auto& states = allocation.state_total_per_device;
  if (token.is_zero()) return add_least_memory(graph, allocation);
  const Rational blocks =
      sequences_of_copy(question) * (question.workload.context->value / block.value).ceil();
  const Rational tokens = max(Rational(0), (blocks - Rational(1)) * block.value + Rational(1));
  set_least_memory(graph, question,
                   "((sequences × ⌈context ÷ block size⌉ − 1) × block size + 1) × bytes of a token "
                   "+ states",
                   std::string(kManager),
                   tokens * token + (states ? graph.value(*states) : Rational(0)), allocation);
}

void add_supply(Graph& graph, const Question& question, const Extent& block,
                Allocation& allocation) {
  const BytesFigure memory = *question.workload.kv_memory;
  const Rational token = bytes_of_token(graph, question);
  const bool windows =
      std::any_of(question.classes.begin(), question.classes.end(),
                  [](const CacheClass& layers) { return layers.window.has_value(); });
  if (token.is_zero()) return;
  if (windows) {
    allocation.notes.push_back({"windows-priced-full", base::Severity::note,
                                "blocks are counted as if windowed layers kept every token, which "
                                "is what they do unless max_attention_window is set"});
  }
  if (allocation.state_total_per_device) {
    allocation.notes.push_back({"states-beside-blocks", base::Severity::note,
                                "recurrent states are held beside the blocks: the tokens counted "
                                "here leave no room for them"});
  }
  const auto classes = basis(question);
  allocation.block_bytes = graph.derived<Bytes>(
      "bytes of a block", "block size × Σ layers × bytes of a token on one rank",
      std::string(kManager), classes, token * block.value);
  const Rational held = (graph.value(memory) / token).floor();
  const Rational blocks = (held / block.value).ceil();
  allocation.blocks = graph.derived<Count>(
      "blocks", "⌈⌊memory ÷ bytes of a token⌋ ÷ block size⌉",
      std::string(kManager) + ", calculateMaxNumBlocks; the rounding fits a printed count",
      {memory.id(), allocation.block_bytes->id(), block.figure}, blocks);
  allocation.max_tokens =
      graph.derived<Tokens>("tokens held", "blocks × block size", std::string(kManager),
                            {allocation.blocks->id(), block.figure}, blocks * block.value);
  allocation.max_context = allocation.max_tokens;
  allocation.pool_bytes = graph.derived<Bytes>(
      "bytes of the pool", "blocks × bytes of a block", "",
      {allocation.blocks->id(), allocation.block_bytes->id()}, blocks * token * block.value);
  if (!question.workload.context) return;
  const Extent& context = *question.workload.context;
  allocation.max_concurrency = graph.derived<Count>(
      "sequences held at once", "blocks ÷ blocks of a sequence", std::string(kManager),
      {allocation.blocks->id(), context.figure, block.figure},
      blocks / (context.value / block.value).ceil());
}

}  // namespace

std::optional<Utilization> trtllm_utilization(const Version&) {
  return Utilization{
      .share = Rational(9) / Rational(10),
      .citation =
          "0.9 of what is free after loading, the default of free_gpu_memory_fraction "
          "(kDefaultGpuMemFraction in kvCacheManager); --utilization R sets another",
      .of_free = true};
}

memory::CacheRules trtllm_cache_rules(const Version&, std::optional<bool> expanded) {
  memory::CacheRules rules;
  rules.heads_citation =
      "TensorRT-LLM, cpp/tensorrt_llm/runtime/modelConfig.h: "
      "(KV heads + tensor parallel − 1) ÷ tensor parallel";
  rules.expanded_latent = expanded.value_or(false);
  return rules;
}

base::Result<Allocation> allocate_trtllm(Graph& graph, const Question& question) {
  ULLAGE_CHECK(check_format(question,
                            {"fp32", "fp16", "bf16", "fp8", "fp8-ds-mla", "int8", "nvfp4"},
                            "TensorRT-LLM", "docs/source/features/quantization.md, KV cache"));
  const Extent block = block_of(graph, question);
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (question.workload.context) {
    add_need(graph, question, block_slots(question, block, bounded, kManager), allocation);
    add_least(graph, question, block, allocation);
  }
  allocation.block_tokens =
      graph.derived<Tokens>("tokens of a block", block.name, "", {block.figure}, block.value);
  if (question.workload.kv_memory) add_supply(graph, question, block, allocation);
  return allocation;
}

}  // namespace ullage::engine
