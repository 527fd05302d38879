// The importers, one file a family.
#pragma once

#include "import/config_reader.hpp"

namespace ullage::import {

base::Result<model::Inventory> read_deepseek(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v2(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v3(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v32(ConfigReader& config);
base::Result<model::Inventory> read_falcon_h1(ConfigReader& config);
base::Result<model::Inventory> read_glm4_moe(ConfigReader& config);
base::Result<model::Inventory> read_glm5_next(ConfigReader& config);
base::Result<model::Inventory> read_glm_moe_dsa(ConfigReader& config);
base::Result<model::Inventory> read_gpt_oss(ConfigReader& config);
base::Result<model::Inventory> read_jamba(ConfigReader& config);
base::Result<model::Inventory> read_kimi_k2(ConfigReader& config);
base::Result<model::Inventory> read_kimi_k25(ConfigReader& config);
base::Result<model::Inventory> read_kimi_linear(ConfigReader& config);
base::Result<model::Inventory> read_lfm2(ConfigReader& config);
base::Result<model::Inventory> read_llama(ConfigReader& config);
base::Result<model::Inventory> read_mamba(ConfigReader& config);
base::Result<model::Inventory> read_mamba2(ConfigReader& config);
base::Result<model::Inventory> read_mimo_v2_flash(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m1(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m2(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m3(ConfigReader& config);
base::Result<model::Inventory> read_mistral(ConfigReader& config);
base::Result<model::Inventory> read_mixtral(ConfigReader& config);
base::Result<model::Inventory> read_nemotron_h(ConfigReader& config);
base::Result<model::Inventory> read_nemotron_nas(ConfigReader& config);
base::Result<model::Inventory> read_qwen2(ConfigReader& config);
base::Result<model::Inventory> read_qwen2_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_moe_text(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_text(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_next(ConfigReader& config);

}  // namespace ullage::import
