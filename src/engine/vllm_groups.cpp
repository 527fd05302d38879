// Rules of vllm/v1/core/kv_cache_utils.py, vllm/v1/kv_cache_interface.py and
// vllm/platforms/interface.py (_align_hybrid_block_size), read at commit 001cabc1be16.
#include "engine/vllm_groups.hpp"

#include <algorithm>

namespace ullage::engine {
namespace {

using exact::Rational;
using memory::CacheClass;
using model::CacheKind;
using provenance::Graph;

constexpr std::string_view kUnifySource =
    "vLLM, vllm/v1/core/kv_cache_utils.py, unify_kv_cache_spec_page_size (commit 001cabc1be16)";

// Tokens to which the block of attention is a multiple where states share its pool.
constexpr std::int64_t kAlignment = 16;
constexpr std::int64_t kLatentAlignment = 32;

bool is_state(CacheKind kind) {
  return kind == CacheKind::recurrent;
}

// Full attention of every form keeps all tokens and may share one group.
bool keeps_all(CacheKind kind) {
  return kind == CacheKind::full || kind == CacheKind::latent || kind == CacheKind::index;
}

Rational bytes_per_token(const Graph& graph, const CacheClass& layers) {
  return graph.value(layers.entry_on_rank) * entries_per_token(layers);
}

CacheKind kind_for(const CacheClass& layers, const VllmSettings& settings) {
  const bool windowed = layers.kind == CacheKind::window || layers.kind == CacheKind::chunked;
  return windowed && !settings.hybrid ? CacheKind::full : layers.kind;
}

// Classes with the same kind, page and window are layers of one kind (the model's and its draft's).
void add_class(const Graph& graph, const CacheClass& layers, std::size_t index, CacheKind kind,
               const Rational& block, std::vector<PagedLayers>& paged) {
  const bool tokens = keeps_tokens(layers.kind);
  PagedLayers own{
      .kind = kind,
      .members = {index},
      .layers = layers.layers.value,
      .layers_on_stage = graph.value(layers.layers_on_stage),
      .block = block,
      .page = tokens ? block * bytes_per_token(graph, layers) : graph.value(layers.fixed_on_rank),
      .unpadded = {},
      .window = kind == CacheKind::full ? std::nullopt : layers.window};
  own.unpadded = own.page;
  for (PagedLayers& known : paged) {
    const bool same_window = known.window.has_value() == own.window.has_value() &&
                             (!known.window || known.window->value == own.window->value);
    if (known.kind != own.kind || known.page != own.page || !same_window) continue;
    known.members.push_back(index);
    known.layers += own.layers;
    known.layers_on_stage += own.layers_on_stage;
    return;
  }
  paged.push_back(std::move(own));
}

// The block that makes a page of attention hold one state: align × ⌈state ÷ (align × bytes of a
// token)⌉, if it is longer than the one asked for.
Rational block_for_state(const Graph& graph, const Question& question, const VllmSettings& settings,
                         Rational& alignment) {
  Rational state;
  Rational token;
  bool latent = false;
  for (const CacheClass& layers : question.classes) {
    if (is_state(layers.kind)) state = max(state, graph.value(layers.fixed_on_rank));
    if (layers.kind == CacheKind::index || !keeps_tokens(layers.kind)) continue;
    token = max(token, bytes_per_token(graph, layers));
    latent = latent || layers.kind == CacheKind::latent;
  }
  if (state.is_zero() || token.is_zero()) return settings.block.value;
  alignment = max(Rational(latent ? kLatentAlignment : kAlignment),
                  settings.block_given ? settings.block.value : Rational(0));
  const Rational needed = alignment * (state / (alignment * token)).ceil();
  return max(needed, settings.block.value);
}

// Beside states, the index keys of a layer stand in the page of its latent, where there is one for
// each: pages of such different sizes could not be made equal otherwise.
bool join_index(std::vector<PagedLayers>& paged) {
  const auto of_kind = [&](CacheKind kind) {
    return std::find_if(paged.begin(), paged.end(),
                        [&](const PagedLayers& layers) { return layers.kind == kind; });
  };
  const auto index = of_kind(CacheKind::index);
  const auto latent = of_kind(CacheKind::latent);
  const bool states = of_kind(CacheKind::recurrent) != paged.end();
  if (!states || index == paged.end() || latent == paged.end()) return false;
  if (index->layers != latent->layers) return false;
  latent->page += index->page;
  latent->unpadded = latent->page;
  latent->members.insert(latent->members.end(), index->members.begin(), index->members.end());
  paged.erase(index);
  return true;
}

bool uniform_type(const std::vector<PagedLayers>& paged) {
  return std::all_of(paged.begin(), paged.end(), [&](const PagedLayers& layers) {
    const PagedLayers& first = paged.front();
    if (keeps_all(first.kind)) return keeps_all(layers.kind);
    return layers.kind == first.kind && !is_state(layers.kind) && layers.window && first.window &&
           layers.window->value == first.window->value;
  });
}

// Pages of attention are made equal by longer blocks; those of states are padded.
base::Result<void> unify_pages(std::vector<PagedLayers>& paged) {
  Rational largest;
  for (const PagedLayers& layers : paged) {
    if (layers.kind != CacheKind::cross) largest = max(largest, layers.page);
  }
  for (PagedLayers& layers : paged) {
    if (layers.page == largest) continue;
    if (!keeps_tokens(layers.kind)) {
      layers.page = largest;
      continue;
    }
    const Rational ratio = largest / layers.page;
    if (!ratio.is_whole()) {
      return unsupported("vLLM does not hold these layers in one pool: a page of " +
                             largest.to_string() + " B is no multiple of one of " +
                             layers.page.to_string() + " B",
                         std::string(kUnifySource));
    }
    layers.block = layers.block * ratio;
    layers.page = largest;
  }
  return {};
}

// One group of every layer, each with its own page.
void fill_uniform(Pool& pool) {
  pool.uniform = true;
  pool.groups.assign(pool.paged.size(), Rational(1));
  pool.groups_in_all = 1;
  for (const PagedLayers& layers : pool.paged) {
    pool.block_bytes += layers.page * layers.layers_on_stage;
    pool.block_bytes_of_model += layers.page * layers.layers;
    pool.group_layers += layers.layers_on_stage;
    pool.group_layers_of_model += layers.layers;
  }
}

// Groups as long as the smallest kind has layers; as the largest has, where that is less than half
// longer (a quarter before 0.14).
void fill_groups(Pool& pool, const Version& version) {
  Rational least = pool.paged.front().layers;
  Rational most = least;
  for (const PagedLayers& layers : pool.paged) {
    least = min(least, layers.layers);
    most = max(most, layers.layers);
  }
  const Rational tolerance =
      since(version, 0, 14) ? Rational(3) / Rational(2) : Rational(5) / Rational(4);
  const Rational size = most < least * tolerance ? most : least;
  for (const PagedLayers& layers : pool.paged) {
    const Rational number = (layers.layers / size).ceil();
    pool.groups.push_back(number);
    pool.groups_in_all += number;
    const Rational lacking = number * size - layers.layers;
    if (lacking.sign() > 0) {
      pool.padding += (pool.padding.empty() ? "" : "; ") + lacking.to_string() + " beside " +
                      layers.layers.to_string() + " of kind " + std::string(name_of(layers.kind));
    }
    // On a stage: the longest of the groups, dealt out in turn.
    const Rational here = (layers.layers / number).ceil() * layers.layers_on_stage / layers.layers;
    pool.group_layers = max(pool.group_layers, here.ceil());
  }
  pool.group_layers_of_model = size;
  pool.block_bytes = pool.group_layers * pool.paged.front().page;
  pool.block_bytes_of_model = size * pool.paged.front().page;
}

}  // namespace

base::Result<Pool> vllm_pool(const Graph& graph, const Question& question,
                             const VllmSettings& settings) {
  const bool compressed = std::any_of(
      question.classes.begin(), question.classes.end(),
      [](const CacheClass& layers) { return layers.compress && layers.kind == CacheKind::latent; });
  if (compressed) {
    return unsupported(
        "the pages in which vLLM keeps compressed attention beside windows are not among the rules "
        "here (--engine ideal counts their arithmetic)",
        "vLLM issue 44376: what it prints for such a model follows from none of the rules here");
  }
  Pool pool;
  const Rational block = block_for_state(graph, question, settings, pool.alignment);
  for (std::size_t i = 0; i < question.classes.size(); ++i) {
    const CacheClass& layers = question.classes[i];
    add_class(graph, layers, i, kind_for(layers, settings), block, pool.paged);
  }
  if (pool.paged.empty()) return pool;
  pool.index_in_latent = join_index(pool.paged);
  if (pool.paged.size() == 1 || uniform_type(pool.paged)) {
    fill_uniform(pool);
  } else {
    ULLAGE_CHECK(unify_pages(pool.paged));
    fill_groups(pool, question.version);
  }
  for (const PagedLayers& layers : pool.paged) {
    if (!keeps_tokens(layers.kind)) continue;
    const bool first = pool.block_tokens.is_zero();
    pool.block_tokens = first ? layers.block : min(pool.block_tokens, layers.block);
  }
  return pool;
}

Rational vllm_blocks(const PagedLayers& paged, const VllmSettings& settings, const Rational& length,
                     const Rational& context_ranks) {
  switch (paged.kind) {
    case CacheKind::recurrent:
      if (settings.mode == CacheMode::all) return (length / paged.block).ceil();
      return Rational(settings.mode == CacheMode::align ? 2 : 1) + settings.speculative_blocks;
    case CacheKind::window: {
      const Rational held = min(paged.window->value - Rational(1) + settings.batched.value, length);
      return (held / paged.block).ceil() + Rational(1);
    }
    case CacheKind::chunked:
      return (min(paged.window->value + settings.batched.value, length) / paged.block).ceil();
    case CacheKind::cross:
      return (paged.unpadded / paged.page).ceil();
    case CacheKind::full:
    case CacheKind::latent:
    case CacheKind::index:
      break;
  }
  return ((length / context_ranks).ceil() / paged.block).ceil();
}

}  // namespace ullage::engine
