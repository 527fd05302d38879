// The table of families.
#include "import/family.hpp"

#include <algorithm>
#include <array>

#include "import/families/families.hpp"

namespace ullage::import {

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"PanguEmbedded", "dense decoder, biases on attention",
       "modeling_openpangu_dense.py of the publisher", read_pangu_embedded},
      {"RefinedWeb", "Falcon 40B by its first name", "transformers models/falcon", read_falcon},
      {"RefinedWebModel", "Falcon 7B by its first name", "transformers models/falcon", read_falcon},
      {"apertus", "dense decoder, ungated MLP with a trained activation",
       "transformers models/apertus", read_apertus},
      {"arcee", "dense decoder, ungated MLP", "transformers models/arcee", read_arcee},
      {"arctic", "mixture beside a dense MLP", "vLLM arctic", read_arctic},
      {"baichuan", "dense decoder (Baichuan 1 and 2)", "modeling_baichuan.py of the publisher",
       read_baichuan},
      {"bailing_moe", "mixture with shared experts (Ling, Ring)",
       "modeling_bailing_moe.py of the publisher", read_bailing_moe},
      {"bailing_moe_v2", "Ling 2 by its second name", "modeling_bailing_moe_v2.py of the publisher",
       read_bailing_moe},
      {"bamba", "Mamba-2 beside attention, MLP", "transformers models/bamba", read_bamba},
      {"bert", "text encoder", "transformers models/bert", read_bert},
      {"bloom", "dense decoder, ALiBi, norm behind the table", "transformers models/bloom",
       read_bloom},
      {"chatglm", "dense decoder, grouped KV heads (ChatGLM2, 3, GLM-4-9B)",
       "modeling_chatglm.py of the publisher", read_chatglm},
      {"cohere", "dense decoder, one layer norm a layer (Command R)", "transformers models/cohere",
       read_cohere},
      {"cohere2", "dense decoder, windows in three of four layers", "transformers models/cohere2",
       read_cohere2},
      {"cohere2_vision", "Command A behind a SigLIP 2 tower", "transformers models/cohere2_vision",
       read_cohere2_vision},
      {"dbrx", "mixture of experts, grouped-query attention", "transformers models/dbrx",
       read_dbrx},
      {"deepseek", "mixture with shared experts, full attention (DeepSeek-MoE)",
       "DeepSeek-MoE modeling_deepseek.py", read_deepseek},
      {"deepseek_native", "DeepSeek-V2 to V3.2 in the publisher's own schema",
       "DeepSeek-V3 inference/model.py", read_deepseek_native},
      {"deepseek_ref", "DeepSeek-V4 by the name of its FP8 conversions",
       "transformers models/deepseek_v4", read_deepseek_v4},
      {"deepseek_v2", "mixture, latent attention", "transformers models/deepseek_v2",
       read_deepseek_v2},
      {"deepseek_v3", "mixture, latent attention, MTP (V3, V3.1, R1)",
       "transformers models/deepseek_v3", read_deepseek_v3},
      {"deepseek_v32", "mixture, latent attention with an indexer, MTP",
       "DeepSeek-V3.2-Exp inference/model.py", read_deepseek_v32},
      {"deepseek_v4", "mixture, windows beside compressed entries, hyper-connections, MTP",
       "transformers models/deepseek_v4", read_deepseek_v4},
      {"deepseek_vl_v2", "DeepSeek mixture behind SigLIP (VL2), or SAM with another encoder (OCR)",
       "modeling_deepseek_vl_v2.py of the publisher", read_deepseek_vl_v2},
      {"dots1", "mixture with shared experts, q/k norms", "transformers models/dots1", read_dots1},
      {"ernie4_5", "dense decoder, tied head", "transformers models/ernie4_5", read_ernie4_5},
      {"ernie4_5_moe", "mixture with shared experts, MTP", "transformers models/ernie4_5_moe",
       read_ernie4_5_moe},
      {"exaone", "dense decoder (EXAONE 3 and 3.5)", "modeling_exaone.py of the publisher",
       read_exaone},
      {"exaone4", "dense decoder, q/k norms, windows", "transformers models/exaone4", read_exaone4},
      {"exaone_moe", "mixture, windows in three of four layers, MTP (K-EXAONE)",
       "transformers models/exaone_moe", read_exaone_moe},
      {"falcon", "dense decoder, one KV head or grouped heads", "transformers models/falcon",
       read_falcon},
      {"falcon_h1", "Mamba-2 and attention in every layer", "transformers models/falcon_h1",
       read_falcon_h1},
      {"falcon_mamba", "state space, inner norms without weights",
       "transformers models/falcon_mamba", read_falcon_mamba},
      {"gemma", "dense decoder, tied head", "transformers models/gemma", read_gemma},
      {"gemma2", "dense decoder, four norms, windows in every second layer",
       "transformers models/gemma2", read_gemma2},
      {"gemma3", "Gemma 3 with its SigLIP tower", "transformers models/gemma3", read_gemma3},
      {"gemma3_text", "dense decoder, q/k norms, windows in five of six layers",
       "transformers models/gemma3", read_gemma3_text},
      {"gemma3n", "Gemma 3n with its encoders", "transformers models/gemma3n", read_gemma3n},
      {"gemma3n_text", "four streams, windows, layers that share KV", "transformers models/gemma3n",
       read_gemma3n_text},
      {"gemma4", "Gemma 4 with its encoders", "transformers models/gemma4", read_gemma4},
      {"gemma4_text", "windows, wide heads in full layers, layers that share KV, experts",
       "transformers models/gemma4", read_gemma4_text},
      {"glm", "dense decoder, biases on q, k and v (GLM-4-9B)", "transformers models/glm",
       read_glm},
      {"glm4", "dense decoder, four norms (GLM-4 0414)", "transformers models/glm4", read_glm4},
      {"glm4_moe", "mixture, grouped-query attention, MTP (GLM-4.5 to 4.7)",
       "transformers models/glm4_moe", read_glm4_moe},
      {"glm4_moe_lite", "mixture, latent attention, MTP (GLM-4.7-Flash)",
       "transformers models/glm4_moe_lite", read_glm4_moe_lite},
      {"glm4v", "GLM-4 0414 behind a tower (GLM-4.1V, 4.6V-Flash)", "transformers models/glm4v",
       read_glm4v},
      {"glm4v_moe", "GLM-4.5 behind a tower (GLM-4.5V, 4.6V)", "transformers models/glm4v_moe",
       read_glm4v_moe},
      {"glm5_next", "mixture, delta attention beside sparse latent attention, MTP, vision tower",
       "transformers models/glm5_next", read_glm5_next},
      {"glm_moe_dsa", "mixture, latent attention with an indexer, MTP (GLM-5)",
       "transformers models/glm_moe_dsa", read_glm_moe_dsa},
      {"gpt2", "dense decoder, learned positions", "transformers models/gpt2", read_gpt2},
      {"gpt_bigcode", "dense decoder, one KV head (SantaCoder, StarCoder)",
       "transformers models/gpt_bigcode", read_gpt_bigcode},
      {"gpt_neo", "dense decoder, learned positions", "transformers models/gpt_neo", read_gpt_neo},
      {"gpt_neox", "dense decoder, parallel attention (Pythia, RedPajama)",
       "transformers models/gpt_neox", read_gpt_neox},
      {"gpt_neox_reward_model", "GPT-NeoX with a score in place of the head",
       "model_training of Open-Assistant", read_gpt_neox_reward_model},
      {"gpt_oss", "mixture with biases, sinks and alternating windows",
       "transformers models/gpt_oss", read_gpt_oss},
      {"gptj", "dense decoder, one norm a layer", "transformers models/gptj", read_gptj},
      {"granite", "dense decoder, grouped-query attention", "transformers models/granite",
       read_granite},
      {"granitemoe", "mixture of experts, grouped-query attention",
       "transformers models/granitemoe", read_granitemoe},
      {"granitemoehybrid", "Mamba-2 beside attention, experts or an MLP (Granite 4)",
       "transformers models/granitemoehybrid", read_granitemoehybrid},
      {"grok-1", "mixture of experts, four norms", "grok-1 model.py", read_grok1},
      {"hunyuan", "mixture with a shared MLP (Hunyuan-A13B)",
       "modeling_hunyuan.py of the publisher", read_hunyuan_moe},
      {"hunyuan_v1_dense", "dense decoder, q/k norms", "transformers models/hunyuan_v1_dense",
       read_hunyuan_dense},
      {"hunyuan_v1_moe", "mixture with a shared MLP (Hunyuan-A13B)",
       "transformers models/hunyuan_v1_moe", read_hunyuan_moe},
      {"hy_v3", "mixture with a shared expert, q/k norms, MTP (Hunyuan 3)",
       "transformers models/hy_v3", read_hy_v3},
      {"internlm", "dense decoder, biases on attention (the first InternLM)",
       "modeling_internlm.py of the publisher", read_internlm},
      {"internlm2", "dense decoder (InternLM 2 and 2.5)", "modeling_internlm2.py of the publisher",
       read_internlm2},
      {"internvl", "InternViT before a Qwen, Llama or InternLM", "transformers models/internvl",
       read_internvl},
      {"internvl_chat", "InternViT before a Qwen, Llama or InternLM, the publisher's form",
       "modeling_internvl_chat.py of the publisher", read_internvl_chat},
      {"jamba", "Mamba beside attention, mixture", "transformers models/jamba", read_jamba},
      {"kimi_k2", "mixture, latent attention", "transformers models/deepseek_v3", read_kimi_k2},
      {"kimi_k25", "Kimi-K2 with a vision tower", "Kimi-K2.5 modeling_kimi_k25.py", read_kimi_k25},
      {"kimi_k3", "mixture in a narrower width, delta beside latent attention, a tower",
       "Kimi-K3 modeling_kimi_linear.py", read_kimi_k3},
      {"kimi_linear", "mixture, Kimi delta attention beside latent attention",
       "Kimi-Linear modeling_kimi.py", read_kimi_linear},
      {"kimi_vl", "Moonlight behind MoonViT", "Kimi-VL modeling_kimi_vl.py", read_kimi_vl},
      {"lfm2", "short convolutions beside attention", "transformers models/lfm2", read_lfm2},
      {"lfm2-vl", "LFM2-VL by its first name", "transformers models/lfm2_vl", read_lfm2_vl},
      {"lfm2_moe", "short convolutions beside attention, mixture", "transformers models/lfm2_moe",
       read_lfm2_moe},
      {"lfm2_vl", "LFM2 behind a SigLIP 2 tower", "transformers models/lfm2_vl", read_lfm2_vl},
      {"llama", "dense decoder, grouped-query attention", "transformers models/llama", read_llama},
      {"llama4", "mixture of experts in some layers, chunks, a tower", "transformers models/llama4",
       read_llama4},
      {"llama_native", "Llama 1 to 3 in the publisher's own schema (params.json)", "llama model.py",
       read_llama_native},
      {"llava", "CLIP or Pixtral tower before a Llama or Mistral", "transformers models/llava",
       read_llava},
      {"llava_next", "LLaVA with tiles (1.6)", "transformers models/llava_next", read_llava_next},
      {"mamba", "state space", "transformers models/mamba", read_mamba},
      {"mamba2", "state space (second version)", "transformers models/mamba2", read_mamba2},
      {"mimo", "dense decoder with prediction layers", "modeling_mimo.py of the publisher",
       read_mimo},
      {"mimo_v2_flash", "mixture, full and windowed attention, MTP",
       "MiMo-V2-Flash modeling_mimo_v2_flash.py", read_mimo_v2_flash},
      {"minicpm", "dense decoder or mixture, tied head", "modeling_minicpm.py of the publisher",
       read_minicpm},
      {"minicpm3", "dense decoder, latent attention", "transformers models/minicpm3",
       read_minicpm3},
      {"minimax", "mixture, lightning beside softmax attention", "transformers models/minimax",
       read_minimax_m1},
      {"minimax_m1", "mixture, lightning beside softmax attention",
       "MiniMax-M1 modeling_minimax_m1.py", read_minimax_m1},
      {"minimax_m2", "mixture, norms over the whole width of q and k",
       "transformers models/minimax_m2", read_minimax_m2},
      {"minimax_m3", "mixture, sparse attention with an indexer (text only)",
       "transformers models/minimax_m3_vl", read_minimax_m3},
      {"minimax_m3_vl", "MiniMax-M3 behind a tower", "transformers models/minimax_m3_vl",
       read_minimax_m3_vl},
      {"minimax_text_01", "mixture, lightning beside softmax attention",
       "MiniMax-Text-01 modeling_minimax_text_01.py", read_minimax_m1},
      {"ministral3", "dense decoder, alone or with a Pixtral tower",
       "transformers models/ministral3", read_ministral3},
      {"mistral", "dense decoder, grouped-query attention", "transformers models/mistral",
       read_mistral},
      {"mistral3", "Pixtral tower before a Mistral or Ministral", "transformers models/mistral3",
       read_mistral3},
      {"mistral4", "mixture, latent attention (Mistral Small 4)", "transformers models/mistral4",
       read_mistral4},
      {"mistral_native", "Mistral and Mixtral in the publisher's own schema (params.json)",
       "mistral-inference transformer.py", read_mistral_native},
      {"mixformer-sequential", "Phi by its first name", "transformers models/phi", read_phi},
      {"mixtral", "mixture of experts, grouped-query attention", "transformers models/mixtral",
       read_mixtral},
      {"mllama", "Llama 3.2 Vision: cross-attention layers, a tower", "transformers models/mllama",
       read_mllama},
      {"modernbert", "text encoder, rotary positions, gated MLP", "transformers models/modernbert",
       read_modernbert},
      {"molmo", "OLMo or Qwen2 behind a CLIP tower", "modeling_molmo.py of the publisher",
       read_molmo},
      {"mpt", "dense decoder, ALiBi, no biases", "transformers models/mpt", read_mpt},
      {"nemotron-nas", "layers from block_configs (Llama-Nemotron)", "modeling_decilm.py",
       read_nemotron_nas},
      {"nemotron_h", "Mamba-2, attention, MLP and mixture layers, MTP", "modeling_nemotron_h.py",
       read_nemotron_h},
      {"olmo", "dense decoder, norms without weights", "transformers models/olmo", read_olmo},
      {"olmo2", "dense decoder, q/k norms over all heads", "transformers models/olmo2", read_olmo2},
      {"olmo3", "OLMo 2 with windows in three of four layers", "transformers models/olmo3",
       read_olmo3},
      {"olmoe", "mixture, q/k norms over all heads", "transformers models/olmoe", read_olmoe},
      {"opt", "dense decoder, learned positions", "transformers models/opt", read_opt},
      {"orion", "dense decoder, layer norms with biases", "modeling_orion.py of the publisher",
       read_orion},
      {"phi", "dense decoder, one norm a layer, biases (Phi-1.5, 2)", "transformers models/phi",
       read_phi},
      {"phi3", "dense decoder (Phi-3, 3.5 and 4)", "transformers models/phi3", read_phi3},
      {"phi3small", "dense decoder, biases, block-sparse layers",
       "modeling_phi3_small.py of the publisher", read_phi3small},
      {"phimoe", "mixture of experts, biases on attention and head", "transformers models/phimoe",
       read_phimoe},
      {"qwen", "dense decoder (Qwen 1, Qwen-VL)", "modeling_qwen.py of the publisher", read_qwen},
      {"qwen2", "dense decoder, q/k/v biases (also Qwen2.5)", "transformers models/qwen2",
       read_qwen2},
      {"qwen2_5_vl", "Qwen2.5 with a windowed tower", "transformers models/qwen2_5_vl",
       read_qwen2_5_vl},
      {"qwen2_moe", "mixture of experts with a shared expert", "transformers models/qwen2_moe",
       read_qwen2_moe},
      {"qwen2_vl", "Qwen2 with a tower", "transformers models/qwen2_vl", read_qwen2_vl},
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
      {"qwen3_vl", "Qwen3 with a tower of several depths", "transformers models/qwen3_vl",
       read_qwen3_vl},
      {"qwen3_vl_moe", "Qwen3 mixture with a tower of several depths",
       "transformers models/qwen3_vl_moe", read_qwen3_vl_moe},
      {"roberta", "text encoder", "transformers models/roberta", read_roberta},
      {"rwkv", "RWKV-4: a state and no cache", "transformers models/rwkv", read_rwkv},
      {"rwkv5", "RWKV-5 (Eagle): a state for each head", "modeling_rwkv5.py of the publisher",
       read_rwkv5},
      {"rwkv6", "RWKV-6 (Finch): a state for each head", "modeling_rwkv6.py of the publisher",
       read_rwkv6},
      {"seed_oss", "dense decoder, q/k/v biases", "transformers models/seed_oss", read_seed_oss},
      {"smollm3", "dense decoder, tied head", "transformers models/smollm3", read_smollm3},
      {"stablelm", "dense decoder, layer norms with biases", "transformers models/stablelm",
       read_stablelm},
      {"starcoder2", "dense decoder, ungated MLP, biases", "transformers models/starcoder2",
       read_starcoder2},
      {"step3p5", "mixture, windows with other heads, gates, MTP",
       "modeling_step3p5.py of the publisher", read_step3p5},
      {"step3p7", "Step-3.5 behind a tower", "transformers models/step3p7", read_step3p7},
      {"t5", "encoder and decoder, relative positions", "transformers models/t5", read_t5},
      {"whisper", "audio encoder and text decoder", "transformers models/whisper", read_whisper},
      {"xlm-roberta", "text encoder", "transformers models/xlm_roberta", read_roberta},
  };
  return table;
}

