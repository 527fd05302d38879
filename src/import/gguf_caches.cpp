// Keys and rules of llama.cpp: src/llama-hparams.cpp for the sizes of states, src/models for the
// patterns of windows.
#include "import/gguf_caches.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace ullage::import {
namespace {

using base::Code;
using base::Severity;
using exact::Rational;
using model::CacheGroup;
using model::CacheKind;
using model::Extent;

// Which layers hold tensors of which kind, by number.
struct LayerTensors {
  std::set<std::uint64_t> attention;
  std::set<std::uint64_t> fused;  // with attn_qkv, which linear attention has too
  std::set<std::uint64_t> latent;
  std::set<std::uint64_t> state;
  std::set<std::uint64_t> convolution;
  std::set<std::uint64_t> wkv;
};

LayerTensors layer_tensors(const StoredTensors& tensors) {
  LayerTensors found;
  for (const StoredGroup& group : tensors.groups()) {
    if (!group.name.starts_with("blk.*.")) continue;
    const std::string_view name = std::string_view(group.name).substr(6);
    const auto add = [&](std::set<std::uint64_t>& layers) {
      for (const auto& [layer, count] : group.by_layer)
        layers.insert(layer);
    };
    if (name == "attn_k.weight" || name == "attn_v.weight") add(found.attention);
    if (name == "attn_qkv.weight") add(found.fused);
    if (name == "attn_kv_a_mqa.weight") add(found.latent);
    if (name.starts_with("ssm_")) add(found.state);
    if (name.starts_with("shortconv.")) add(found.convolution);
    if (name.starts_with("time_mix_")) add(found.wkv);
  }
  return found;
}

// The default pattern of windows that llama.cpp's loader gives an architecture whose metadata has
// none: each `period`-th layer keeps everything, the last of them or the first.
struct Pattern {
  std::string_view architecture;
  std::int64_t period;
  bool first = false;
  bool chunked = false;
};
constexpr std::array<Pattern, 13> kPatterns{{{"afmoe", 4},
                                             {"cohere2", 4},
                                             {"exaone-moe", 4},
                                             {"exaone4", 4},
                                             {"gemma-embedding", 6},
                                             {"gemma2", 2},
                                             {"gemma3", 6},
                                             {"gemma3n", 5},
                                             {"gpt-oss", 2},
                                             {"llama4", 4, false, true},
                                             {"olmo2", 4},
                                             {"plamo3", 8},
                                             {"smallthinker", 4, true}}};

// Whether each layer keeps a window, and how the kept part moves.
struct Windows {
  std::vector<bool> windowed;
  CacheKind kind = CacheKind::window;
  std::optional<Extent> window;
};

void repeat_period(std::int64_t period, bool first, std::vector<bool>& windowed) {
  const auto n = static_cast<std::size_t>(period);
  for (std::size_t i = 0; i < windowed.size(); ++i)
    windowed[i] = n == 0 || (n > 1 && (first ? i % n != 0 : i % n < n - 1));
}

base::Result<Windows> read_windows(GgufMetadata& metadata, std::size_t layers,
                                   std::vector<base::Note>& notes) {
  Windows windows{std::vector<bool>(layers, false), CacheKind::window, {}};
  const Pattern* known = nullptr;
  for (const Pattern& pattern : kPatterns) {
    if (pattern.architecture == metadata.architecture()) known = &pattern;
  }
  if (known != nullptr && known->chunked) {
    windows.kind = CacheKind::chunked;
    ULLAGE_TRY(windows.window, metadata.count("attention.chunk_size"));
  }
  if (!windows.window) {
    ULLAGE_TRY(windows.window, metadata.count("attention.sliding_window"));
  }
  if (!windows.window) return windows;
  constexpr std::string_view kKey = "attention.sliding_window_pattern";
  const GgufValue* pattern = metadata.find(kKey);
  if (pattern != nullptr && pattern->kind == GgufValue::Kind::numbers) {
    if (pattern->numbers.empty()) return metadata.fault(Code::out_of_range, kKey, "is empty");
    // A list shorter than the model repeats.
    for (std::size_t i = 0; i < layers; ++i)
      windows.windowed[i] = pattern->numbers[i % pattern->numbers.size()] != 0;
    return windows;
  }
  if (pattern != nullptr && pattern->kind == GgufValue::Kind::number) {
    if (pattern->number < 0) return metadata.fault(Code::out_of_range, kKey, "is negative");
    repeat_period(pattern->number, known != nullptr && known->first, windows.windowed);
    return windows;
  }
  if (known != nullptr) {
    repeat_period(known->period, known->first, windows.windowed);
    notes.push_back({"window-pattern-assumed", Severity::note,
                     "the file has a window and no pattern: " +
                         std::string(known->first ? "the first" : "the last") + " of every " +
                         std::to_string(known->period) +
                         " layers keeps everything, as llama.cpp loads " +
                         base::printable(metadata.architecture())});
    return windows;
  }
  windows.window.reset();
  notes.push_back({"window-pattern-unknown", Severity::warning,
                   "the file states attention.sliding_window and not which layers have it: every "
                   "layer is counted with a full cache, the most that it can be"});
  return windows;
}

// Widths of the keys and values of a layer.
struct Widths {
  std::optional<Extent> key;
  std::optional<Extent> value;
};

// From `attention.key_length` and its kin, else the width of a head.
base::Result<Widths> read_widths(GgufMetadata& metadata, const std::string& suffix,
                                 const std::optional<Extent>& heads) {
  Widths widths;
  ULLAGE_TRY(widths.key, metadata.count("attention.key_length" + suffix));
  ULLAGE_TRY(widths.value, metadata.count("attention.value_length" + suffix));
  if ((widths.key && widths.value) || !suffix.empty() || !heads) return widths;
  ULLAGE_TRY(const auto hidden, metadata.count("embedding_length"));
  if (!hidden) return widths;
  const Rational width = (hidden->value / heads->value).floor();
  const Extent head = metadata.derived("head width", width, "⌊embedding_length ÷ head_count⌋",
                                       {hidden->figure, heads->figure});
  if (!widths.key) widths.key = head;
  if (!widths.value) widths.value = head;
  return widths;
}

class CacheBuilder {
 public:
  CacheBuilder(GgufMetadata& metadata, const StoredTensors& tensors, const Extent& layers,
               model::Inventory& inventory)
      : metadata_(metadata),
        found_(layer_tensors(tensors)),
        layers_(layers),
        count_(static_cast<std::size_t>(*layers.value.to_int64())),
        inventory_(inventory) {}

