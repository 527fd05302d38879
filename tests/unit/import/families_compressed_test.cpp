// DeepSeek-V4, Step, Granite 4, Hunyuan, Molmo, DeepSeek-VL2, Grok and publishers' own schemas, on
// small configurations whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using exact::Rational;
using model::CacheKind;
using testing::count_config;
using testing::kAttention;
using testing::kGated;
using testing::kTable;
using testing::kTwoNorms;
using testing::refusal_of;
using testing::small_config;

namespace {

constexpr int kExpert = 3 * 5 * 8;

std::string deepseek_v4(const std::string& ratios, const std::string& more = "") {
  return small_config("deepseek_v4", R"(, "head_dim": 6, "q_lora_rank": 5, "o_groups": 2,
      "o_lora_rank": 3, "sliding_window": 7, "index_n_heads": 2, "index_head_dim": 3,
      "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 5,
      "n_shared_experts": 1, "hc_mult": 2, "compress_ratios": )" +
                                         ratios + more);
}

// q down and up with its norm, keys with theirs, output in two groups of 12 to 3, sinks.
constexpr int kLatent = 5 * 8 + 5 + 24 * 5 + 6 * 8 + 6 + 2 * 3 * 12 + 8 * 2 * 3 + 4;
constexpr int kMixture = 4 * 8 + 5 * kExpert;
constexpr int kStreams = 2 * (8 * 2 * 8 + 8 + 3);  // (2 + 2) × 2 mixing weights, around two parts
constexpr int kStreamHead = 2 * 2 * 8 + 2 + 1;

}  // namespace

