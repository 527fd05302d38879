// Per-layer embeddings of Gemma 3n and the small Gemma 4: a second table with a narrow row for each
// token and layer, and what brings that row into the layer.
#pragma once

#include "import/blocks.hpp"

namespace ullage::import {

// hidden_size_per_layer_input (0: none) and vocab_size_per_layer_input, by default of `class_name`
// 256 and 262144.
base::Result<void> add_layer_inputs(ConfigReader& config, model::Inventory& inventory,
                                    const DecoderShape& decoder, const std::string& class_name);

}  // namespace ullage::import