  base::Result<void> add(std::vector<base::Note>& notes) {
    ULLAGE_CHECK(add_attention(notes));
    ULLAGE_CHECK(add_latent());
    ULLAGE_CHECK(add_states());
    return {};
  }

 private:
  // How many layers, and which: their figure is that of all layers where all are meant.
  Extent number_of(std::vector<std::int64_t> numbers, const std::string& what) {
    if (numbers.size() == count_) return layers_;
    Extent extent = metadata_.counted("layers", numbers.size(), what);
    extent.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
    return extent;
  }
  bool attends(std::uint64_t layer) const {
    return found_.attention.contains(layer) ||
           (found_.fused.contains(layer) && !found_.state.contains(layer));
  }
  // Those of the main model.
  std::vector<std::int64_t> among(const std::set<std::uint64_t>& layers) const {
    std::vector<std::int64_t> numbers;
    for (const std::uint64_t layer : layers) {
      if (layer < count_) numbers.push_back(static_cast<std::int64_t>(layer));
    }
    return numbers;
  }
  base::Result<void> add_attention(std::vector<base::Note>& notes);
  base::Result<void> add_latent();
  base::Result<void> add_states();
  base::Result<void> add_state_space(std::vector<std::int64_t> numbers);
  void add_recurrent(const std::string& name, std::vector<std::int64_t> numbers,
                     const std::string& what, std::vector<model::CachePart> parts);

