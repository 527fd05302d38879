// vLLM. V0 (before 0.8) prices every layer as full attention. V1 divides layers into groups over
// one pool (vllm_groups.cpp). Read: vllm/v1/core/kv_cache_utils.py and
// vllm/v1/kv_cache_interface.py at commit 001cabc1be16; what changed when is cited at each rule.
#include "engine/vllm.hpp"

#include <algorithm>

#include "engine/binary64.hpp"
#include "engine/vllm_groups.hpp"

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

constexpr std::string_view kUtils = "vLLM, vllm/v1/core/kv_cache_utils.py";
constexpr std::string_view kV0Worker =
    "vLLM, vllm/worker/worker.py, determine_num_available_blocks";

bool is_v1(const Version& version) {
  return since(version, 0, 8);
}

Extent default_tokens(Graph& graph, const std::string& name, std::int64_t value, std::string why) {
  return {name, value, graph.assumed<Tokens>(name, value, std::move(why)).id()};
}

Extent block_of(Graph& graph, const Workload& workload) {
  return block_or(graph, workload, "block size", 16,
                  "16 tokens, the engine's default on GPUs; --block-size N sets another, as some "
                  "attention backends do");
}

// --- V0 ---------------------------------------------------------------------------------------

void v0_supply(Graph& graph, const Question& question, const Extent& block,
               Allocation& allocation) {
  std::vector<FigureId> inputs{block.figure};
  const auto classes = basis(question);
  inputs.insert(inputs.end(), classes.begin(), classes.end());
  Rational bytes;
  for (const CacheClass& layers : question.classes) {
    if (keeps_tokens(layers.kind)) bytes += bytes_on_device(graph, layers, block.value);
  }
  allocation.block_tokens =
      graph.derived<Tokens>("tokens of a block", block.name, "", {block.figure}, block.value);
  allocation.block_bytes = graph.derived<Bytes>(
      "bytes of a block", "block size × Σ layers × bytes of a token on one rank",
      "vLLM, vllm/worker/cache_engine.py, get_cache_block_size", inputs, bytes);
  if (!question.workload.kv_memory || bytes.is_zero()) return;
  const BytesFigure memory = *question.workload.kv_memory;
  const Rational blocks = (graph.value(memory) / bytes).floor();
  allocation.blocks =
      graph.derived<Count>("blocks", "⌊memory ÷ bytes of a block⌋", std::string(kV0Worker),
                           {memory.id(), allocation.block_bytes->id()}, blocks);
  allocation.max_tokens =
      graph.derived<Tokens>("tokens held", "blocks × block size", std::string(kV0Worker),
                            {allocation.blocks->id(), block.figure}, blocks * block.value);
  allocation.max_context = allocation.max_tokens;
  allocation.pool_bytes =
      graph.derived<Bytes>("bytes of the pool", "blocks × bytes of a block", "",
                           {allocation.blocks->id(), allocation.block_bytes->id()}, blocks * bytes);
  if (!question.workload.context) return;
  allocation.max_concurrency = graph.derived<Count>(
      "sequences held at once", "tokens held ÷ context", std::string(kV0Worker),
      {allocation.max_tokens->id(), question.workload.context->figure},
      blocks * block.value / question.workload.context->value);
}

base::Result<Allocation> allocate_v0(Graph& graph, const Question& question) {
  const Extent block = block_of(graph, question.workload);
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (question.workload.context) {
    add_need(graph, question,
             block_slots(question, block, unbounded, "vLLM, vllm/core/block_manager.py"),
             allocation);
    add_least_memory(graph, allocation);
  }
  v0_supply(graph, question, block, allocation);
  return allocation;
}

// --- V1 ---------------------------------------------------------------------------------------

// Windows have groups of their own since 0.9.1 (pull request 17996); chunked attention is priced as
// full attention, since the manager is off for it unless an environment variable asks otherwise
// (vllm/config: VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE).
bool groups_windows(const Question& question) {
  const bool chunked =
      std::any_of(question.classes.begin(), question.classes.end(),
                  [](const CacheClass& layers) { return layers.kind == CacheKind::chunked; });
  return since(question.version, 0, 9, 1) && !chunked && !question.workload.swa_full;
}

bool has_kind(const Question& question, CacheKind kind) {
  return std::any_of(question.classes.begin(), question.classes.end(),
                     [&](const CacheClass& layers) { return layers.kind == kind; });
}