bool is_refused(std::string_view model_type) {
  return model_type == "logics";
}

std::string_view rounded_total(std::string_view model_type) {
  struct Rounded {
    std::string_view model_type;
    std::string_view total;
  };
  static constexpr std::array<Rounded, 15> kRounded{
      Rounded{"arctic", "Arctic: 480B, 17B active"},
      Rounded{"dbrx", "DBRX: 132B, 36B active"},
      Rounded{"grok-1", "Grok-1: 316.49 B with the table twice"},
      Rounded{"hunyuan", "Hunyuan-A13B: 80B, 13B active"},
      Rounded{"hunyuan_v1_dense", "Hunyuan-1.8B: 1.8B"},
      Rounded{"hunyuan_v1_moe", "Hunyuan-A13B: 80B, 13B active"},
      Rounded{"kimi_k3", "Kimi-K3: 2.8T"},
      Rounded{"mamba2", "mamba2-780m: 780M"},
      Rounded{"minicpm3", "MiniCPM3-4B: 4B"},
      Rounded{"minimax_m3", "MiniMax-M3: 427B with its tower"},
      Rounded{"minimax_m3_vl", "MiniMax-M3: 427B, 26B active"},
      Rounded{"mistral4", "Mistral-Small-4: 119B"},
      Rounded{"orion", "Orion-14B: 14.50 B"},
      Rounded{"step3p7", "Step-3.7-Flash: 198B, 11B active"},
      Rounded{"internlm", "InternLM-7B: 7B"},
  };
  const auto found = std::find_if(kRounded.begin(), kRounded.end(), [&](const Rounded& rounded) {
    return rounded.model_type == model_type;
  });
  return found == kRounded.end() ? std::string_view() : found->total;
}