  GgufMetadata& metadata_;
  LayerTensors found_;
  const Extent& layers_;
  std::size_t count_;
  model::Inventory& inventory_;
};

base::Result<void> CacheBuilder::add_attention(std::vector<base::Note>& notes) {
  if (found_.attention.empty() && found_.fused.empty()) return {};
  ULLAGE_TRY(const auto heads, metadata_.per_layer("attention.head_count", count_));
  ULLAGE_TRY(auto kv_heads, metadata_.per_layer("attention.head_count_kv", count_));
  if (!metadata_.has("attention.head_count_kv")) kv_heads = heads;
  ULLAGE_TRY(const Windows windows, read_windows(metadata_, count_, notes));
  ULLAGE_TRY(const auto shared, metadata_.count("attention.shared_kv_layers"));
  const std::size_t own =
      shared ? count_ - std::min(count_, static_cast<std::size_t>(*shared->value.to_int64()))
             : count_;
  const auto first_heads =
      std::find_if(heads.begin(), heads.end(), [](const auto& head) { return head.has_value(); });
  const std::optional<Extent> any = first_heads == heads.end() ? std::nullopt : *first_heads;
  ULLAGE_TRY(const Widths full, read_widths(metadata_, "", any));
  ULLAGE_TRY(Widths inside, read_widths(metadata_, "_swa", any));
  if (!inside.key) inside.key = full.key;
  if (!inside.value) inside.value = full.value;

  // Equal layers form one group: by KV heads and by whether they keep a window.
  std::map<std::pair<Rational, bool>, std::pair<Extent, std::vector<std::int64_t>>> groups;
  for (std::size_t i = 0; i < own; ++i) {
    if (!attends(i) || !kv_heads[i]) continue;
    const auto key = std::pair(kv_heads[i]->value, static_cast<bool>(windows.windowed[i]));
    groups.try_emplace(key, *kv_heads[i], std::vector<std::int64_t>())
        .first->second.second.push_back(static_cast<std::int64_t>(i));
  }
  for (const auto& [key, group] : groups) {
    const bool windowed = key.second;
    const Widths& widths = windowed ? inside : full;
    if (!widths.key || !widths.value) {
      return metadata_.fault(Code::missing_key, "attention.key_length",
                             "and the numbers that it follows from are missing");
    }
    const Extent& kv = group.first;
    CacheGroup cache{
        .name = "blk.*.attn",
        .kind = windowed ? windows.kind : CacheKind::full,
        .layers =
            number_of(group.second, std::string("layers that attend with ") + kv.value.to_string() +
                                        " KV heads" + (windowed ? " in a window" : "")),
        .per_token = {{"key", {kv, *widths.key}, kv}, {"value", {kv, *widths.value}, kv}},
        .per_sequence = {},
        .window = {},
        .compress = {}};
    if (windowed) cache.window = windows.window;
    inventory_.caches.push_back(std::move(cache));
  }
  return {};
}

base::Result<void> CacheBuilder::add_latent() {
  const std::vector<std::int64_t> numbers = among(found_.latent);
  if (numbers.empty()) return {};
  ULLAGE_TRY(const auto rank, metadata_.count("attention.kv_lora_rank"));
  ULLAGE_TRY(const auto rope, metadata_.count("rope.dimension_count"));
  if (!rank || !rope) {
    return metadata_.fault(Code::missing_key,
                           rank ? "rope.dimension_count" : "attention.kv_lora_rank",
                           "is missing, but layers hold attn_kv_a_mqa");
  }
  const Extent layers = number_of(numbers, "layers that hold attn_kv_a_mqa");
  inventory_.caches.push_back({.name = "blk.*.attn",
                               .kind = CacheKind::latent,
                               .layers = layers,
                               .per_token = {{"latent", {*rank}, {}}, {"rope", {*rope}, {}}},
                               .per_sequence = {},
                               .window = {},
                               .compress = {}});
  ULLAGE_TRY(const auto index, metadata_.count("attention.indexer.key_length"));
  if (!index) return {};
  inventory_.caches.push_back({.name = "blk.*.indexer",
                               .kind = CacheKind::index,
                               .layers = layers,
                               .per_token = {{"index key", {*index}, {}}},
                               .per_sequence = {},
                               .window = {},
                               .compress = {}});
  return {};
}

void CacheBuilder::add_recurrent(const std::string& name, std::vector<std::int64_t> numbers,
                                 const std::string& what, std::vector<model::CachePart> parts) {
  inventory_.caches.push_back({.name = name,
                               .kind = CacheKind::recurrent,
                               .layers = number_of(std::move(numbers), what),
                               .per_token = {},
                               .per_sequence = std::move(parts),
                               .window = {},
                               .compress = {}});
}

// Mamba, gated delta nets and Kimi delta attention: a state, and the inputs that a convolution
// still needs.
base::Result<void> CacheBuilder::add_state_space(std::vector<std::int64_t> numbers) {
  ULLAGE_TRY(const auto kernel, metadata_.count("ssm.conv_kernel"));
  if (!kernel) {
    return metadata_.fault(Code::missing_key, "ssm.conv_kernel",
                           "is missing, but layers hold tensors of a state space");
  }
  const Extent taps = metadata_.derived("kept taps", kernel->value - Rational(1), "conv_kernel − 1",
                                        {kernel->figure});
  ULLAGE_TRY(const auto delta, metadata_.count("kda.head_dim"));
  if (delta) {
    ULLAGE_TRY(const auto heads, metadata_.per_layer("attention.head_count", count_));
    if (heads.empty() || !heads.front()) {
      return metadata_.fault(Code::missing_key, "attention.head_count", "is missing");
    }
    const Extent& head = *heads.front();
    const Extent channels =
        metadata_.derived("convolution channels", Rational(3) * head.value * delta->value,
                          "3 × head_count × kda.head_dim", {head.figure, delta->figure});
    add_recurrent("blk.*.ssm", std::move(numbers), "layers that hold ssm tensors",
                  {{"ssm", {head, *delta, *delta}, head}, {"conv", {channels, taps}, channels}});
    return {};
  }
  ULLAGE_TRY(const auto inner, metadata_.count("ssm.inner_size"));
  ULLAGE_TRY(const auto state, metadata_.count("ssm.state_size"));
  if (!inner || !state) {
    return metadata_.fault(Code::missing_key, inner ? "ssm.state_size" : "ssm.inner_size",
                           "is missing, but layers hold tensors of a state space");
  }
  ULLAGE_TRY(const auto groups, metadata_.count("ssm.group_count"));
  Extent channels = *inner;
  if (groups) {
    channels = metadata_.derived("convolution channels",
                                 inner->value + Rational(2) * groups->value * state->value,
                                 "inner_size + 2 × group_count × state_size",
                                 {inner->figure, groups->figure, state->figure});
  }
  add_recurrent("blk.*.ssm", std::move(numbers), "layers that hold ssm tensors",
                {{"ssm", {*inner, *state}, *inner}, {"conv", {channels, taps}, channels}});
  return {};
}

base::Result<void> CacheBuilder::add_states() {
  if (auto numbers = among(found_.state); !numbers.empty()) {
    ULLAGE_CHECK(add_state_space(std::move(numbers)));
  }
  std::vector<std::int64_t> convolved = among(found_.convolution);
  std::vector<std::int64_t> wkv = among(found_.wkv);
  if (convolved.empty() && wkv.empty()) return {};
  ULLAGE_TRY(const auto hidden, metadata_.count("embedding_length"));
  if (!hidden) return metadata_.fault(Code::missing_key, "embedding_length", "is missing");
  if (!convolved.empty()) {
    ULLAGE_TRY(const auto length, metadata_.count("shortconv.l_cache"));
    if (!length) return metadata_.fault(Code::missing_key, "shortconv.l_cache", "is missing");
    const Extent taps = metadata_.derived("kept taps", length->value - Rational(1), "l_cache − 1",
                                          {length->figure});
    add_recurrent("blk.*.shortconv", std::move(convolved), "layers that hold shortconv tensors",
                  {{"conv", {*hidden, taps}, *hidden}});
  }
  if (wkv.empty()) return {};
  ULLAGE_TRY(const auto head, metadata_.count("wkv.head_size"));
  if (!head) return metadata_.fault(Code::missing_key, "wkv.head_size", "is missing");
  ULLAGE_TRY(auto shifts, metadata_.count("token_shift_count"));
  if (!shifts) {
    shifts = metadata_.derived("token shifts", 2, "2 in llama.cpp, since the key is absent",
                               {hidden->figure});
  }
  add_recurrent("blk.*.time_mix", std::move(wkv), "layers that hold time_mix tensors",
                {{"wkv", {*hidden, *head}, *hidden}, {"shift", {*shifts, *hidden}, {}}});
  return {};
}

}  // namespace

base::Result<void> add_gguf_caches(GgufMetadata& metadata, const StoredTensors& tensors,
                                   const Extent& layers, model::Inventory& inventory,
                                   std::vector<base::Note>& notes) {
  return CacheBuilder(metadata, tensors, layers, inventory).add(notes);
}

}  // namespace ullage::import
