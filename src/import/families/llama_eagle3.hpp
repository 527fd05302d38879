// EAGLE-3 heads, which call themselves Llama.
#pragma once

#include "import/config_reader.hpp"

namespace ullage::import {

// The tensors and the cache of an EAGLE-3 head for a Llama, from its configuration.
base::Result<model::Inventory> read_llama_eagle3(ConfigReader& config);

}  // namespace ullage::import
