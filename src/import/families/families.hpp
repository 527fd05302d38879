// The importers, one file a family.
#pragma once

#include "import/config_reader.hpp"

namespace ullage::import {

base::Result<model::Inventory> read_llama(ConfigReader& config);
base::Result<model::Inventory> read_mistral(ConfigReader& config);
base::Result<model::Inventory> read_mixtral(ConfigReader& config);
base::Result<model::Inventory> read_qwen2(ConfigReader& config);
base::Result<model::Inventory> read_qwen2_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_moe(ConfigReader& config);

}  // namespace ullage::import
