// Families with latent attention, on small configurations whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using exact::Rational;
using model::CacheKind;
using testing::count_config;
using testing::refusal_of;

namespace {

// hidden 8, three layers of which the first is dense, 2 heads; latent 4 + 2, queries 6; values 3;
// 4 experts of width 5 with one shared; vocabulary 10.
std::string latent(const std::string& type, const std::string& more = "") {
  return R"({"model_type": ")" + type + R"(", "hidden_size": 8, "num_hidden_layers": 3,
    "vocab_size": 10, "num_attention_heads": 2, "num_key_value_heads": 2, "q_lora_rank": 6,
    "kv_lora_rank": 4, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2, "v_head_dim": 3,
    "intermediate_size": 16, "moe_intermediate_size": 5, "n_routed_experts": 4,
    "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1,
    "torch_dtype": "bfloat16")" +
         more + "}";
}

constexpr int kTables = 2 * 10 * 8;
// q_a 6×8, q_b 2·5×6, kv_a 6×8, kv_b 2·6×4, o 8×6; inner norms 6 and 4.
constexpr int kAttention = 48 + 60 + 48 + 48 + 48;
constexpr int kInner = 6 + 4;
constexpr int kDense = 3 * 16 * 8;
constexpr int kExpert = 3 * 5 * 8;
constexpr int kRouter = 4 * 8;
constexpr int kModule = 2 * 8 * 8 + 3 * 8;
// wq_b 2·3×6, wk 3×8, k_norm 3 + 3, weights_proj 2×8.
constexpr int kIndexer = 36 + 24 + 6 + 16;
const std::string kIndex = R"(, "index_n_heads": 2, "index_head_dim": 3)";

}  // namespace

