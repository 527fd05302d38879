// What stands behind a decoder's last layer, by the class that a configuration names.
#pragma once

#include "import/config_reader.hpp"
#include "model/inventory.hpp"

namespace ullage::import {

// A bare model (`MistralModel`, as embedders name it) has no head, a classifier
// (`LlamaForSequenceClassification`) num_labels scores in its place; any other class keeps what the
// family lists. Encoders, whose family reads the class itself, are left alone. Notes say which.
base::Result<void> follow_class(ConfigReader& config, model::Inventory& inventory);

}  // namespace ullage::import