VllmSettings settings_of(Graph& graph, const Question& question) {
  const Workload& workload = question.workload;
  VllmSettings settings{
      .block = block_of(graph, workload),
      .block_given = workload.block_size.has_value(),
      .batched = workload.batched_tokens
                     ? *workload.batched_tokens
                     : default_tokens(graph, "batched tokens", 2048,
                                      "2,048, the engine's default for a server on most GPUs; "
                                      "--batched-tokens N sets another"),
      .mode = CacheMode::none,
      .speculative_blocks = workload.speculative ? workload.speculative->value : Rational(0),
      .hybrid = groups_windows(question)};
  if (workload.cache_mode) {
    settings.mode = *workload.cache_mode;
  } else if (workload.prefix_caching.value_or(false)) {
    settings.mode = CacheMode::align;
  }
  return settings;
}

// Blocks of one sequence, over all groups.
Rational blocks_of_sequence(const Pool& pool, const VllmSettings& settings, const Rational& length,
                            const Rational& context_ranks) {
  if (pool.uniform) {
    // One block holds its tokens in every layer: the kind that needs most decides.
    Rational most;
    for (const PagedLayers& layers : pool.paged)
      most = max(most, vllm_blocks(layers, settings, length, context_ranks));
    return most;
  }
  Rational total;
  for (std::size_t i = 0; i < pool.paged.size(); ++i)
    total += pool.groups[i] * vllm_blocks(pool.paged[i], settings, length, context_ranks);
  return total;
}

// Between 0.14 and 0.16 the memory of one rank had to hold every stage's layers (pull request 29431
// brought it, 33698 mended it).
bool checks_whole_model(const Question& question) {
  return since(question.version, 0, 14) && !since(question.version, 0, 16) &&
         question.layout.pipeline.value != Rational(1);
}

// Bytes that a sequence must find before the engine starts. Padding counts since 0.14.
Rational startup_need(const Question& question, const Pool& pool, const VllmSettings& settings,
                      const Rational& length) {
  const Rational& ranks = question.layout.context.value;
  const bool whole = checks_whole_model(question);
  if (since(question.version, 0, 14) && !pool.uniform) {
    return blocks_of_sequence(pool, settings, length, ranks) *
           (whole ? pool.block_bytes_of_model : pool.block_bytes);
  }
  Rational total;
  for (const PagedLayers& layers : pool.paged) {
    total += vllm_blocks(layers, settings, length, ranks) * layers.page *
             (whole ? layers.layers : layers.layers_on_stage);
  }
  return total;
}

// Whole blocks of every sequence, and what the check at the start asks for one of them.
void add_least(Graph& graph, const Question& question, const Pool& pool,
               const VllmSettings& settings, Allocation& allocation) {
  const Rational& context = question.workload.context->value;
  const Rational one = blocks_of_sequence(pool, settings, context, question.layout.context.value);
  const Rational blocks = one * sequences_of_copy(question);
  set_least_memory(graph, question, "sequences × " + one.to_string() + " blocks × bytes of a block",
                   std::string(kUtils) + ", get_max_concurrency_for_kv_cache_config",
                   max(blocks * pool.block_bytes, startup_need(question, pool, settings, context)),
                   allocation);
}

// What one sequence takes in each class.
std::vector<Slots> v1_slots(const Question& question, const Pool& pool,
                            const VllmSettings& settings) {
  const Extent& context = *question.workload.context;
  const Rational& ranks = question.layout.context.value;
  std::vector<Slots> slots(question.classes.size());
  for (const PagedLayers& layers : pool.paged) {
    const Rational blocks = vllm_blocks(layers, settings, context.value, ranks);
    for (const std::size_t index : layers.members) {
      const CacheClass& own = question.classes[index];
      Slots& slot = slots[index];
      slot.citation = "vLLM, vllm/v1/kv_cache_interface.py, max_memory_usage_bytes";
      if (!keeps_tokens(own.kind)) {
        slot.entries = own.kind == CacheKind::recurrent ? blocks : Rational(1);
        slot.formula = own.kind == CacheKind::recurrent ? blocks.to_string() + " state blocks"
                                                        : std::string("1 sequence");
        continue;
      }
      const Rational compress = own.compress ? own.compress->value : Rational(1);
      slot.entries = blocks * layers.block * ranks / compress;
      slot.formula = blocks.to_string() + " blocks × " + layers.block.to_string() + " tokens";
      slot.inputs = {context.figure};
      if (layers.kind == CacheKind::window) {
        slot.inputs.push_back(layers.window->figure);
        slot.inputs.push_back(settings.batched.figure);
      }
    }
  }
  return slots;
}

