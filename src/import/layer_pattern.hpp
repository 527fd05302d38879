// Which layer is of which kind: patterns in every spelling end as counts of equal layers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/config_reader.hpp"

namespace ullage::import {

// The number of layers as an integer. Error out_of_range at `key` above 100,000, since layers are
// walked one by one and no published model has more than a few hundred.
base::Result<std::int64_t> layer_total(const ConfigReader& config, const model::Extent& layers,
                                       std::string_view key = "num_hidden_layers");

// The numbers 0 … `total` − 1; null above 100,000.
model::LayerNumbers every_layer(const exact::Rational& total);

// Those of the layers 0 … `total` − 1 that `holds` chooses.
std::vector<std::int64_t> layers_where(std::int64_t total,
                                       const std::function<bool(std::int64_t)>& holds);
// Those that are not in `numbers`, which ascends.
std::vector<std::int64_t> other_layers(std::int64_t total,
                                       const std::vector<std::int64_t>& numbers);
// Where the words say `kind`.
std::vector<std::int64_t> layers_called(const std::vector<std::string>& words, std::int64_t total,
                                        std::string_view kind);

// Those of `layers` that are of a kind, by their numbers, as a figure that follows from the key
// `source`; nothing where none is. All of them are `layers` itself.
std::optional<model::Extent> layers_of_kind(ConfigReader& config, const model::Extent& layers,
                                            std::string name, std::vector<std::int64_t> numbers,
                                            std::string_view source);

// Layers that the value of `key` names one by one, at its place.
model::Extent counted_layers(ConfigReader& config, std::string name,
                             std::vector<std::int64_t> numbers, std::string_view key);

// The list under `key`, one entry a layer. Errors: missing_key; out_of_range where it is shorter
// than the model. Entries beyond the model's layers belong to prediction layers and are kept.
base::Result<std::vector<std::string>> layer_words(ConfigReader& config, std::string_view key,
                                                   std::int64_t total);
base::Result<std::vector<std::int64_t>> layer_numbers(ConfigReader& config, std::string_view key,
                                                      std::int64_t total);

// Error out_of_range at `key` for a word that the family does not know.
base::Diagnostic unknown_layer(const ConfigReader& config, std::string_view key,
                               std::string_view word, std::string_view known);

}  // namespace ullage::import
