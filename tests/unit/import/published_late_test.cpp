// Totals that others publish, for mixtures behind grouped-query attention, models with a tower,
// RWKV, and families of which only rounded totals are published. docs/families.md names where each
// total stands.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using exact::Rational;
using model::CacheKind;
using testing::count_config;
using testing::refusal_of;

namespace {

struct Published {
  const char* model;
  std::int64_t total;
  const char* config;
};

const Published kPublished[] = {
    {"K-EXAONE-236B-A23B", 237099669632,
     R"({"model_type": "exaone_moe", "hidden_size": 6144, "num_hidden_layers": 48,
         "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_experts": 128,
         "num_experts_per_tok": 8, "num_shared_experts": 1, "first_k_dense_replace": 1,
         "vocab_size": 153600, "sliding_window": 128, "sliding_window_pattern": "LLLG",
         "num_nextn_predict_layers": 1, "tie_word_embeddings": false})"},
    {"Seed-OSS-36B", 36151104512,
     R"({"model_type": "seed_oss", "hidden_size": 5120, "num_hidden_layers": 64,
         "num_attention_heads": 80, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 27648, "vocab_size": 155136, "attention_bias": true,
         "attention_out_bias": false, "tie_word_embeddings": false})"},
    {"dots.llm1", 142774381696,
     R"({"model_type": "dots1", "hidden_size": 4096, "num_hidden_layers": 62,
         "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 128,
         "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 128,
         "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1,
         "vocab_size": 152064, "tie_word_embeddings": false})"},
    {"Ling-lite", 16801974272,
     R"({"model_type": "bailing_moe", "hidden_size": 2048, "num_hidden_layers": 28,
         "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
         "intermediate_size": 5632, "moe_intermediate_size": 1408, "num_experts": 64,
         "num_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 0,
         "vocab_size": 126464, "tie_word_embeddings": false})"},
    {"Ling-mini-2.0", 16255643392,
     R"({"model_type": "bailing_moe_v2", "hidden_size": 2048, "num_hidden_layers": 20,
         "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
         "intermediate_size": 5120, "moe_intermediate_size": 512, "num_experts": 256,
         "num_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
         "use_qk_norm": true, "moe_router_enable_expert_bias": true,
         "num_nextn_predict_layers": 0, "vocab_size": 157184, "tie_word_embeddings": false})"},
    {"ERNIE-4.5-21B-A3B-Thinking", 21825437888,
     R"({"model_type": "ernie4_5_moe", "hidden_size": 2560, "num_hidden_layers": 28,
         "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128,
         "intermediate_size": 12288, "moe_intermediate_size": 1536, "moe_num_experts": 64,
         "moe_num_shared_experts": 2, "moe_k": 6, "moe_layer_start_index": 1,
         "moe_layer_end_index": 27, "moe_layer_interval": 1, "vocab_size": 103424,
         "tie_word_embeddings": true})"},
    {"ERNIE-4.5-300B-A47B, with its prediction module", 300474051776,
     R"({"model_type": "ernie4_5_moe", "hidden_size": 8192, "num_hidden_layers": 54,
         "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 28672, "moe_intermediate_size": 3584, "moe_num_experts": 64,
         "moe_num_shared_experts": 0, "moe_k": 8, "moe_layer_start_index": 3,
         "moe_layer_end_index": -1, "num_nextn_predict_layers": 1, "vocab_size": 103424,
         "tie_word_embeddings": false})"},
    {"AFM-4.5B", 4619184640,
     R"({"model_type": "arcee", "hidden_size": 2560, "num_hidden_layers": 36,
         "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128,
         "intermediate_size": 18432, "vocab_size": 128004, "tie_word_embeddings": false})"},
    {"Apertus-8B", 8053338176,
     R"({"model_type": "apertus", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 21504,
         "vocab_size": 131072, "qk_norm": true, "tie_word_embeddings": false})"},
    {"Hy3-preview", 298786155776,
     R"({"model_type": "hy_v3", "hidden_size": 4096, "num_hidden_layers": 80,
         "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 13312, "moe_intermediate_size": 1536, "num_experts": 192,
         "num_shared_experts": 1, "num_experts_per_tok": 8, "vocab_size": 120832,
         "num_nextn_predict_layers": 1, "tie_word_embeddings": false})"},
    {"GLM-4.1V-9B", 10292777472,
     R"({"model_type": "glm4v", "text_config": {"hidden_size": 4096, "num_hidden_layers": 40,
         "num_attention_heads": 32, "num_key_value_heads": 2, "intermediate_size": 13696,
         "vocab_size": 151552, "attention_bias": true, "tie_word_embeddings": false},
         "vision_config": {"depth": 24, "hidden_size": 1536, "intermediate_size": 13696,
         "out_hidden_size": 4096, "patch_size": 14, "num_heads": 12, "image_size": 336}})"},
    {"GLM-4.5V", 107710933120,
     R"({"model_type": "glm4v_moe", "text_config": {"hidden_size": 4096, "num_hidden_layers": 46,
         "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 128,
         "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
         "vocab_size": 151552, "attention_bias": true, "tie_word_embeddings": false},
         "vision_config": {"depth": 24, "hidden_size": 1536, "intermediate_size": 10944,
         "out_hidden_size": 4096, "patch_size": 14, "num_heads": 12, "image_size": 336}})"},
    {"Kimi-VL-A3B: hub total less 27 rotary buffers of 64", 16407657776 - 27 * 64,
     R"({"model_type": "kimi_vl", "text_config": {"model_type": "deepseek_v3", "hidden_size": 2048,
         "num_hidden_layers": 27, "num_attention_heads": 16, "kv_lora_rank": 512,
         "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
         "intermediate_size": 11264, "moe_intermediate_size": 1408, "n_routed_experts": 64,
         "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1,
         "vocab_size": 163840, "tie_word_embeddings": false}, "vision_config": {"model_type":
         "moonvit", "patch_size": 14, "init_pos_emb_height": 64, "init_pos_emb_width": 64,
         "num_attention_heads": 16, "num_hidden_layers": 27, "hidden_size": 1152,
         "intermediate_size": 4304, "merge_kernel_size": [2, 2]}})"},
    {"command-a-vision", 111867525360,
     R"({"model_type": "cohere2_vision", "text_config": {"model_type": "cohere2", "hidden_size":
         12288, "num_hidden_layers": 64, "num_attention_heads": 96, "num_key_value_heads": 8,
         "head_dim": 128, "intermediate_size": 36864, "vocab_size": 256000, "sliding_window":
         4096}, "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 1152,
         "intermediate_size": 4304, "num_hidden_layers": 27, "patch_size": 16, "image_size":
         512}, "downsample_factor": 2, "alignment_intermediate_size": 36864})"},
    {"LFM2-VL-450M", 450822656,
     R"({"model_type": "lfm2-vl", "text_config": {"model_type": "lfm2", "hidden_size": 1024,
         "num_hidden_layers": 16, "num_attention_heads": 16, "num_key_value_heads": 8,
         "block_ff_dim": 6656, "block_multiple_of": 256, "block_ffn_dim_multiplier": 1.0,
         "block_auto_adjust_ff_dim": true, "conv_L_cache": 3, "vocab_size": 65536,
         "full_attn_idxs": [2, 5, 8, 10, 12, 14]}, "vision_config": {"hidden_size": 768,
         "intermediate_size": 3072, "num_hidden_layers": 12, "num_patches": 256, "patch_size":
         16}, "projector_hidden_size": 2560})"},
    {"InternVL3-1B", 938193024,
     R"({"model_type": "internvl_chat", "llm_config": {"model_type": "qwen2", "hidden_size": 896,
         "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2,
         "intermediate_size": 4864, "vocab_size": 151674, "tie_word_embeddings": false},
         "vision_config": {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers":
         24, "image_size": 448, "patch_size": 14, "qkv_bias": true}, "downsample_ratio": 0.5})"},
    {"InternVL3_5-8B-HF", 8528318464,
     R"({"model_type": "internvl", "text_config": {"model_type": "qwen3", "hidden_size": 4096,
         "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8,
         "head_dim": 128, "intermediate_size": 12288, "vocab_size": 151936,
         "tie_word_embeddings": false}, "vision_config": {"hidden_size": 1024,
         "intermediate_size": 4096, "num_hidden_layers": 24, "image_size": [448, 448],
         "patch_size": [14, 14], "attention_bias": true, "norm_type": "layer_norm"},
         "downsample_ratio": 0.5})"},
    {"InternVL3-38B, behind InternViT-6B", 38388164992,
     R"({"model_type": "internvl_chat", "llm_config": {"model_type": "qwen2", "hidden_size": 5120,
         "num_hidden_layers": 64, "num_attention_heads": 40, "num_key_value_heads": 8,
         "intermediate_size": 27648, "vocab_size": 151674, "tie_word_embeddings": false},
         "vision_config": {"hidden_size": 3200, "intermediate_size": 12800, "num_hidden_layers":
         45, "image_size": 448, "patch_size": 14, "qkv_bias": false, "qk_normalization": true,
         "norm_type": "rms_norm"}, "downsample_ratio": 0.5})"},
    {"granite-embedding-english-r2", 149014272,
     R"({"model_type": "modernbert", "architectures": ["ModernBertModel"], "hidden_size": 768,
         "intermediate_size": 1152, "num_hidden_layers": 22, "num_attention_heads": 12,
         "vocab_size": 50368})"},
    {"granite-embedding-311m-multilingual-r2", 311664384,
     R"({"model_type": "modernbert", "architectures": ["ModernBertModel"], "hidden_size": 768,
         "intermediate_size": 1152, "num_hidden_layers": 22, "num_attention_heads": 12,
         "vocab_size": 262152})"},
    {"RWKV-4 169M: 2VD + 13D²L + D(11L + 4)",
     2LL * 50277 * 768 + 13LL * 768 * 768 * 12 + 768LL * (11 * 12 + 4),
     R"({"model_type": "rwkv", "hidden_size": 768, "num_hidden_layers": 12, "vocab_size": 50277,
         "attention_hidden_size": 768, "intermediate_size": 3072})"},
    {"Eagle 7B: 13D²L + 14DL + 4D + 2DV",
     13LL * 4096 * 4096 * 32 + 14LL * 4096 * 32 + 4LL * 4096 + 2LL * 4096 * 65536,
     R"({"model_type": "rwkv5", "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 65536,
         "attention_hidden_size": 4096, "head_size": 64, "intermediate_size": null})"},
    {"Finch 3B: 13D²L + 464DL + 4D + 2DV",
     13LL * 2560 * 2560 * 32 + 464LL * 2560 * 32 + 4LL * 2560 + 2LL * 2560 * 65536,
     R"({"model_type": "rwkv6", "hidden_size": 2560, "num_hidden_layers": 32, "vocab_size": 65536,
         "attention_hidden_size": 2560, "head_size": 64, "num_attention_heads": 64})"},
};