TEST_SUITE("import/families/compressed") {
  TEST_CASE("deepseek_v4: a window in every layer, corrections beside the routers") {
    const auto plain = count_config(deepseek_v4("[0, 0]"));
    CHECK(plain.total ==
          Rational(2 * (kLatent + kMixture + 4 + kStreams) + kStreamHead + kTwoNorms + 2 * kTable));
    CHECK(plain.per_token(CacheKind::window) == Rational(2 * 6));
    CHECK(plain.window(CacheKind::window) == Rational(7));
    CHECK(plain.inventory.caches.size() == 1);
  }

  TEST_CASE("deepseek_v4: entries for 4 tokens are indexed and overlap, others do neither") {
    const auto plain = count_config(deepseek_v4("[0, 0]"));
    const auto both = count_config(deepseek_v4("[4, 128, 0]"));
    const int indexed =
        2 * 2 * 6 * 8 + 4 * 2 * 6 + 6 + 2 * 2 * 3 * 8 + 4 * 2 * 3 + 3 + 2 * 3 * 5 + 2 * 8;
    const int single = 2 * 6 * 8 + 128 * 6 + 6;
    CHECK(both.total - plain.total == Rational(indexed + single));
    CHECK(both.per_token(CacheKind::latent) == Rational(6 + 6));
    CHECK(both.per_token(CacheKind::index) == Rational(3));
    // Keys and gates of 2 × 4 tokens in two parts of 6 and of 3, and of 128 tokens of 6.
    CHECK(both.per_sequence(CacheKind::recurrent) == Rational(8 * 4 * 6 + 8 * 4 * 3 + 128 * 2 * 6));
    for (const model::CacheGroup& group : both.inventory.caches) {
      if (group.kind == CacheKind::index) CHECK(group.compress->value == Rational(4));
    }
    CHECK(refusal_of(deepseek_v4("[4]")).code == base::Code::out_of_range);
    CHECK(refusal_of(deepseek_v4("null")).code == base::Code::missing_key);
    CHECK(refusal_of(
              deepseek_v4("[0, 0]", R"(, "hc_mult_": 0)")
                  .replace(deepseek_v4("[0, 0]").find("\"o_groups\": 2"), 13, "\"o_groups\": 7"))
              .message.find("o_groups") != std::string::npos);
  }

  TEST_CASE("deepseek_v4: a table that routes by token is stored and not counted") {
    const auto scored = count_config(deepseek_v4("[0, 0]"));
    const auto hashed = count_config(deepseek_v4("[0, 0]", R"(, "num_hash_layers": 1)"));
    CHECK(scored.total - hashed.total == Rational(4));
    CHECK(hashed.stored - hashed.total == Rational(10 * 2));
  }

  TEST_CASE("deepseek_v4: the MTP module's copies count as stored but with experts in FP4") {
    const auto with = count_config(deepseek_v4("[0, 0]", R"(, "num_nextn_predict_layers": 1)"));
    const int module = kLatent + kMixture + 4 + kStreams + kStreamHead + 2 * 8 + 3 * 8 + 2 * 64;
    CHECK(with.part("mtp") == Rational(module));
    CHECK(with.stored - with.total == Rational(2 * kTable));
    const auto without = count_config(
        deepseek_v4("[0, 0]", R"(, "num_nextn_predict_layers": 1, "expert_dtype": "fp4")"));
    CHECK(without.stored == without.total);
    CHECK(without.inventory.draft_caches.size() == 1);
  }

  TEST_CASE("step3p5: layers with a window have heads of their own; every head has a gate") {
    const std::string base = R"(, "head_dim": 2, "sliding_window": 5,
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
        "moe_num_experts": 4, "moe_top_k": 2, "moe_intermediate_size": 5, "share_expert_dim": 6,
        "moe_layers_enum": "1", "num_nextn_predict_layers": 1)";
    const std::string other = R"(, "attention_other_setting": {"num_attention_heads": 6,
        "num_attention_groups": 3, "head_dim": 2})";
    const auto step = count_config(small_config("step3p5", base + other));
    const int full = 2 * 8 * 8 + 2 * 4 * 8 + 4 * 8;
    const int windowed = 2 * 12 * 8 + 2 * 6 * 8 + 6 * 8;
    CHECK(step.part("attention") == Rational(full + windowed));
    CHECK(step.part("mlp") == Rational(kGated / 2));
    CHECK(step.part("experts") == Rational(4 * kExpert));
    CHECK(step.part("shared_experts") == Rational(3 * 6 * 8));
    CHECK(step.part("router") == Rational(4 * 8 + 4));
    CHECK(step.part("mtp") == Rational(windowed + 2 * 2 + kGated / 2 + 2 * 8 + 3 * 8 + 2 * 64));
    CHECK(step.stored - step.total == Rational(kTable));
    CHECK(step.per_token(CacheKind::full) == Rational(8));
    CHECK(step.per_token(CacheKind::window) == Rational(12));
    CHECK(refusal_of(small_config("step3p5", base)).message.find("attention_other_setting") !=
          std::string::npos);
    std::string odd = small_config("step3p5", base + other);
    odd.replace(odd.find("\"moe_layers_enum\": \"1\""), 22, "\"moe_layers_enum\": \"x\"");
    CHECK(refusal_of(odd).code == base::Code::out_of_range);
  }

  TEST_CASE("granitemoehybrid and bamba: Mamba-2 beside attention") {
    const std::string mixer = R"(, "mamba_n_heads": 4, "mamba_d_head": 4, "mamba_n_groups": 1,
        "mamba_d_state": 3, "mamba_d_conv": 4)";
    // 16 inner channels, 22 under the convolution, 42 projected.
    const int mamba = 42 * 8 + 22 * 4 + 22 + 3 * 4 + 16 + 8 * 16;
    const auto granite = count_config(
        small_config("granitemoehybrid", mixer + R"(, "layer_types": ["mamba", "attention"],
        "num_local_experts": 4, "num_experts_per_tok": 2, "shared_intermediate_size": 6)"));
    CHECK(granite.total == Rational(kAttention / 2 + mamba + kTwoNorms + 2 * kTable +
                                    2 * (4 * 8 + 4 * kGated / 2 + 3 * 6 * 8)));
    CHECK(granite.per_token(CacheKind::full) == Rational(8));
    CHECK(granite.per_sequence(CacheKind::recurrent) == Rational(4 * 4 * 3 + 22 * 3));
    const auto dense = count_config(
        small_config("granitemoehybrid", R"(, "layer_types": ["attention", "attention"],
        "num_local_experts": 0, "shared_intermediate_size": 6)"));
    CHECK(dense.part("mlp") == Rational(2 * 3 * 6 * 8));
    CHECK(refusal_of(small_config("granitemoehybrid", R"(, "layer_types": ["mamba", "moon"])"))
              .message.find("moon") != std::string::npos);
    const auto bamba = count_config(
        small_config("bamba", R"(, "mamba_n_heads": 4, "mamba_d_head": "auto", "mamba_expand": 2,
        "mamba_n_groups": 1, "mamba_d_state": 3, "mamba_d_conv": 4, "attn_layer_indices": [1])"));
    CHECK(bamba.total == Rational(kAttention / 2 + mamba + kTwoNorms + 2 * kTable + kGated));
    CHECK(refusal_of(small_config("bamba", mixer + R"(, "attn_layer_indices": [2])")).code ==
          base::Code::out_of_range);
    CHECK(refusal_of(small_config("bamba", R"(, "mamba_d_head": "wide")")).code ==
          base::Code::wrong_type);
  }

  TEST_CASE("hunyuan: lists of one number, a shared MLP, norms of each head") {
    const std::string lists = R"(, "head_dim": 2, "num_experts": 4, "moe_topk": [2, 2],
        "moe_intermediate_size": [5, 5], "num_shared_expert": [1, 1])";
    const auto mixed = count_config(small_config("hunyuan_v1_moe", lists));
    CHECK(mixed.total ==
          Rational(kAttention + kTwoNorms + 2 * 2 * 2 + 2 * kTable + 2 * (4 * 8 + 5 * kExpert)));
    const auto dense = count_config(small_config("hunyuan_v1_dense", R"(, "head_dim": 2)"));
    CHECK(dense.total == Rational(kAttention + kGated + kTwoNorms + 2 * 2 * 2 + 2 * kTable));
    std::string uneven = small_config("hunyuan_v1_moe", lists);
    uneven.replace(uneven.find("[5, 5]"), 6, "[5, 6]");
    CHECK(refusal_of(uneven).code == base::Code::unsupported_architecture);
    CHECK(refusal_of(small_config("hunyuan_v1_moe", lists + R"(, "use_cla": true)")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("molmo: the padded table and 128 more rows; other norms are refused") {
    const auto small =
        count_config(small_config("molmo", R"(, "embedding_size": 12, "qkv_bias": true)"));
    CHECK(small.part("embedding") == Rational(12 * 8 + 128 * 8));
    CHECK(small.part("head") == Rational(12 * 8));
    CHECK(small.part("mlp") == Rational(kGated / 2));
    CHECK(small.part("attention") == Rational(kAttention + 2 * (8 + 4 + 4)));
    CHECK(refusal_of(small_config("molmo", R"(, "layer_norm_type": "default")")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("deepseek_vl_v2: a tower of another name is refused at its place") {
    const auto fault = refusal_of(R"({"model_type": "deepseek_vl_v2",
"language_config": {"use_mla": false, "hidden_size": 8, "num_hidden_layers": 1, "vocab_size": 10,
"num_attention_heads": 2, "intermediate_size": 16, "moe_intermediate_size": 5,
"n_routed_experts": 4, "num_experts_per_tok": 2}, "projector_config": {},
"vision_config": {"model_name": "resnet"}})");
    CHECK(fault.code == base::Code::unsupported_architecture);
    CHECK(fault.span.line == 5);
  }

  TEST_CASE("opt: a table narrower than the layers, norms behind them") {
    const auto plain = count_config(small_config("opt", R"(, "max_position_embeddings": 6)"));
    const auto narrow = count_config(small_config("opt", R"(, "max_position_embeddings": 6,
        "word_embed_proj_dim": 3, "do_layer_norm_before": false)"));
    CHECK(plain.total - narrow.total == Rational(10 * (8 - 3) - 2 * 3 * 8 + 2 * 8));
  }

  TEST_CASE("grok-1: the width of an expert follows from a factor") {
    const auto grok = count_config(R"({"model_type": "grok-1", "emb_size": 8, "num_layers": 2,
        "num_q_heads": 4, "num_kv_heads": 2, "key_size": 2, "vocab_size": 10, "num_experts": 4,
        "num_selected_experts": 2, "widening_factor": 4})");
    // ⌊32 × 2 ÷ 3⌋ = 21, up to 24.
    CHECK(grok.part("experts") == Rational(2 * 4 * 3 * 24 * 8));
    CHECK(grok.part("norms") == Rational(2 * 4 * 8 + 8));
    CHECK(grok.total == Rational(kAttention + kTable + 2 * (4 * 3 * 24 * 8 + 4 * 8) + 72));
    CHECK(grok.noted("rounded-total"));
  }

  TEST_CASE("a file without model_type is known by a publisher's own keys") {
    const auto native = count_config(R"({"vocab_size": 10, "dim": 8, "inter_dim": 16,
        "moe_inter_dim": 5, "n_layers": 2, "n_dense_layers": 1, "n_heads": 4,
        "n_routed_experts": 4, "n_shared_experts": 1, "n_activated_experts": 2, "q_lora_rank": 0,
        "kv_lora_rank": 6, "qk_nope_head_dim": 4, "qk_rope_head_dim": 2, "v_head_dim": 3})");
    CHECK(native.noted("recognised-schema"));
    const int attention = 24 * 8 + 8 * 8 + 4 * 7 * 6 + 8 * 12;
    CHECK(native.total == Rational(2 * (attention + 6) + kTwoNorms + 2 * kTable + kGated / 2 +
                                   4 * 8 + 5 * kExpert));
    const auto params = count_config(R"({"dim": 8, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2,
        "hidden_dim": 16, "head_dim": 2, "vocab_size": 10})");
    CHECK(params.total == Rational(kAttention + kGated + kTwoNorms + 2 * kTable));
    const auto experts = count_config(R"({"dim": 8, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2,
        "hidden_dim": 16, "head_dim": 2, "vocab_size": 10,
        "moe": {"num_experts": 4, "num_experts_per_tok": 2}})");
    CHECK(experts.total - params.total == Rational(3 * kGated + 2 * 4 * 8));
    const std::string start = R"({"dim": 8, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2,
        "hidden_dim": 16, "vocab_size": 10, )";
    for (const char* more :
         {R"("vision_encoder": {"mm_projector_id": "other"}})",
          R"("moe": {"num_experts": 4, "num_experts_per_tok": 2, "expert_hidden_dim": 4}})"}) {
      CHECK(refusal_of(start + more).code == base::Code::unsupported_architecture);
    }
    CHECK(refusal_of(start + R"("kv_lora_rank": 4})").message == "moe is missing");
  }

  TEST_CASE("params.json of Mistral: a tower, and latent attention before a mixture") {
    const std::string start = R"({"dim": 8, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2,
        "hidden_dim": 16, "head_dim": 2, "vocab_size": 10)";
    const auto plain = count_config(start + "}");
    const auto seeing = count_config(start + R"(, "vision_encoder": {"hidden_size": 6,
        "intermediate_size": 7, "num_hidden_layers": 1, "num_attention_heads": 2, "patch_size": 2,
        "num_channels": 3, "mm_projector_id": "patch_merge", "spatial_merge_size": 2,
        "add_pre_mm_projector_layer_norm": true, "adapter_bias": false}})");
    // Patches 6×3×2×2, a norm, a layer of 4×6×6 + 3×7×6 and two norms; a norm, 6×24, 8×6, 8×8.
    CHECK(seeing.total - plain.total == Rational(72 + 6 + 144 + 126 + 12 + 6 + 144 + 48 + 64));
    const auto latent = count_config(start + R"(, "kv_lora_rank": 6, "qk_nope_head_dim": 4,
        "qk_rope_head_dim": 2, "v_head_dim": 3, "q_lora_rank": 0, "moe": {"num_experts": 4,
        "num_experts_per_tok": 2, "expert_hidden_dim": 5, "num_shared_experts": 1,
        "first_k_dense_replace": 1}})");
    const int attention = 24 * 8 + 8 * 8 + 4 * 7 * 6 + 8 * 12;
    CHECK(latent.total == Rational(2 * (attention + 6) + kTwoNorms + 2 * kTable + kGated / 2 +
                                   4 * 8 + 5 * kExpert));
    CHECK(latent.per_token(model::CacheKind::latent) == Rational(2 * (6 + 2)));
  }

  TEST_CASE("params.json of Meta: the width of the MLP follows from two factors") {
    const std::string start = R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8,
        "vocab_size": 128256, "multiple_of": 1024, "ffn_dim_multiplier": 1.3, "norm_eps": 1e-05)";
    CHECK(count_config(start + "}").total == Rational(8030261248));
    CHECK(count_config(R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256,
        "vocab_size": 32000, "norm_eps": 1e-06})")
              .total == Rational(6738415616));
    CHECK(refusal_of(R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256,
        "vocab_size": -1})")
              .code == base::Code::unsupported_architecture);
    std::string absurd = start + "}";
    absurd.replace(absurd.find("1.3"), 3, "1e9");
    CHECK(refusal_of(absurd).code == base::Code::out_of_range);
  }

  TEST_CASE("a file without model_type is known by the class that it names") {
    const std::string body = R"("hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 2, "intermediate_size": 16, "vocab_size": 10})";
    const auto llama = count_config(R"({"architectures": ["LlamaForCausalLM"], )" + body);
    CHECK(llama.total == Rational(kAttention + kGated + kTwoNorms + 2 * kTable));
    CHECK(llama.noted("recognised-class"));
    CHECK(refusal_of(R"({"architectures": ["NobodysForCausalLM"], )" + body).code ==
          base::Code::missing_key);
    const auto unknown = refusal_of(
        R"({"model_type": "quantum_lattice", "architectures": ["Qwen3MoeForCausalLM"], )" + body);
    CHECK(unknown.code == base::Code::unsupported_architecture);
    CHECK(unknown.hint.find("that of qwen3_moe") != std::string::npos);
  }

  TEST_CASE("windows and patterns that a family does not read are noted, unless they say nothing") {
    const auto noted = [](const std::string& more) {
      return count_config(small_config("granite", more)).noted("unread-key");
    };
    CHECK(noted(R"(, "sliding_window": 4)"));
    CHECK(noted(R"(, "layer_types": ["full_attention", "sliding_attention"])"));
    CHECK_FALSE(noted(R"(, "layer_types": ["full_attention", "full_attention"])"));
    CHECK_FALSE(noted(R"(, "sliding_window": 4, "use_sliding_window": false)"));
    CHECK_FALSE(noted(R"(, "sliding_window": null)"));
    CHECK_FALSE(noted(R"(, "num_mtp_modules": 0, "use_sparse_attention": false, "layer_ids": [])"));
    for (const char* key : {"audio_config", "moe_layer_freq", "full_attention_interval",
                            "compress_ratios", "speech_lora", "ssm_state_size"}) {
      CHECK(noted(", \"" + std::string(key) + "\": 4"));
    }
  }

  TEST_CASE("the class says what stands behind the last layer") {
    const auto part = [](const std::string& type, const std::string& name,
                         const std::string& more = "") {
      return count_config(small_config(type, R"(, "architectures": [")" + name + R"("])" + more));
    };
    const auto bare = part("mistral", "MistralModel");
    CHECK(bare.part("head") == Rational(0));
    CHECK(bare.noted("class-head"));
    CHECK(part("mistral", "MistralForCausalLM").part("head") == Rational(kTable));
    CHECK(part("llama", "LlamaForSequenceClassification").part("head") == Rational(2 * 8));
    CHECK(part("llama", "LlamaForSequenceClassification", R"(, "id2label": {"0": "a"})")
              .part("head") == Rational(8));
    CHECK(part("internlm2", "InternLM2ForRewardModel").part("head") == Rational(8));
    // A tied table that heads nothing is looked up alone.
    const auto tied = part("gemma", "GemmaModel", R"(, "head_dim": 2)");
    CHECK(tied.inventory.tensors.front().use == model::Use::look_up);
    CHECK(part("chatglm", "ChatGLMModel", R"(, "padded_vocab_size": 10)").part("head") ==
          Rational(kTable));
  }

  TEST_CASE("mistral: a list says which layers keep the window") {
    const auto mixed = count_config(small_config("mistral", R"(, "sliding_window": 4,
        "layer_types": ["full_attention", "sliding_attention"])"));
    CHECK(mixed.per_token(CacheKind::full) == Rational(8));
    CHECK(mixed.per_token(CacheKind::window) == Rational(8));
    const auto all = count_config(small_config("mistral", R"(, "sliding_window": 4)"));
    CHECK(all.per_token(CacheKind::window) == Rational(16));
  }
}
