// Counts layers of a kind.
#include "import/layer_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace ullage::import {
namespace {

constexpr std::int64_t kMostLayers = 100'000;

base::Result<void> check_length(const ConfigReader& config, std::string_view key,
                                std::size_t length, std::int64_t total) {
  if (length == 0) {
    return config.fault(base::Code::missing_key, key, std::string(key) + " is missing",
                        "it says of which kind each layer is");
  }
  if (static_cast<std::int64_t>(length) >= total) return {};
  return config.fault(base::Code::out_of_range, key,
                      std::string(key) + " has " + std::to_string(length) +
                          " entries, but the model has " + std::to_string(total) + " layers");
}

}  // namespace

base::Result<std::int64_t> layer_total(const ConfigReader& config, const model::Extent& layers,
                                       std::string_view key) {
  const std::int64_t total = layers.value.to_int64().value_or(kMostLayers + 1);
  if (total <= kMostLayers) return total;
  return config.fault(base::Code::out_of_range, key,
                      std::string(key) + " is beyond " + std::to_string(kMostLayers));
}

model::LayerNumbers every_layer(const exact::Rational& total) {
  const std::int64_t count = total.to_int64().value_or(kMostLayers + 1);
  if (count > kMostLayers || count < 0) return nullptr;
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
}

std::vector<std::int64_t> layers_where(std::int64_t total,
                                       const std::function<bool(std::int64_t)>& holds) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t layer = 0; layer < total; ++layer) {
    if (holds(layer)) numbers.push_back(layer);
  }
  return numbers;
}

std::vector<std::int64_t> other_layers(std::int64_t total,
                                       const std::vector<std::int64_t>& numbers) {
  return layers_where(total, [&](std::int64_t layer) {
    return !std::binary_search(numbers.begin(), numbers.end(), layer);
  });
}

std::vector<std::int64_t> layers_called(const std::vector<std::string>& words, std::int64_t total,
                                        std::string_view kind) {
  return layers_where(
      total, [&](std::int64_t layer) { return words[static_cast<std::size_t>(layer)] == kind; });
}

std::optional<model::Extent> layers_of_kind(ConfigReader& config, const model::Extent& layers,
                                            std::string name, std::vector<std::int64_t> numbers,
                                            std::string_view source) {
  if (numbers.empty()) return std::nullopt;
  const exact::Rational count(static_cast<std::int64_t>(numbers.size()));
  model::Extent kind = count == layers.value
                           ? layers
                           : config.derived(std::move(name), count,
                                            "counted in " + std::string(source), {layers.figure});
  kind.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
  return kind;
}

model::Extent counted_layers(ConfigReader& config, std::string name,
                             std::vector<std::int64_t> numbers, std::string_view key) {
  model::Extent extent =
      config.counted(std::move(name), static_cast<std::int64_t>(numbers.size()), key);
  extent.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
  return extent;
}

base::Result<std::vector<std::string>> layer_words(ConfigReader& config, std::string_view key,
                                                   std::int64_t total) {
  ULLAGE_TRY(std::vector<std::string> words, config.texts(key));
  ULLAGE_CHECK(check_length(config, key, words.size(), total));
  return words;
}

base::Result<std::vector<std::int64_t>> layer_numbers(ConfigReader& config, std::string_view key,
                                                      std::int64_t total) {
  ULLAGE_TRY(std::vector<std::int64_t> numbers, config.numbers(key));
  ULLAGE_CHECK(check_length(config, key, numbers.size(), total));
  return numbers;
}

base::Diagnostic unknown_layer(const ConfigReader& config, std::string_view key,
                               std::string_view word, std::string_view known) {
  return config.fault(base::Code::out_of_range, key,
                      std::string(key) + " holds " + base::printable(word) +
                          ", a kind of layer that this family does not have",
                      "known: " + std::string(known));
}

}  // namespace ullage::import