struct Rounded {
  const char* model;
  std::int64_t printed;  // the digits that the source prints
  std::int64_t place;    // of the last of them
  const char* config;
};

const Rounded kRounded[] = {
    {"MiniCPM3-4B: 4B", 4, 1'000'000'000,
     R"({"model_type": "minicpm3", "hidden_size": 2560, "num_hidden_layers": 62,
         "num_attention_heads": 40, "num_key_value_heads": 40, "intermediate_size": 6400,
         "vocab_size": 73448, "q_lora_rank": 768, "kv_lora_rank": 256, "qk_nope_head_dim": 64,
         "qk_rope_head_dim": 32})"},
    {"Arctic: 480B", 48, 10'000'000'000,
     R"({"model_type": "arctic", "hidden_size": 7168, "num_hidden_layers": 35,
         "num_attention_heads": 56, "num_key_value_heads": 8, "intermediate_size": 4864,
         "num_local_experts": 128, "num_experts_per_tok": 2, "moe_layer_frequency": 1,
         "use_residual": true, "vocab_size": 32000, "tie_word_embeddings": false})"},
    {"InternLM-7B: 7B", 7, 1'000'000'000,
     R"({"model_type": "internlm", "hidden_size": 4096, "num_hidden_layers": 32,
         "num_attention_heads": 32, "intermediate_size": 11008, "vocab_size": 103168, "bias": true,
         "tie_word_embeddings": false})"},
    {"ERNIE-4.5-0.3B: 0.36B", 36, 10'000'000,
     R"({"model_type": "ernie4_5", "hidden_size": 1024, "num_hidden_layers": 18,
         "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 128,
         "intermediate_size": 3072, "vocab_size": 103424, "use_bias": false})"},
    {"Mistral-Small-4: 119B", 119, 1'000'000'000,
     R"({"model_type": "mistral3", "text_config": {"model_type": "mistral4", "hidden_size": 4096,
         "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 32,
         "intermediate_size": 12288, "moe_intermediate_size": 2048, "n_routed_experts": 128,
         "n_shared_experts": 1, "num_experts_per_tok": 4, "first_k_dense_replace": 0,
         "q_lora_rank": 1024, "kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 64,
         "v_head_dim": 128, "vocab_size": 131072}, "vision_config": {"hidden_size": 1024,
         "intermediate_size": 4096, "num_hidden_layers": 24, "patch_size": 14},
         "spatial_merge_size": 2})"},
    {"Hunyuan-1.8B: 1.8B", 18, 100'000'000,
     R"({"model_type": "hunyuan_v1_dense", "hidden_size": 2048, "num_hidden_layers": 32,
         "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
         "intermediate_size": 6144, "vocab_size": 120818, "tie_word_embeddings": true})"},
    {"Orion-14B: 14.50 B", 1450, 10'000'000,
     R"({"model_type": "orion", "hidden_size": 5120, "num_hidden_layers": 40,
         "num_attention_heads": 40, "num_key_value_heads": 40, "intermediate_size": 15360,
         "vocab_size": 84608, "tie_word_embeddings": false})"},
    {"MiniMax-M3: 427B", 427, 1'000'000'000,
     R"({"model_type": "minimax_m3_vl", "text_config": {"hidden_size": 6144,
         "num_hidden_layers": 60, "num_attention_heads": 64, "num_key_value_heads": 4,
         "head_dim": 128, "intermediate_size": 3072, "shared_intermediate_size": 3072,
         "dense_intermediate_size": 12288, "num_local_experts": 128, "num_experts_per_tok": 4,
         "vocab_size": 200064, "qk_norm_type": "per_head", "moe_layer_freq": [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
         "sparse_attention_config": {"sparse_attention_freq": [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
         "sparse_num_index_heads": 4, "sparse_index_dim": 128}},
         "vision_config": {"hidden_size": 1280, "intermediate_size": 5120, "num_hidden_layers": 32,
         "patch_size": 14}, "projector_hidden_size": 6144})"},
};

}  // namespace

