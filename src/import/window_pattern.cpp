// Reads the pattern in the order in which later configurations superseded earlier ones.
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Extent;

struct Counts {
  std::int64_t full = 0;
  std::string source;
};

base::Result<Counts> count_words(ConfigReader& config, std::int64_t total) {
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  Counts counts{0, "layer_types"};
  for (std::int64_t layer = 0; layer < total; ++layer) {
    const std::string& word = words[static_cast<std::size_t>(layer)];
    if (word == "full_attention") {
      ++counts.full;
    } else if (word != "sliding_attention" && word != "chunked_attention") {
      return unknown_layer(config, "layer_types", word,
                           "full_attention, sliding_attention, chunked_attention");
    }
  }
  return counts;
}

// A text such as LLLG: L keeps a window, G all tokens; the last layer is always full.
base::Result<Counts> count_letters(ConfigReader& config, std::string_view key,
                                   const std::string& letters, std::int64_t total) {
  if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
    return config.fault(base::Code::out_of_range, key,
                        std::string(key) + " is " + base::printable(letters),
                        "a text of L (window) and G (all tokens), or a whole number");
  }
  Counts counts{0, std::string(key)};
  for (std::int64_t layer = 0; layer < total; ++layer) {
    const auto at = static_cast<std::size_t>(layer) % letters.size();
    if (letters[at] == 'G' || layer == total - 1) ++counts.full;
  }
  return counts;
}

base::Result<Counts> count_full(ConfigReader& config, std::int64_t total, std::int64_t period) {
  const bool listed = config.find("layer_types") != nullptr;
  if (listed) {
    for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"})
      config.find(key);  // superseded by the list
    return count_words(config, total);
  }
  for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
    const document::Value* value = config.find(key);
    if (value == nullptr) continue;
    if (value->type == document::Type::string)
      return count_letters(config, key, value->text, total);
    ULLAGE_TRY(const auto stated, config.optional_count(key));
    const std::int64_t every = stated->value.to_int64().value_or(total + 1);
    return Counts{total / every, key};
  }
  if (period == 0) return Counts{0, "sliding_window"};
  return Counts{total / period, "each layer whose number " + std::to_string(period) + " divides"};
}

}  // namespace

base::Result<WindowLayers> read_window_layers(ConfigReader& config, const Extent& layers,
                                              std::int64_t period, std::string_view window_key) {
  ULLAGE_TRY(auto window, config.optional_count(window_key));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const Counts counts, count_full(config, total, period));
  if (!window) return WindowLayers{layers, {}, {}};
  return WindowLayers{
      layers_of_kind(config, layers, "layers with full attention", counts.full, counts.source),
      layers_of_kind(config, layers, "layers with a window", total - counts.full, counts.source),
      std::move(window)};
}

namespace {

// Of which kind each layer is: true where it keeps all tokens.
base::Result<std::vector<bool>> full_layers(ConfigReader& config, std::int64_t total,
                                            std::int64_t period) {
  std::vector<bool> full(static_cast<std::size_t>(total));
  if (config.find("layer_types") == nullptr) {
    for (std::int64_t i = 0; i < total; ++i)
      full[static_cast<std::size_t>(i)] = (i + 1) % period == 0;
    return full;
  }
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (word != "full_attention" && word != "sliding_attention") {
      return unknown_layer(config, "layer_types", word, "full_attention, sliding_attention");
    }
    full[static_cast<std::size_t>(i)] = word == "full_attention";
  }
  return full;
}

}  // namespace

base::Result<SharingLayers> read_sharing_layers(ConfigReader& config, const Extent& layers,
                                                std::int64_t period, bool last_is_full) {
  ULLAGE_TRY(const Extent window, config.count("sliding_window"));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(std::vector<bool> full, full_layers(config, total, period));
  if (last_is_full) full.back() = true;
  constexpr std::string_view kKey = "num_kv_shared_layers";
  ULLAGE_TRY(const auto stated, config.optional_number(kKey));
  const std::int64_t shared = stated.value_or(0);
  if (shared >= total) {
    return config.fault(base::Code::out_of_range, kKey,
                        std::string(kKey) + " is " + std::to_string(shared) + " of " +
                            std::to_string(total) + " layers",
                        "the first layers keep keys and values for the others");
  }
  std::int64_t own_full = 0;
  std::int64_t all_full = 0;
  for (std::int64_t i = 0; i < total; ++i) {
    if (!full[static_cast<std::size_t>(i)]) continue;
    ++all_full;
    if (i < total - shared) ++own_full;
  }
  const std::int64_t own_windowed = total - shared - own_full;
  const std::int64_t sharing_full = all_full - own_full;
  const auto kind = [&](const char* name, std::int64_t number, std::string_view source) {
    return layers_of_kind(config, layers, name, number, source);
  };
  return SharingLayers{{kind("layers with full attention", own_full, "layer_types"),
                        kind("layers with a window", own_windowed, "layer_types"), window},
                       kind("layers that share full attention", sharing_full, kKey),
                       kind("layers that share a window", shared - sharing_full, kKey),
                       kind("layers that share keys and values", shared, kKey)};
}

void add_window_caches(model::Inventory& inventory, const WindowLayers& layers,
                       const AttentionShape& attention, model::CacheKind kind) {
  if (layers.full) add_attention_cache(inventory, *layers.full, attention);
  if (!layers.windowed) return;
  add_attention_cache(inventory, *layers.windowed, attention, layers.window);
  inventory.caches.back().kind = kind;
}

base::Result<model::Inventory> list_windowed(ConfigReader& config, const DenseShape& shape,
                                             std::int64_t period) {
  ULLAGE_TRY(const WindowLayers layers, read_window_layers(config, shape.decoder.layers, period));
  model::Inventory inventory;
  add_dense(config, inventory, shape);
  add_window_caches(inventory, layers, shape.attention);
  return inventory;
}

}  // namespace ullage::import
