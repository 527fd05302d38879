// Totals that others publish, against configurations with the numbers of the published models.
// docs/families.md names where each total stands.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;

namespace {

struct Published {
  const char* model;
  std::int64_t total;
  bool stored;  // the total counts what the checkpoint stores twice
  const char* config;
};

const Published kPublished[] = {
    {"Baichuan-7B", 7000559616, false,
     R"({"model_type": "baichuan", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 11008,
         "vocab_size": 64000})"},
    {"Baichuan-13B", 13264901120, false,
     R"({"model_type": "baichuan", "hidden_size": 5120, "num_hidden_layers": 40,
         "num_attention_heads": 40, "num_key_value_heads": 40, "intermediate_size": 13696,
         "vocab_size": 64000})"},
    {"bert-tiny", 4385920, false,
     R"({"model_type": "bert", "hidden_size": 128, "num_hidden_layers": 2,
         "num_attention_heads": 2, "intermediate_size": 512, "vocab_size": 30522,
         "max_position_embeddings": 512, "architectures": ["BertModel"]})"},
    {"bert-small", 28763648, false,
     R"({"model_type": "bert", "hidden_size": 512, "num_hidden_layers": 4,
         "num_attention_heads": 8, "intermediate_size": 2048, "vocab_size": 30522,
         "max_position_embeddings": 512, "architectures": ["BertModel"]})"},
    {"bert-medium", 41373184, false,
     R"({"model_type": "bert", "hidden_size": 512, "num_hidden_layers": 8,
         "num_attention_heads": 8, "intermediate_size": 2048, "vocab_size": 30522,
         "max_position_embeddings": 512, "architectures": ["BertModel"]})"},
    {"bert-base", 109482240, false,
     R"({"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12,
         "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30522,
         "max_position_embeddings": 512, "architectures": ["BertModel"]})"},
    {"bert-large", 335141888, false,
     R"({"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24,
         "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 30522,
         "max_position_embeddings": 512, "architectures": ["BertModel"]})"},
    {"xlm-roberta-base", 278043648, false,
     R"({"model_type": "xlm-roberta", "hidden_size": 768, "num_hidden_layers": 12,
         "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 250002,
         "max_position_embeddings": 514, "type_vocab_size": 1, "architectures":
         ["XLMRobertaModel"]})"},
    {"xlm-roberta-large", 559890432, false,
     R"({"model_type": "xlm-roberta", "hidden_size": 1024, "num_hidden_layers": 24,
         "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 250002,
         "max_position_embeddings": 514, "type_vocab_size": 1, "architectures":
         ["XLMRobertaModel"]})"},
    {"bge-reranker-large without its 514 position ids", 559891457, false,
     R"({"model_type": "xlm-roberta", "hidden_size": 1024, "num_hidden_layers": 24,
         "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 250002,
         "max_position_embeddings": 514, "type_vocab_size": 1, "architectures":
         ["XLMRobertaForSequenceClassification"], "id2label": {"0": "L"}})"},
    {"granite-embedding-125m-english", 124645632, false,
     R"({"model_type": "roberta", "hidden_size": 768, "num_hidden_layers": 12,
         "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 50265,
         "max_position_embeddings": 514, "type_vocab_size": 1, "architectures":
         ["RobertaModel"]})"},
    {"granite-embedding-30m-english", 30295296, false,
     R"({"model_type": "roberta", "hidden_size": 384, "num_hidden_layers": 6,
         "num_attention_heads": 12, "intermediate_size": 1536, "vocab_size": 50265,
         "max_position_embeddings": 514, "type_vocab_size": 2, "architectures":
         ["RobertaModel"]})"},
    {"aya-23-8B", 8028033024, false,
     R"({"model_type": "cohere", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
         "vocab_size": 256000})"},
    {"aya-expanse-32b", 32296476672, false,
     R"({"model_type": "cohere", "hidden_size": 8192, "num_hidden_layers": 40,
         "num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 24576,
         "vocab_size": 256000})"},
    {"c4ai-command-r-plus-08-2024", 103810674688, false,
     R"({"model_type": "cohere", "hidden_size": 12288, "num_hidden_layers": 64,
         "num_attention_heads": 96, "num_key_value_heads": 8, "intermediate_size": 33792,
         "vocab_size": 256000, "use_qk_norm": true})"},
    {"c4ai-command-a-03-2025", 111057580032, false,
     R"({"model_type": "cohere2", "hidden_size": 12288, "num_hidden_layers": 64,
         "num_attention_heads": 96, "num_key_value_heads": 8, "intermediate_size": 36864,
         "vocab_size": 256000, "sliding_window": 4096, "sliding_window_pattern": 4})"},
    {"c4ai-command-r7b-12-2024", 8028033024, false,
     R"({"model_type": "cohere2", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
         "vocab_size": 256000, "sliding_window": 4096, "sliding_window_pattern": 4})"},
    {"tiny-aya-base", 3349227520, false,
     R"({"model_type": "cohere2", "hidden_size": 2048, "num_hidden_layers": 36,
         "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 11008,
         "vocab_size": 262144, "sliding_window": 4096})"},
    {"EXAONE-3.5-2.4B", 2405327360, false,
     R"({"model_type": "exaone", "hidden_size": 2560, "num_layers": 30, "num_attention_heads":
         32, "num_key_value_heads": 8, "head_dim": 80, "intermediate_size": 7168, "vocab_size":
         102400, "tie_word_embeddings": true})"},
    {"EXAONE-Deep-7.8B", 7818448896, false,
     R"({"model_type": "exaone", "hidden_size": 4096, "num_layers": 32, "num_attention_heads":
         32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 102400,
         "tie_word_embeddings": false})"},
    {"EXAONE-4.0-1.2B", 1279391488, false,
     R"({"model_type": "exaone4", "hidden_size": 2048, "num_hidden_layers": 30,
         "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 4096,
         "vocab_size": 102400, "head_dim": 64, "tie_word_embeddings": true})"},
    {"GLM-4-9B-0414", 9400279040, false,
     R"({"model_type": "glm4", "hidden_size": 4096, "num_hidden_layers": 40,
         "num_attention_heads": 32, "num_key_value_heads": 2, "intermediate_size": 13696,
         "vocab_size": 151552, "head_dim": 128, "attention_bias": true})"},
    {"glm-4-9b-chat-hf", 9399951360, false,
     R"({"model_type": "glm", "hidden_size": 4096, "num_hidden_layers": 40,
         "num_attention_heads": 32, "num_key_value_heads": 2, "intermediate_size": 13696,
         "vocab_size": 151552, "head_dim": 128, "attention_bias": true})"},
    {"glm-edge-4b-chat", 4327984128, false,
     R"({"model_type": "glm", "hidden_size": 3072, "num_hidden_layers": 40,
         "num_attention_heads": 24, "num_key_value_heads": 6, "intermediate_size": 8192,
         "vocab_size": 59264, "head_dim": 128, "attention_bias": false, "tie_word_embeddings":
         false})"},
    {"gpt2", 124439808, false,
     R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions":
         1024, "vocab_size": 50257})"},
    {"gpt2-medium", 354823168, false,
     R"({"model_type": "gpt2", "n_embd": 1024, "n_layer": 24, "n_head": 16, "n_positions":
         1024, "vocab_size": 50257})"},
    {"gpt2-large", 774030080, false,
     R"({"model_type": "gpt2", "n_embd": 1280, "n_layer": 36, "n_head": 20, "n_positions":
         1024, "vocab_size": 50257})"},
    {"gpt2-xl", 1557611200, false,
     R"({"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25, "n_positions":
         1024, "vocab_size": 50257})"},
    {"PowerMoE-3b without the head stored again", 3298788864, false,
     R"({"model_type": "granitemoe", "hidden_size": 1536, "num_hidden_layers": 32,
         "num_attention_heads": 24, "num_key_value_heads": 8, "intermediate_size": 512,
         "vocab_size": 49152, "num_local_experts": 40, "num_experts_per_tok": 8,
         "tie_word_embeddings": true})"},
    {"internlm2-chat-20b", 19861149696, false,
     R"({"model_type": "internlm2", "hidden_size": 6144, "num_hidden_layers": 48,
         "num_attention_heads": 48, "num_key_value_heads": 8, "intermediate_size": 16384,
         "vocab_size": 92544})"},
    {"llava-1.5-13b-hf", 13351494656, false,
     R"({"model_type": "llava", "text_config": {"model_type": "llama", "hidden_size": 5120,
         "intermediate_size": 13824, "num_hidden_layers": 40, "num_attention_heads": 40,
         "vocab_size": 32064}, "vision_config": {"model_type": "clip_vision_model",
         "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24,
         "num_attention_heads": 16, "patch_size": 14, "image_size": 336}})"},
    {"bakLlava-v1-hf", 7566743552, false,
     R"({"model_type": "llava", "text_config": {"model_type": "mistral", "hidden_size": 4096,
         "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
         "num_key_value_heads": 8, "vocab_size": 32064}, "vision_config": {"model_type":
         "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096,
         "num_hidden_layers": 24, "num_attention_heads": 16, "patch_size": 14, "image_size":
         336}})"},
    {"llava-v1.6-mistral-7b-hf", 7566747648, false,
     R"({"model_type": "llava_next", "text_config": {"model_type": "mistral", "hidden_size":
         4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
         "num_key_value_heads": 8, "vocab_size": 32064}, "vision_config": {"model_type":
         "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096,
         "num_hidden_layers": 24, "num_attention_heads": 16, "patch_size": 14, "image_size":
         336}})"},
    {"llava-v1.6-vicuna-7b-hf", 7063431168, false,
     R"({"model_type": "llava_next", "text_config": {"model_type": "llama", "vocab_size":
         32064}, "vision_config": {"model_type": "clip_vision_model", "hidden_size": 1024,
         "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16,
         "patch_size": 14, "image_size": 336}})"},
    {"pixtral-12b", 12682739712, false,
     R"({"model_type": "llava", "text_config": {"model_type": "mistral", "hidden_size": 5120,
         "intermediate_size": 14336, "num_hidden_layers": 40, "num_attention_heads": 32,
         "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 131072}, "vision_config":
         {"model_type": "pixtral", "image_size": 1024, "head_dim": 64, "hidden_size": 1024}})"},
    {"MiniCPM-Embedding", 2724880896, false,
     R"({"model_type": "minicpm", "hidden_size": 2304, "num_hidden_layers": 40,
         "num_attention_heads": 36, "num_key_value_heads": 36, "intermediate_size": 5760,
         "vocab_size": 122753})"},
    {"MiniCPM4-8B", 8185253888, false,
     R"({"model_type": "minicpm", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 2, "intermediate_size": 16384,
         "vocab_size": 73448, "tie_word_embeddings": false})"},
    {"OLMo-1B-hf", 1176764416, false,
     R"({"model_type": "olmo", "hidden_size": 2048, "num_hidden_layers": 16,
         "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 8192,
         "vocab_size": 50304, "tie_word_embeddings": true})"},
    {"OLMoE-1B-7B-0125", 6919161856, false,
     R"({"model_type": "olmoe", "hidden_size": 2048, "num_hidden_layers": 16,
         "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 1024,
         "vocab_size": 50304, "num_experts": 64, "num_experts_per_tok": 8})"},
    {"opt-125m", 125239296, false,
     R"({"model_type": "opt", "hidden_size": 768, "num_hidden_layers": 12,
         "num_attention_heads": 12, "ffn_dim": 3072, "vocab_size": 50272,
         "max_position_embeddings": 2048})"},
    {"opt-350m", 331196416, false,
     R"({"model_type": "opt", "hidden_size": 1024, "num_hidden_layers": 24,
         "num_attention_heads": 16, "ffn_dim": 4096, "vocab_size": 50272,
         "max_position_embeddings": 2048, "word_embed_proj_dim": 512, "do_layer_norm_before":
         false})"},
    {"Phi-mini-MoE-instruct", 7647632704, false,
     R"({"model_type": "phimoe", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 960,
         "vocab_size": 32064, "num_local_experts": 16, "num_experts_per_tok": 2,
         "attention_bias": true, "lm_head_bias": true})"},
    {"Phi-tiny-MoE-instruct", 3755220288, false,
     R"({"model_type": "phimoe", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 448,
         "vocab_size": 32064, "head_dim": 128, "num_local_experts": 16, "num_experts_per_tok":
         2, "attention_bias": true, "lm_head_bias": true})"},
    {"t5-small", 60506624, false,
     R"({"model_type": "t5", "d_model": 512, "num_layers": 6, "num_heads": 8, "d_kv": 64,
         "d_ff": 2048, "vocab_size": 32128})"},
    {"t5-base", 222903552, false,
     R"({"model_type": "t5", "d_model": 768, "num_layers": 12, "num_heads": 12, "d_kv": 64,
         "d_ff": 3072, "vocab_size": 32128})"},
    {"t5-large", 737668096, false,
     R"({"model_type": "t5", "d_model": 1024, "num_layers": 24, "num_heads": 16, "d_kv": 64,
         "d_ff": 4096, "vocab_size": 32128})"},
    {"flan-t5-small", 76961152, false,
     R"({"model_type": "t5", "d_model": 512, "num_layers": 8, "num_heads": 6, "d_kv": 64,
         "d_ff": 1024, "vocab_size": 32128, "feed_forward_proj": "gated-gelu",
         "tie_word_embeddings": false})"},
    {"flan-t5-base", 247577856, false,
     R"({"model_type": "t5", "d_model": 768, "num_layers": 12, "num_heads": 12, "d_kv": 64,
         "d_ff": 2048, "vocab_size": 32128, "feed_forward_proj": "gated-gelu",
         "tie_word_embeddings": false})"},
    {"whisper-tiny", 37760640, false,
     R"({"model_type": "whisper", "d_model": 384, "encoder_layers": 4, "decoder_layers": 4,
         "encoder_attention_heads": 6, "decoder_attention_heads": 6, "encoder_ffn_dim": 1536,
         "decoder_ffn_dim": 1536, "vocab_size": 51865, "num_mel_bins": 80,
         "max_source_positions": 1500, "max_target_positions": 448})"},
    {"whisper-base", 72593920, false,
     R"({"model_type": "whisper", "d_model": 512, "encoder_layers": 6, "decoder_layers": 6,
         "encoder_attention_heads": 8, "decoder_attention_heads": 8, "encoder_ffn_dim": 2048,
         "decoder_ffn_dim": 2048, "vocab_size": 51865, "num_mel_bins": 80,
         "max_source_positions": 1500, "max_target_positions": 448})"},
    {"whisper-small", 241734912, false,
     R"({"model_type": "whisper", "d_model": 768, "encoder_layers": 12, "decoder_layers": 12,
         "encoder_attention_heads": 12, "decoder_attention_heads": 12, "encoder_ffn_dim": 3072,
         "decoder_ffn_dim": 3072, "vocab_size": 51865, "num_mel_bins": 80,
         "max_source_positions": 1500, "max_target_positions": 448})"},
    {"whisper-medium", 763857920, false,
     R"({"model_type": "whisper", "d_model": 1024, "encoder_layers": 24, "decoder_layers": 24,
         "encoder_attention_heads": 16, "decoder_attention_heads": 16, "encoder_ffn_dim": 4096,
         "decoder_ffn_dim": 4096, "vocab_size": 51865, "num_mel_bins": 80,
         "max_source_positions": 1500, "max_target_positions": 448})"},
    {"whisper-large", 1543304960, false,
     R"({"model_type": "whisper", "d_model": 1280, "encoder_layers": 32, "decoder_layers": 32,
         "encoder_attention_heads": 20, "decoder_attention_heads": 20, "encoder_ffn_dim": 5120,
         "decoder_ffn_dim": 5120, "vocab_size": 51865, "num_mel_bins": 80,
         "max_source_positions": 1500, "max_target_positions": 448})"},
    {"mpt-7b", 6649286656, false,
     R"({"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32, "max_seq_len":
         2048, "vocab_size": 50432})"},
    {"Qwen3-VL-4B-Instruct", 4437815808, false,
     R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text",
         "hidden_size": 2560, "num_hidden_layers": 36, "num_attention_heads": 32,
         "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 9728, "vocab_size":
         151936, "tie_word_embeddings": true}, "tie_word_embeddings": true, "vision_config":
         {"depth": 24, "hidden_size": 1024, "intermediate_size": 4096, "in_channels": 3,
         "patch_size": 16, "temporal_patch_size": 2, "num_position_embeddings": 2304,
         "spatial_merge_size": 2, "out_hidden_size": 2560, "num_heads": 16,
         "deepstack_visual_indexes": [5, 11, 17]}})"},
    {"gemma-3-4b-it", 4300079472, false,
     R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560, "intermediate_size":
         10240, "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config":
         {"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27,
         "num_attention_heads": 16, "patch_size": 14, "image_size": 896}})"},
    {"gemma-3-270m", 268098176, false,
     R"({"model_type": "gemma3_text", "hidden_size": 640, "num_hidden_layers": 18,
         "num_attention_heads": 4, "num_key_value_heads": 1, "intermediate_size": 2048,
         "vocab_size": 262144, "head_dim": 256, "sliding_window": 512})"},
    {"gemma-3-12b-pt", 12187325040, false,
     R"({"model_type": "gemma3", "text_config": {"hidden_size": 3840, "intermediate_size":
         15360, "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 8,
         "sliding_window": 1024}, "vision_config": {"hidden_size": 1152, "intermediate_size":
         4304, "num_hidden_layers": 27, "num_attention_heads": 16, "patch_size": 14,
         "image_size": 896}})"},
};

}  // namespace

TEST_SUITE("import/published_plain") {
  TEST_CASE("encoders, dense decoders and those with eyes: as many weights as published") {
    for (const Published& row : kPublished) {
      CAPTURE(row.model);
      const auto counted = testing::count_config(row.config);
      CHECK((row.stored ? counted.stored : counted.total) == exact::Rational(row.total));
    }
  }
}
