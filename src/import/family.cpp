// The table of families.
#include "import/family.hpp"

#include <algorithm>

#include "import/families/families.hpp"

namespace ullage::import {

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"deepseek", "mixture with shared experts, full attention (DeepSeek-MoE)",
       "DeepSeek-MoE modeling_deepseek.py", read_deepseek},
      {"deepseek_v2", "mixture, latent attention", "transformers models/deepseek_v2",
       read_deepseek_v2},
      {"deepseek_v3", "mixture, latent attention, MTP (V3, V3.1, R1)",
       "transformers models/deepseek_v3", read_deepseek_v3},
      {"deepseek_v32", "mixture, latent attention with an indexer, MTP",
       "DeepSeek-V3.2-Exp inference/model.py", read_deepseek_v32},
      {"falcon_h1", "Mamba-2 and attention in every layer", "transformers models/falcon_h1",
       read_falcon_h1},
      {"glm4_moe", "mixture, grouped-query attention, MTP (GLM-4.5 to 4.7)",
       "transformers models/glm4_moe", read_glm4_moe},
      {"glm5_next", "mixture, delta attention beside sparse latent attention, MTP, vision tower",
       "transformers models/glm5_next", read_glm5_next},
      {"glm_moe_dsa", "mixture, latent attention with an indexer, MTP (GLM-5)",
       "transformers models/glm_moe_dsa", read_glm_moe_dsa},
      {"gpt_oss", "mixture with biases, sinks and alternating windows",
       "transformers models/gpt_oss", read_gpt_oss},
      {"jamba", "Mamba beside attention, mixture", "transformers models/jamba", read_jamba},
      {"kimi_k2", "mixture, latent attention", "transformers models/deepseek_v3", read_kimi_k2},
      {"kimi_k25", "Kimi-K2 with a vision tower", "Kimi-K2.5 modeling_kimi_k25.py", read_kimi_k25},
      {"kimi_linear", "mixture, Kimi delta attention beside latent attention",
       "Kimi-Linear modeling_kimi.py", read_kimi_linear},
      {"lfm2", "short convolutions beside attention", "transformers models/lfm2", read_lfm2},
      {"llama", "dense decoder, grouped-query attention", "transformers models/llama", read_llama},
      {"mamba", "state space", "transformers models/mamba", read_mamba},
      {"mamba2", "state space (second version)", "transformers models/mamba2", read_mamba2},
      {"mimo_v2_flash", "mixture, full and windowed attention, MTP",
       "MiMo-V2-Flash modeling_mimo_v2_flash.py", read_mimo_v2_flash},
      {"minimax_m1", "mixture, lightning beside softmax attention",
       "MiniMax-M1 modeling_minimax_m1.py", read_minimax_m1},
      {"minimax_m2", "mixture, norms over the whole width of q and k",
       "transformers models/minimax_m2", read_minimax_m2},
      {"minimax_m3", "mixture, sparse attention with an indexer (text only)", "vLLM minimax_m3",
       read_minimax_m3},
      {"minimax_text_01", "mixture, lightning beside softmax attention",
       "MiniMax-Text-01 modeling_minimax_text_01.py", read_minimax_m1},
      {"mistral", "dense decoder, grouped-query attention", "transformers models/mistral",
       read_mistral},
      {"mixtral", "mixture of experts, grouped-query attention", "transformers models/mixtral",
       read_mixtral},
      {"nemotron-nas", "layers from block_configs (Llama-Nemotron)", "modeling_decilm.py",
       read_nemotron_nas},
      {"nemotron_h", "Mamba-2, attention, MLP and mixture layers, MTP", "modeling_nemotron_h.py",
       read_nemotron_h},
      {"qwen2", "dense decoder, q/k/v biases (also Qwen2.5)", "transformers models/qwen2",
       read_qwen2},
      {"qwen2_moe", "mixture of experts with a shared expert", "transformers models/qwen2_moe",
       read_qwen2_moe},
      {"qwen3", "dense decoder, q/k norms", "transformers models/qwen3", read_qwen3},
      {"qwen3_5", "gated delta net beside attention, vision tower, MTP",
       "transformers models/qwen3_5", read_qwen3_5},
      {"qwen3_5_moe", "mixture, gated delta net beside attention, vision tower, MTP",
       "transformers models/qwen3_5_moe", read_qwen3_5_moe},
      {"qwen3_5_moe_text", "the text model of qwen3_5_moe", "transformers models/qwen3_5_moe",
       read_qwen3_5_moe_text},
      {"qwen3_5_text", "the text model of qwen3_5", "transformers models/qwen3_5",
       read_qwen3_5_text},
      {"qwen3_moe", "mixture of experts, q/k norms", "transformers models/qwen3_moe",
       read_qwen3_moe},
      {"qwen3_next", "mixture, gated delta net beside attention, MTP",
       "transformers models/qwen3_next", read_qwen3_next},
  };
  return table;
}

const Family* find_family(std::string_view model_type) {
  const auto& table = families();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Family& f) { return f.model_type == model_type; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace ullage::import