namespace {

// Letters and digits alone, in lower case.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) plain += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

}  // namespace

const Family* family_of_classes(const std::vector<std::string>& classes) {
  if (classes.empty()) return nullptr;
  const std::string_view name = classes.front();
  const std::size_t end = std::min(name.find("For"), name.find("LMHead"));
  const bool bare = end == std::string_view::npos && name.ends_with("Model");
  const std::string wanted =
      plain_name(bare ? name.substr(0, name.size() - 5) : name.substr(0, end));
  const auto& table = families();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Family& family) {
    return plain_name(family.model_type) == wanted;
  });
  return found == table.end() ? nullptr : &*found;
}

const Family* recognise(const document::Value& root) {
  const auto has = [&](std::initializer_list<std::string_view> keys) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return root.find(key) != nullptr; });
  };
  if (has({"dim", "n_layers", "kv_lora_rank", "n_activated_experts"}))
    return find_family("deepseek_native");
  if (has({"dim", "n_layers", "n_heads", "hidden_dim"})) return find_family("mistral_native");
  if (has({"dim", "n_layers", "n_heads", "multiple_of"})) return find_family("llama_native");
  return nullptr;
}

const Family* find_family(std::string_view model_type) {
  const auto& table = families();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Family& f) { return f.model_type == model_type; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace ullage::import
