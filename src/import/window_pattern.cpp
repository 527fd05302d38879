// Reads the pattern in the order in which later configurations superseded earlier ones.
#include "import/window_pattern.hpp"

#include <algorithm>
#include <array>

namespace ullage::import {
namespace {

using model::Extent;

// The layers that keep every token, and where that stands.
struct FullLayers {
  std::vector<std::int64_t> numbers;
  std::string source;
};

base::Result<FullLayers> full_by_words(ConfigReader& config, std::int64_t total) {
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (std::int64_t layer = 0; layer < total; ++layer) {
    const std::string& word = words[static_cast<std::size_t>(layer)];
    if (word != "full_attention" && word != "sliding_attention" && word != "chunked_attention") {
      return unknown_layer(config, "layer_types", word,
                           "full_attention, sliding_attention, chunked_attention");
    }
  }
  return FullLayers{layers_called(words, total, "full_attention"), "layer_types"};
}

// A text such as LLLG: L keeps a window, G all tokens; the last layer is always full.
base::Result<FullLayers> full_by_letters(ConfigReader& config, std::string_view key,
                                         const std::string& letters, std::int64_t total) {
  if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
    return config.fault(base::Code::out_of_range, key,
                        std::string(key) + " is " + base::printable(letters),
                        "a text of L (window) and G (all tokens), or a whole number");
  }
  return FullLayers{layers_where(total,
                                 [&](std::int64_t layer) {
                                   const auto at = static_cast<std::size_t>(layer) % letters.size();
                                   return letters[at] == 'G' || layer == total - 1;
                                 }),
                    std::string(key)};
}

std::vector<std::int64_t> each_nth(std::int64_t total, std::int64_t period) {
  return layers_where(total, [&](std::int64_t layer) { return (layer + 1) % period == 0; });
}

base::Result<FullLayers> full_layers(ConfigReader& config, std::int64_t total,
                                     std::int64_t period) {
  constexpr std::array<const char*, 2> kPatterns{"sliding_window_pattern",
                                                 "_sliding_window_pattern"};
  if (config.find("layer_types") != nullptr) {
    for (const char* key : kPatterns)
      config.find(key);  // superseded by the list
    return full_by_words(config, total);
  }
  for (const char* key : kPatterns) {
    const document::Value* value = config.find(key);
    if (value == nullptr) continue;
    if (value->type == document::Type::string)
      return full_by_letters(config, key, value->text, total);
    ULLAGE_TRY(const auto stated, config.optional_count(key));
    return FullLayers{each_nth(total, stated->value.to_int64().value_or(total + 1)), key};
  }
  if (period == 0) return FullLayers{{}, "sliding_window"};
  return FullLayers{each_nth(total, period),
                    "each layer whose number " + std::to_string(period) + " divides"};
}

}  // namespace

base::Result<WindowLayers> read_window_layers(ConfigReader& config, const Extent& layers,
                                              std::int64_t period, std::string_view window_key) {
  ULLAGE_TRY(auto window, config.optional_count(window_key));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const FullLayers full, full_layers(config, total, period));
  if (!window) return WindowLayers{layers, {}, {}};
  return WindowLayers{
      layers_of_kind(config, layers, "layers with full attention", full.numbers, full.source),
      layers_of_kind(config, layers, "layers with a window", other_layers(total, full.numbers),
                     full.source),
      std::move(window)};
}

base::Result<SharingLayers> read_sharing_layers(ConfigReader& config, const Extent& layers,
                                                std::int64_t period, bool last_is_full) {
  ULLAGE_TRY(const Extent window, config.count("sliding_window"));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(FullLayers full, full_layers(config, total, period));
  if (last_is_full && (full.numbers.empty() || full.numbers.back() != total - 1))
    full.numbers.push_back(total - 1);
  constexpr std::string_view kKey = "num_kv_shared_layers";
  ULLAGE_TRY(const auto stated, config.optional_number(kKey));
  const std::int64_t shared = stated.value_or(0);
  if (shared >= total) {
    return config.fault(base::Code::out_of_range, kKey,
                        std::string(kKey) + " is " + std::to_string(shared) + " of " +
                            std::to_string(total) + " layers",
                        "the first layers keep keys and values for the others");
  }
  const auto kind = [&](const char* name, bool keeps_all, bool shares, std::string_view source) {
    return layers_of_kind(config, layers, name,
                          layers_where(total,
                                       [&](std::int64_t layer) {
                                         return (layer >= total - shared) == shares &&
                                                std::binary_search(full.numbers.begin(),
                                                                   full.numbers.end(),
                                                                   layer) == keeps_all;
                                       }),
                          source);
  };
  return SharingLayers{
      {kind("layers with full attention", true, false, full.source),
       kind("layers with a window", false, false, full.source), window},
      kind("layers that share full attention", true, true, kKey),
      kind("layers that share a window", false, true, kKey),
      layers_of_kind(config, layers, "layers that share keys and values",
                     layers_where(total, [&](std::int64_t l) { return l >= total - shared; }),
                     kKey)};
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
