// The importers, one file a family.
#pragma once

#include "import/config_reader.hpp"

namespace ullage::import {

base::Result<model::Inventory> read_baichuan(ConfigReader& config);
base::Result<model::Inventory> read_bert(ConfigReader& config);
base::Result<model::Inventory> read_bloom(ConfigReader& config);
base::Result<model::Inventory> read_chatglm(ConfigReader& config);
base::Result<model::Inventory> read_cohere(ConfigReader& config);
base::Result<model::Inventory> read_cohere2(ConfigReader& config);
base::Result<model::Inventory> read_dbrx(ConfigReader& config);
base::Result<model::Inventory> read_deepseek(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v2(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v3(ConfigReader& config);
base::Result<model::Inventory> read_deepseek_v32(ConfigReader& config);
base::Result<model::Inventory> read_exaone(ConfigReader& config);
base::Result<model::Inventory> read_exaone4(ConfigReader& config);
base::Result<model::Inventory> read_falcon(ConfigReader& config);
base::Result<model::Inventory> read_falcon_h1(ConfigReader& config);
base::Result<model::Inventory> read_gemma(ConfigReader& config);
base::Result<model::Inventory> read_gemma2(ConfigReader& config);
base::Result<model::Inventory> read_gemma3(ConfigReader& config);
base::Result<model::Inventory> read_gemma3_text(ConfigReader& config);
base::Result<model::Inventory> read_glm4(ConfigReader& config);
base::Result<model::Inventory> read_glm4_moe(ConfigReader& config);
base::Result<model::Inventory> read_glm5_next(ConfigReader& config);
base::Result<model::Inventory> read_glm_moe_dsa(ConfigReader& config);
base::Result<model::Inventory> read_gpt2(ConfigReader& config);
base::Result<model::Inventory> read_gpt_bigcode(ConfigReader& config);
base::Result<model::Inventory> read_gpt_neo(ConfigReader& config);
base::Result<model::Inventory> read_gpt_neox(ConfigReader& config);
base::Result<model::Inventory> read_gpt_neox_reward_model(ConfigReader& config);
base::Result<model::Inventory> read_gpt_oss(ConfigReader& config);
base::Result<model::Inventory> read_gptj(ConfigReader& config);
base::Result<model::Inventory> read_granite(ConfigReader& config);
base::Result<model::Inventory> read_granitemoe(ConfigReader& config);
base::Result<model::Inventory> read_internlm2(ConfigReader& config);
base::Result<model::Inventory> read_jamba(ConfigReader& config);
base::Result<model::Inventory> read_kimi_k2(ConfigReader& config);
base::Result<model::Inventory> read_kimi_k25(ConfigReader& config);
base::Result<model::Inventory> read_kimi_linear(ConfigReader& config);
base::Result<model::Inventory> read_lfm2(ConfigReader& config);
base::Result<model::Inventory> read_llama(ConfigReader& config);
base::Result<model::Inventory> read_llama4(ConfigReader& config);
base::Result<model::Inventory> read_llava(ConfigReader& config);
base::Result<model::Inventory> read_mamba(ConfigReader& config);
base::Result<model::Inventory> read_mamba2(ConfigReader& config);
base::Result<model::Inventory> read_mimo(ConfigReader& config);
base::Result<model::Inventory> read_mimo_v2_flash(ConfigReader& config);
base::Result<model::Inventory> read_minicpm(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m1(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m2(ConfigReader& config);
base::Result<model::Inventory> read_minimax_m3(ConfigReader& config);
base::Result<model::Inventory> read_ministral3(ConfigReader& config);
// The text decoder alone; `outer` is the configuration around it, or nullptr.
base::Result<model::Inventory> read_ministral3_text(ConfigReader& config, ConfigReader* outer);
base::Result<model::Inventory> read_mistral(ConfigReader& config);
base::Result<model::Inventory> read_mistral3(ConfigReader& config);
base::Result<model::Inventory> read_mixtral(ConfigReader& config);
base::Result<model::Inventory> read_mllama(ConfigReader& config);
base::Result<model::Inventory> read_mpt(ConfigReader& config);
base::Result<model::Inventory> read_nemotron_h(ConfigReader& config);
base::Result<model::Inventory> read_nemotron_nas(ConfigReader& config);
base::Result<model::Inventory> read_olmo(ConfigReader& config);
base::Result<model::Inventory> read_olmo2(ConfigReader& config);
base::Result<model::Inventory> read_olmo3(ConfigReader& config);
base::Result<model::Inventory> read_opt(ConfigReader& config);
base::Result<model::Inventory> read_orion(ConfigReader& config);
base::Result<model::Inventory> read_pangu_embedded(ConfigReader& config);
base::Result<model::Inventory> read_phi(ConfigReader& config);
base::Result<model::Inventory> read_phi3(ConfigReader& config);
base::Result<model::Inventory> read_phi3small(ConfigReader& config);
base::Result<model::Inventory> read_phimoe(ConfigReader& config);
base::Result<model::Inventory> read_qwen(ConfigReader& config);
base::Result<model::Inventory> read_qwen2(ConfigReader& config);
base::Result<model::Inventory> read_qwen2_5_vl(ConfigReader& config);
base::Result<model::Inventory> read_qwen2_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen2_vl(ConfigReader& config);
base::Result<model::Inventory> read_qwen3(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_moe_text(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_5_text(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_moe(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_next(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_vl(ConfigReader& config);
base::Result<model::Inventory> read_qwen3_vl_moe(ConfigReader& config);
base::Result<model::Inventory> read_roberta(ConfigReader& config);
base::Result<model::Inventory> read_smollm3(ConfigReader& config);
base::Result<model::Inventory> read_stablelm(ConfigReader& config);
base::Result<model::Inventory> read_starcoder2(ConfigReader& config);
base::Result<model::Inventory> read_t5(ConfigReader& config);
base::Result<model::Inventory> read_whisper(ConfigReader& config);

}  // namespace ullage::import