// The classes as the check at the start sees them: with every stage's layers where it did so.
std::vector<CacheClass> checked_classes(Graph& graph, const Question& question,
                                        Allocation& allocation) {
  std::vector<CacheClass> classes = question.classes;
  if (!checks_whole_model(question)) return classes;
  for (CacheClass& layers : classes) {
    if (auto all = graph.narrow<Count>(layers.layers.figure); all.ok())
      layers.layers_on_stage = *all;
  }
  allocation.notes.push_back(
      {"pipeline-checked-whole", base::Severity::warning,
       "from 0.14 to 0.15 vLLM held the cache of all stages against the memory of one rank: the "
       "need and the longest context are what it prints, the blocks are those of a stage"});
  return classes;
}

// Tokens that the log prints. Up to 0.20: each group's share of the blocks × the shortest block;
// since 0.21 the sequences held at once × the longest allowed (issue 43308).
void add_tokens(Graph& graph, const Question& question, const Pool& pool, const Rational& blocks,
                Allocation& allocation) {
  const Rational& ranks = question.layout.context.value;
  std::vector<FigureId> inputs{allocation.blocks->id()};
  const auto& context =
      question.workload.context ? question.workload.context : question.workload.trained_length;
  if (since(question.version, 0, 21) && context) {
    inputs.push_back(context->figure);
    const VllmSettings settings = settings_of(graph, question);
    const Rational need = blocks_of_sequence(pool, settings, context->value, ranks);
    const Rational ratio = to_binary64(blocks / need);
    const Rational tokens = to_binary64(ratio * context->value).floor();
    allocation.max_tokens = graph.derived<Tokens>(
        "tokens held", "⌊sequences held at once × " + context->name + "⌋",
        std::string(kUtils) + ", _report_kv_cache_config since 0.21; its binary rounding emulated",
        inputs, tokens);
    return;
  }
  // Without attention a block is a state, and holds a sequence of any length.
  if (!allocation.block_tokens) return;
  const Rational tokens = (blocks / pool.groups_in_all).floor() * pool.block_tokens * ranks;
  allocation.max_tokens = graph.derived<Tokens>(
      "tokens held",
      pool.groups_in_all == Rational(1)
          ? "blocks × tokens of a block"
          : "⌊blocks ÷ " + pool.groups_in_all.to_string() + " groups⌋ × tokens of a block",
      std::string(kUtils) + ", _report_kv_cache_config up to 0.20",
      {allocation.blocks->id(), allocation.block_tokens->id()}, tokens);
}

void v1_supply(Graph& graph, const Question& question, const Pool& pool,
               const VllmSettings& settings, Allocation& allocation) {
  const BytesFigure memory = *question.workload.kv_memory;
  const Rational& available = graph.value(memory);
  const Rational blocks = (available / pool.block_bytes).floor();
  allocation.blocks = graph.derived<Count>("blocks", "⌊memory ÷ bytes of a block⌋",
                                           std::string(kUtils) + ", get_num_blocks",
                                           {memory.id(), allocation.block_bytes->id()}, blocks);
  allocation.pool_bytes = graph.derived<Bytes>(
      "bytes of the pool", "blocks × bytes of a block", "",
      {allocation.blocks->id(), allocation.block_bytes->id()}, blocks * pool.block_bytes);
  add_tokens(graph, question, pool, blocks, allocation);
  std::vector<FigureId> inputs{memory.id()};
  const auto classes = basis(question);
  inputs.insert(inputs.end(), classes.begin(), classes.end());
  const auto longest = largest_length([&](const Rational& length) {
    return startup_need(question, pool, settings, length) <= available;
  });
  if (longest) {
    allocation.max_context = graph.derived<Tokens>(
        "longest sequence", "the largest length whose blocks fit",
        std::string(kUtils) + ", estimate_max_model_len", std::move(inputs), *longest);
  }
  if (!question.workload.context) return;
  const Extent& context = *question.workload.context;
  const Rational need =
      blocks_of_sequence(pool, settings, context.value, question.layout.context.value);
  const bool by_blocks = since(question.version, 0, 9, 1) || !allocation.max_tokens;
  allocation.max_concurrency = graph.derived<Count>(
      "sequences held at once",
      by_blocks ? "blocks ÷ " + need.to_string() + " blocks of a sequence"
                : "tokens held ÷ " + context.name,
      std::string(kUtils) + ", get_max_concurrency_for_kv_cache_config",
      {allocation.blocks->id(), context.figure},
      by_blocks ? blocks / need : graph.value(*allocation.max_tokens) / context.value);
}

