// Multi-token-prediction (MTP) modules: what stands around their decoder layer.
#pragma once

#include <optional>

#include "import/blocks.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// The number of modules under `key`; nothing where it is absent or 0.
base::Result<std::optional<model::Extent>> read_modules(ConfigReader& config, std::string_view key);

// A list whose tensors all belong to the modules.
TensorList module_list(model::Inventory& inventory, std::string prefix,
                       const model::Extent& modules);

// The projection of hidden state and embedding (2 hidden → hidden) and the three norms around it.
void add_module_frame(ConfigReader& config, TensorList& module, const model::Extent& hidden);

// The copies of input table and head that a module shares with the main model; `stored` where the
// family's checkpoints hold them again.
void add_module_copies(TensorList& module, const DecoderShape& decoder, bool stored);

// Input and post-attention norms of a decoder layer.
void add_layer_norms(ConfigReader& config, TensorList& layers, const model::Extent& hidden);
// The norm after the last layer.
void add_final_norm(model::Inventory& inventory, const model::Extent& hidden);

}  // namespace ullage::import