TEST_SUITE("import/families/latent") {
  TEST_CASE("deepseek_v2: latent attention, shared experts, dense first layers, no correction") {
    const auto v2 = count_config(latent("deepseek_v2"));
    CHECK(v2.part("attention") == Rational(3 * kAttention));
    CHECK(v2.part("norms") == Rational(3 * kInner + 3 * 2 * 8 + 8));
    CHECK(v2.part("mlp") == Rational(kDense));
    CHECK(v2.part("experts") == Rational(2 * 4 * kExpert));
    CHECK(v2.part("shared_experts") == Rational(2 * kExpert));
    CHECK(v2.part("router") == Rational(2 * kRouter));
    CHECK(v2.total - v2.active == Rational(2 * 2 * kExpert));
    CHECK(v2.per_token(CacheKind::latent) == Rational(3 * (4 + 2)));
    CHECK(v2.per_token(CacheKind::full) == Rational(0));
    for (const auto& part : v2.inventory.caches.front().per_token)
      CHECK_FALSE(part.divided.has_value());
  }

  TEST_CASE("deepseek_v2: queries without compression where q_lora_rank is null") {
    std::string text = latent("deepseek_v2");
    text.replace(text.find("\"q_lora_rank\": 6"), 16, "\"q_lora_rank\": null");
    const auto lite = count_config(text);
    CHECK(lite.part("attention") == Rational(3 * (2 * 5 * 8 + 48 + 48 + 48)));
    CHECK(lite.part("norms") == Rational(3 * 4 + 3 * 2 * 8 + 8));
  }

  TEST_CASE("deepseek_v3: a correction bias, and an MTP module with copies that count as stored") {
    const auto plain = count_config(latent("deepseek_v3"));
    CHECK(plain.part("router") == Rational(2 * (kRouter + 4)));
    CHECK(plain.part("mtp") == Rational(0));
    const auto mtp = count_config(latent("deepseek_v3", R"(, "num_nextn_predict_layers": 1)"));
    CHECK(mtp.part("mtp") ==
          Rational(kModule + kAttention + kInner + 2 * 8 + kRouter + 4 + 5 * kExpert));
    CHECK(mtp.stored - mtp.total == Rational(kTables));
    CHECK(mtp.active == plain.active);
    CHECK(mtp.per_token(CacheKind::latent) == plain.per_token(CacheKind::latent));
    CHECK(mtp.inventory.draft_caches.size() == 1);
  }

  TEST_CASE(
      "deepseek_v3 in block FP8: codes, scales of blocks that are not full, kept BF16 and F32") {
    const auto v3 = count_config(latent(
        "deepseek_v3",
        R"(, "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]})"));
    // Tables, norms and router in BF16, correction in F32; one block a matrix.
    const int codes = 3 * kAttention + kDense + 2 * 5 * kExpert;
    const int blocks = 3 * 5 + 3 + 2 * 5 * 3;
    const int bf16 = kTables + 3 * kInner + 3 * 2 * 8 + 8 + 2 * kRouter;
    CHECK(v3.payload == std::to_string(codes + 4 * blocks + 2 * bf16 + 4 * 2 * 4));
    const auto other = count_config(latent(
        "deepseek_v3",
        R"(, "quantization_config": {"quant_method": "fp8", "weight_block_size": [64, 64]})"));
    CHECK(other.payload == v3.payload);  // each matrix is one block of either size
  }

  TEST_CASE("deepseek_v32 and GLM-5: an indexer with a key a token; GLM-5 stores no copies") {
    const auto v32 = count_config(latent("deepseek_v32", kIndex));
    CHECK(v32.total - count_config(latent("deepseek_v3")).total == Rational(3 * kIndexer));
    CHECK(v32.per_token(CacheKind::index) == Rational(3 * 3));
    const auto glm =
        count_config(latent("glm_moe_dsa", kIndex + R"(, "num_nextn_predict_layers": 1)"));
    CHECK(glm.stored == glm.total);
    CHECK(glm.inventory.draft_caches.size() == 2);
  }

  TEST_CASE("GLM-5.2: layers that share the choice of another have no indexer and no index key") {
    const auto glm = count_config(
        latent("glm_moe_dsa", kIndex + R"(, "indexer_types": ["full", "shared", "shared"])"));
    CHECK(glm.per_token(CacheKind::index) == Rational(3));
    CHECK(glm.total == count_config(latent("glm_moe_dsa", kIndex)).total - Rational(2 * kIndexer));
    CHECK(
        refusal_of(latent("glm_moe_dsa", kIndex + R"(, "indexer_types": ["full", "none", "full"])"))
            .message.find("none") != std::string::npos);
    CHECK(refusal_of(latent("glm_moe_dsa", kIndex + R"(, "indexer_types": ["full"])")).code ==
          base::Code::out_of_range);
  }

  TEST_CASE("which layers are dense: a list wins, in either spelling") {
    const auto words = count_config(
        latent("glm_moe_dsa", kIndex + R"(, "mlp_layer_types": ["dense", "dense", "sparse"])"));
    CHECK(words.part("mlp") == Rational(2 * kDense));
    const auto numbers = count_config(latent("deepseek_v2", R"(, "moe_layer_freq": [1, 1, 1])"));
    CHECK(numbers.part("mlp") == Rational(0));
    const auto second = count_config(latent("deepseek_v2", R"(, "moe_layer_freq": 2)"));
    CHECK(second.part("experts") == Rational(4 * kExpert));
  }

  TEST_CASE("kimi_linear: delta attention in the layers that kda_layers names from 1") {
    const std::string linear =
        R"(, "num_experts": 4, "num_experts_per_token": 2, "num_shared_experts": 1,
        "linear_attn_config": {"num_heads": 2, "head_dim": 4, "short_conv_kernel_size": 4,
        "kda_layers": [1, 3], "full_attn_layers": [2]})";
    const auto kimi = count_config(latent("kimi_linear", linear));
    // q, k, v 8×8 with a kernel of 4, A 2, dt 8, two gates 4×8 + 8×4, b 2×8, o 8×8.
    const int delta = 3 * (64 + 32) + 2 + 8 + 2 * 64 + 16 + 64;
    CHECK(kimi.part("attention") == Rational(2 * delta + kAttention));
    CHECK(kimi.per_sequence(CacheKind::recurrent) == Rational(2 * (2 * 4 * 4 + 3 * 8 * 3)));
    CHECK(kimi.per_token(CacheKind::latent) == Rational(4 + 2));
    std::string zero = latent("kimi_linear", linear);
    zero.replace(zero.find("[1, 3]"), 6, "[0, 1]");
    CHECK(refusal_of(zero).message.find("kda_layers") != std::string::npos);
  }

  TEST_CASE("kimi_k3: gates, experts in a narrower width, residuals over blocks, text only") {
    const std::string text = R"("hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 10,
        "num_attention_heads": 4, "intermediate_size": 16, "first_k_dense_replace": 1,
        "q_lora_rank": 6, "kv_lora_rank": 5, "qk_nope_head_dim": 2, "qk_rope_head_dim": 2,
        "v_head_dim": 3, "num_experts": 4, "num_experts_per_token": 2, "moe_intermediate_size": 5,
        "linear_attn_config": {"num_heads": 2, "head_dim": 3, "short_conv_kernel_size": 4,
        "kda_layers": [1], "full_attn_layers": [2]WIDE})";
    const auto kimi = [&](const std::string& type, const std::string& wide,
                          const std::string& more) {
      std::string inner = text;
      inner.replace(inner.find("WIDE"), 4, wide);
      const std::string body = "{\"model_type\": \"" + type + "\", ";
      return type == "kimi_k3" ? count_config(body + "\"text_config\": {" + inner + more + "}}")
                               : count_config(body + inner + more + "}");
    };
    const auto plain = kimi("kimi_linear", "", "");
    const auto third = kimi("kimi_k3", R"(, "use_full_rank_gate": true)",
                            R"(, "mla_use_output_gate": true, "routed_expert_hidden_size": 6,
                            "latent_moe_use_norm": true, "attn_res_block_size": 12)");
    // Gates: 6×8 for 3×8 + 6×3, and 12×8; experts of 6 for 8; norms and rows of 8.
    CHECK(third.total - plain.total ==
          Rational(48 - 42 + 96 - 4 * 3 * 5 * 2 + 2 * 6 * 8 + 6 + 2 * 4 * 8 + 2 * 8));
    CHECK(third.per_token(model::CacheKind::latent) == Rational(5 + 2));
    CHECK(third.noted("vision-absent"));
    CHECK(third.noted("rounded-total"));
  }

  TEST_CASE("kimi_k3: a tower with RMS norms and wide heads; another projector is refused") {
    const auto kimi = [&](const std::string& vision) {
      return R"({"model_type": "kimi_k3", "text_config": {"hidden_size": 8,
          "num_hidden_layers": 2, "vocab_size": 10, "num_attention_heads": 4,
          "intermediate_size": 16, "first_k_dense_replace": 1, "q_lora_rank": 6,
          "kv_lora_rank": 5, "qk_nope_head_dim": 2, "qk_rope_head_dim": 2, "v_head_dim": 3,
          "num_experts": 4, "num_experts_per_token": 2, "moe_intermediate_size": 5,
          "linear_attn_config": {"num_heads": 2, "head_dim": 3, "short_conv_kernel_size": 4,
          "kda_layers": [1], "full_attn_layers": [2]}})" +
             vision + "}";
    };
    const std::string tower = R"("vision_config": {"vt_hidden_size": 6, "vt_intermediate_size": 7,
        "vt_num_hidden_layers": 1, "patch_size": 2, "init_pos_emb_height": 3,
        "init_pos_emb_width": 3, "merge_kernel_size": [2, 2], "mm_hidden_size": 6,
        "text_hidden_size": 8, "qkv_hidden_size": 9, "attn_bias": false, "linear_bias": false,
        "patch_embed_proj_bias": false, "norm_type": "rmsnorm", "mlp_type": "mlp2",
        "mm_projector_type": )";
    const auto seeing = count_config(kimi(", " + tower + "\"patchmergerv2\"}"));
    // Patches and positions; q, k, v and output over 9; the MLP; norms; 24×24, 8×24 and a norm.
    CHECK(seeing.part("vision") ==
          Rational(6 * 12 + 9 * 6 + 27 * 6 + 6 * 9 + 2 * 42 + 2 * 6 + 6 + 24 * 24 + 8 * 24 + 8));
    CHECK_FALSE(seeing.noted("vision-absent"));
    CHECK(refusal_of(kimi(", " + tower + "\"other\"}")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("faults inside an object stand at their place and name the whole path") {
    const auto fault = refusal_of(
        "{\"model_type\": \"kimi_k25\",\n\"text_config\": {\"hidden_size\": 8,\n"
        "\"num_hidden_layers\": 0}}");
    CHECK(fault.span.line == 3);
    const auto missing = refusal_of("{\"model_type\": \"kimi_k25\",\n\"text_config\": {}}");
    CHECK(missing.message == "text_config.hidden_size is missing");
    CHECK(missing.span.line == 2);
    CHECK(refusal_of("{\"model_type\": \"kimi_k25\"}").message == "text_config is missing");
  }
}