void note_pool(const Question& question, const Pool& pool, const VllmSettings& settings,
               Allocation& allocation) {
  if (pool.index_in_latent) {
    allocation.notes.push_back({"index-in-latent-page", base::Severity::note,
                                "assumed: the keys of an indexer share the page of their layer's "
                                "latent, since pages of such different sizes could not be made "
                                "equal beside states"});
  }
  if (!pool.uniform) {
    std::string text = "layers stand in " + pool.groups_in_all.to_string() + " groups of " +
                       pool.group_layers_of_model.to_string() + " over one pool";
    if (!pool.padding.empty()) text += "; padding layers: " + pool.padding;
    allocation.notes.push_back({"layer-groups", base::Severity::note, text});
  }
  const bool windows =
      has_kind(question, CacheKind::window) || has_kind(question, CacheKind::chunked);
  if (windows && !settings.hybrid) {
    allocation.notes.push_back(
        {"windows-priced-full", base::Severity::note,
         "without its hybrid manager (before 0.9.1, or for chunked attention) vLLM keeps every "
         "token of windowed layers"});
  }
  allocation.notes.push_back({"null-block", base::Severity::note,
                              "one block of the pool is a null block that no sequence gets; the "
                              "counts that vLLM prints do not subtract it"});
}

base::Result<Allocation> allocate_v1(Graph& graph, const Question& question) {
  const VllmSettings settings = settings_of(graph, question);
  ULLAGE_TRY(const Pool pool, vllm_pool(graph, question, settings));
  Allocation allocation;
  add_growth(graph, question, allocation);
  if (pool.paged.empty()) return allocation;
  if (question.workload.context) {
    const std::vector<CacheClass> classes = checked_classes(graph, question, allocation);
    const Question checked{classes, question.layout, question.workload, question.version,
                           question.format};
    add_need(graph, checked, v1_slots(question, pool, settings), allocation);
    add_least(graph, question, pool, settings, allocation);
  }
  const auto inputs = basis(question);
  if (!pool.block_tokens.is_zero()) {
    std::vector<FigureId> figures{settings.block.figure};
    figures.insert(figures.end(), inputs.begin(), inputs.end());
    const bool longer = pool.block_tokens != settings.block.value;
    allocation.block_tokens = graph.derived<Tokens>(
        "tokens of a block",
        longer
            ? pool.alignment.to_string() + " × ⌈bytes of a state ÷ (" + pool.alignment.to_string() +
                  " × bytes of a token)⌉, so that a page holds a "
                  "state"
            : settings.block.name,
        longer ? "vLLM, vllm/platforms/interface.py, _align_hybrid_block_size" : "",
        std::move(figures), pool.block_tokens);
  }
  allocation.block_bytes = graph.derived<Bytes>(
      "bytes of a block",
      pool.uniform ? "tokens of a block × Σ layers × bytes of a token on one rank"
                   : pool.group_layers.to_string() + " layers of a group × bytes of a page",
      std::string(kUtils) + ", get_kv_cache_config_from_groups", inputs, pool.block_bytes);
  if (question.workload.kv_memory) v1_supply(graph, question, pool, settings, allocation);
  note_pool(question, pool, settings, allocation);
  return allocation;
}

}  // namespace

std::optional<Utilization> vllm_utilization(const Version& version) {
  if (since(version, 0, 30)) {
    return Utilization{Rational(92) / Rational(100),
                       "0.92, the default of vLLM since 0.30 (vllm/config/cache.py); "
                       "--utilization R sets another"};
  }
  return Utilization{Rational(9) / Rational(10),
                     "0.9, the default of vLLM (vllm/config/cache.py); --utilization R sets "
                     "another"};
}

memory::CacheRules vllm_cache_rules(const Version& version, std::optional<bool> expanded) {
  memory::CacheRules rules =
      whole_heads("vLLM, vllm/config/model.py, get_num_kv_heads: max(1, total ÷ tensor parallel)");
  rules.honours_stated_state = since(version, 0, 12);
  rules.honours_stated_cache = since(version, 0, 14);  // pull requests 30785 and 30141
  // Latent attention came with 0.7.1; before that keys and values of every head were kept, padded
  // to a width of 256 that the kernels had (vllm/model_executor/models/deepseek_v2.py).
  rules.expanded_latent = expanded.value_or(!since(version, 0, 7, 1));
  if (!since(version, 0, 8)) rules.expanded_head = Rational(256);
  rules.expanded_citation =
      "vLLM, vllm/model_executor/models/deepseek_v2.py: values padded to the width of keys, both "
      "to 256 before 0.8";
  return rules;
}

base::Result<Allocation> allocate_vllm(Graph& graph, const Question& question) {
  ULLAGE_CHECK(check_format(question,
                            {"fp32", "fp16", "bf16", "fp8", "fp8-ds-mla", "nvfp4",
                             "fp8-per-token-head", "int8-per-token-head"},
                            "vLLM", "vllm/config/cache.py, CacheDType"));
  return is_v1(question.version) ? allocate_v1(graph, question) : allocate_v0(graph, question);
}

}  // namespace ullage::engine