TEST_SUITE("import/published_late") {
  TEST_CASE("mixtures, towers and RWKV: as many weights as published") {
    for (const Published& row : kPublished) {
      CAPTURE(row.model);
      CHECK(count_config(row.config).total == Rational(row.total));
    }
  }

  TEST_CASE("where only rounded totals are published the count rounds to the printed digits") {
    for (const Rounded& row : kRounded) {
      CAPTURE(row.model);
      const Rational total = count_config(row.config).total;
      CHECK((total / Rational(row.place) + Rational(1) / Rational(2)).floor() ==
            Rational(row.printed));
    }
  }

  TEST_CASE("Kimi-K2-Instruct: the bytes of its index, rotary buffers among them") {
    const auto kimi = count_config(R"({"model_type": "kimi_k2", "hidden_size": 7168,
        "num_hidden_layers": 61, "num_attention_heads": 64, "q_lora_rank": 1536,
        "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 384,
        "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
        "vocab_size": 163840, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
        "quantization_config": {"activation_scheme": "dynamic", "fmt": "e4m3", "quant_method":
        "fp8", "weight_block_size": [128, 128]}})");
    CHECK(kimi.total == Rational(1026408232448));
    CHECK(kimi.payload == "1029173256720");
    CHECK(kimi.noted("rotary-stored"));
  }

  TEST_CASE("RWKV keeps a state and the last inputs, and no token") {
    const std::string start = R"("hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 10,
        "intermediate_size": 16)";
    const auto fourth = count_config(R"({"model_type": "rwkv", )" + start + "}");
    CHECK(fourth.per_sequence(CacheKind::recurrent) == Rational(2 * (3 * 8 + 2 * 8)));
    const auto sixth = count_config(R"({"model_type": "rwkv6", "head_size": 4, )" + start + "}");
    CHECK(sixth.per_sequence(CacheKind::recurrent) == Rational(2 * (2 * 4 * 4 + 2 * 8)));
    CHECK(sixth.per_token(CacheKind::full) == Rational(0));
    CHECK(refusal_of(R"({"model_type": "rwkv5", "head_size": 3, )" + start + "}").code ==
          base::Code::out_of_range);
    CHECK(refusal_of(R"({"model_type": "rwkv5", "hidden_size": 8})").code ==
          base::Code::missing_key);
  }

  TEST_CASE("K-EXAONE keeps windows in three of four layers, and drafts with all tokens") {
    const auto exaone = count_config(testing::small_config("exaone_moe", R"(, "head_dim": 2,
        "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 5,
        "num_shared_experts": 1, "sliding_window": 6, "layer_types": ["sliding_attention",
        "full_attention"], "num_nextn_predict_layers": 1)"));
    CHECK(exaone.per_token(CacheKind::window) == Rational(8));
    CHECK(exaone.per_token(CacheKind::full) == Rational(8));
    CHECK(exaone.window(CacheKind::window) == Rational(6));
    CHECK(exaone.inventory.draft_caches.size() == 1);
    CHECK(exaone.part("mtp") ==
          Rational(testing::kAttention / 2 + testing::kGated / 2 + 2 * 2 + 2 * 64 + 3 * 8 + 2 * 8));
    CHECK(exaone.noted("class-default"));
  }

  TEST_CASE("what the late families cannot count is refused at its place") {
    const std::string experts = R"(, "num_experts": 4, "num_experts_per_tok": 2,
        "moe_intermediate_size": 5)";
    CHECK(refusal_of(
              testing::small_config("bailing_moe", experts + R"(, "num_nextn_predict_layers": 1)"))
              .code == base::Code::unsupported_architecture);
    CHECK(refusal_of(testing::small_config("hy_v3", experts + R"(, "mlp_bias": true)")).code ==
          base::Code::unsupported_architecture);
    CHECK(refusal_of(testing::small_config("dots1")).code == base::Code::missing_key);
    CHECK(
        refusal_of(testing::small_config("ernie4_5_moe", experts + R"(, "moe_layer_interval": 0)"))
            .code == base::Code::out_of_range);
    CHECK(refusal_of(R"({"model_type": "internvl_chat", "llm_config": {"model_type": "t5"},
        "vision_config": {}})")
              .code == base::Code::unsupported_architecture);
    const std::string internvl = R"({"model_type": "internvl_chat", "llm_config": {"model_type":
        "qwen2", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 10}, "vision_config":
        {"hidden_size": 6, "intermediate_size": 7, "num_hidden_layers": 1, "image_size": 4,
        "patch_size": 2}, "downsample_ratio": )";
    CHECK(count_config(internvl + "0.5}").part("vision") > Rational(0));
    CHECK(refusal_of(internvl + "0}").code == base::Code::out_of_range);
    CHECK(refusal_of(internvl + "0.3}").code == base::Code::out_of_range);
  }

  TEST_CASE("step3p7: the tower's width follows from a ratio that files print cut") {
    const auto step = [](const std::string& vision) {
      return R"({"model_type": "step3p7", "text_config": {"hidden_size": 8,
          "num_hidden_layers": 2, "num_attention_heads": 4, "num_attention_groups": 2,
          "head_dim": 2, "intermediate_size": 16, "moe_intermediate_size": 5,
          "share_expert_dim": 5, "moe_num_experts": 4, "moe_top_k": 2, "vocab_size": 10,
          "sliding_window": 6, "num_sliding_attention_heads": 6, "layer_types":
          ["full_attention", "sliding_attention"], "moe_layers_enum": "1"}, "vision_config": )" +
             vision + "}";
    };
    const auto seeing = count_config(step(R"({"width": 6, "layers": 1, "heads": 2, "image_size": 4,
        "patch_size": 2, "mlp_ratio": 1.1666666666666667})"));
    // Patches, positions, a norm; a layer of width 6 and MLP 7 with two scales; two convolutions of
    // 3 × 3 that double the channels; a matrix of 24 × 8.
    CHECK(seeing.part("vision") == Rational(72 + 4 * 6 + 12 + 144 + 24 + 84 + 13 + 24 + 12 +
                                            12 * 54 + 12 + 24 * 108 + 24 + 24 * 8));
    CHECK(refusal_of(step(R"({"mlp_ratio": -1})")).code == base::Code::out_of_range);
  }
}
