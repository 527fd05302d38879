// Mixtures, linear attention and state spaces, on small configurations whose tensors were added up
// by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using exact::Rational;
using model::CacheKind;
using testing::count_config;
using testing::refusal_of;

namespace {

// hidden 8, two layers, 4 heads of 2 with 2 KV heads, MLP 16, vocabulary 10.
std::string small(const std::string& type, const std::string& more) {
  return R"({"model_type": ")" + type + R"(", "hidden_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2, "intermediate_size": 16,
    "vocab_size": 10, "torch_dtype": "bfloat16")" +
         more + "}";
}

constexpr int kTable = 10 * 8;
constexpr int kNorms = 2 * 2 * 8 + 8;
constexpr int kAttention = 64 + 32 + 32 + 64;  // of one layer
constexpr int kMlp = 3 * 16 * 8;               // of one layer

const std::string kDelta = R"(, "linear_num_key_heads": 1, "linear_num_value_heads": 2,
    "linear_key_head_dim": 3, "linear_value_head_dim": 2, "linear_conv_kernel_dim": 4)";
// 2·3 + 4 channels: qkv and a kernel of 4; z 4×8, a and b 2×8, dt and A 2, out 8×4; norm of 2.
constexpr int kDeltaNet = 10 * 8 + 10 * 4 + 32 + 2 * 16 + 2 * 2 + 32;
constexpr int kGated = 128 + 32 + 32 + 64;  // a query matrix twice as tall

const std::string kExperts = R"(, "num_experts": 4, "num_experts_per_tok": 2,
    "moe_intermediate_size": 5, "shared_expert_intermediate_size": 6)";
constexpr int kMixture = 4 * 8 + 4 * 3 * 5 * 8 + 3 * 6 * 8 + 8;

}  // namespace

TEST_SUITE("import/families/hybrid") {
  TEST_CASE("gpt_oss: biases everywhere, sinks, alternating windows") {
    const auto oss = count_config(small(
        "gpt_oss", R"(, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 3)"));
    CHECK(oss.part("attention") == Rational(2 * (kAttention + 8 + 4 + 4 + 8 + 4)));
    CHECK(oss.part("experts") == Rational(2 * 4 * (kMlp + 16 + 16 + 8)));
    CHECK(oss.part("router") == Rational(2 * (4 * 8 + 4)));
    CHECK(oss.per_token(CacheKind::window) == Rational(8));
    CHECK(oss.per_token(CacheKind::full) == Rational(8));
    CHECK(oss.inventory.caches.back().window->value == Rational(3));
  }

  TEST_CASE("gpt_oss: experts in MXFP4 take 17 bytes for 32, all else two bytes each") {
    const auto oss = count_config(
        R"({"model_type": "gpt_oss", "hidden_size": 32, "num_hidden_layers": 1,
        "num_attention_heads": 1, "head_dim": 2, "intermediate_size": 64, "vocab_size": 10,
        "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 3,
        "quantization_config": {"quant_method": "mxfp4"}})");
    const Rational codes(4 * 3 * 64 * 32);
    CHECK(oss.payload ==
          (codes * Rational(17) / Rational(32) + Rational(2) * (oss.total - codes)).to_string());
    // A row that groups of 32 do not fill has no exact size.
    const auto odd = count_config(
        small("gpt_oss", R"(, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 3,
        "quantization_config": {"quant_method": "mxfp4"})"));
    CHECK(odd.payload.find("not stated") != std::string::npos);
  }

  TEST_CASE("qwen3_next: delta net and gated attention by interval, and an MTP layer unannounced") {
    const auto next =
        count_config(small("qwen3_next", kDelta + kExperts + R"(, "full_attention_interval": 2)"));
    CHECK(next.part("attention") == Rational(kDeltaNet + kGated));
    CHECK(next.part("mtp") == Rational(2 * 8 * 8 + 3 * 8 + 2 * 8 + kGated + 2 * 2 + kMixture));
    CHECK(next.noted("mtp-unannounced"));
    CHECK(next.active < next.total - next.part("mtp"));
    CHECK(next.per_sequence(CacheKind::recurrent) == Rational(2 * 3 * 2 + 10 * 3));
    CHECK(next.per_token(CacheKind::full) == Rational(8));
    const auto& state = next.inventory.caches.back().per_sequence;
    CHECK(state.front().divided->value == Rational(2));
    CHECK(state.front().stated_format.empty());
    CHECK(state.back().divided->value == Rational(10));
  }

  TEST_CASE("qwen3_5: text and tower inside objects, the state's format as stated") {
    const std::string vision = R"(, "vision_config": {"depth": 2, "hidden_size": 4,
        "intermediate_size": 6, "in_channels": 3, "patch_size": 2, "temporal_patch_size": 2,
        "num_position_embeddings": 9, "spatial_merge_size": 2, "out_hidden_size": 8,
        "num_heads": 2, "deepstack_visual_indexes": []})";
    std::string text = small("qwen3_5_text", kDelta + R"(, "mamba_ssm_dtype": "float32",
        "layer_types": ["linear_attention", "full_attention"], "mtp_num_hidden_layers": 1)");
    const auto flat = count_config(text);
    CHECK(flat.part("mlp") == Rational(2 * kMlp));
    CHECK(flat.inventory.caches.back().per_sequence.front().stated_format == "float32");
    const auto whole =
        count_config(R"({"model_type": "qwen3_5", "text_config": )" + text + vision + "}");
    // Patches 4×24 + 4, positions 9×4, blocks, merger of 16.
    const int block = 4 * 4 + 12 * 4 + 12 + 16 + 4 + 24 + 6 + 24 + 4;
    const int tower = 96 + 4 + 36 + 2 * block + 8 + 16 * 16 + 16 + 8 * 16 + 8;
    CHECK(whole.part("vision") == Rational(tower));
    CHECK(whole.total - flat.total == Rational(tower));
    CHECK(whole.active == flat.active);
    CHECK(whole.payload == (Rational(2) * whole.total).to_string());
    CHECK(refusal_of(small("qwen3_5_text", kDelta + R"(, "layer_types": ["chunked", "chunked"])"))
              .hint.find("linear_attention") != std::string::npos);
  }

  TEST_CASE("minimax_m1: lightning attention keeps a state, the list says where") {
    const auto m1 = count_config(small("minimax_m1", R"(, "num_local_experts": 4,
        "num_experts_per_tok": 2, "attn_type_list": [0, 1])"));
    CHECK(m1.part("attention") == Rational(kAttention + 3 * 64 + 64 + 64));
    CHECK(m1.part("norms") == Rational(kNorms + 8));
    CHECK(m1.per_sequence(CacheKind::recurrent) == Rational(4 * 2 * 2));
    CHECK(m1.per_token(CacheKind::full) == Rational(8));
  }

  TEST_CASE("minimax_m2: norms over the whole width, MTP announced and left out") {
    const std::string experts = R"(, "num_local_experts": 4, "num_experts_per_tok": 2)";
    const auto m2 = count_config(small("minimax_m2", experts + R"(, "num_mtp_modules": 3)"));
    CHECK(m2.part("norms") == Rational(kNorms + 2 * (8 + 4)));
    CHECK(m2.part("router") == Rational(2 * (32 + 4)));
    CHECK(m2.part("mtp") == Rational(0));
    CHECK(m2.noted("mtp-absent"));
    CHECK(refusal_of(small("minimax_m2", experts + R"(, "attn_type_list": [0, 1])")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("minimax_m3: index keys in the sparse layers, which no rank divides") {
    const auto m3 = count_config(small("minimax_m3", R"(, "num_local_experts": 4,
        "num_experts_per_tok": 2, "shared_intermediate_size": 6, "dense_intermediate_size": 7,
        "moe_layer_freq": [0, 1], "qk_norm_type": "per_head", "sparse_attention_config":
        {"sparse_num_index_heads": 2, "sparse_index_dim": 3, "sparse_attention_freq": [0, 1]})"));
    CHECK(m3.part("attention") == Rational(2 * kAttention + 6 * 8 + 3 * 8));
    CHECK(m3.part("mlp") == Rational(3 * 7 * 8));
    CHECK(m3.part("norms") == Rational(kNorms + 2 * 2 * 2 + 2 * 3));
    CHECK(m3.per_token(CacheKind::index) == Rational(3));
    CHECK_FALSE(m3.inventory.caches.back().per_token.front().divided.has_value());
  }

  TEST_CASE("mimo_v2_flash: other KV heads and sinks in windows, values narrower than keys") {
    const auto mimo =
        count_config(small("mimo_v2_flash", R"(, "v_head_dim": 1, "swa_num_attention_heads": 4,
        "swa_num_key_value_heads": 4, "swa_head_dim": 2, "swa_v_head_dim": 1,
        "sliding_window": 5, "hybrid_layer_pattern": [0, 1],
        "add_swa_attention_sink_bias": true, "moe_layer_freq": [0, 1], "n_routed_experts": 4,
        "num_experts_per_tok": 2, "moe_intermediate_size": 5)"));
    const int full = 64 + 32 + 16 + 32;
    const int windowed = 64 + 64 + 32 + 32 + 4;
    CHECK(mimo.part("attention") == Rational(full + windowed));
    CHECK(mimo.per_token(CacheKind::full) == Rational(4 + 2));
    CHECK(mimo.per_token(CacheKind::window) == Rational(8 + 4));
    CHECK(mimo.part("mtp") == Rational(3 * (2 * 64 + 3 * 8 + 2 * 8 + windowed + kMlp)));
  }

  TEST_CASE("glm4_moe: q, k and v biases; copies of the MTP module as GLM-4.5 stores them") {
    const std::string keys = R"(, "attention_bias": true, "use_qk_norm": true,
        "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 5,
        "n_shared_experts": 1, "first_k_dense_replace": 1, "num_nextn_predict_layers": 1,
        "max_position_embeddings": )";
    const auto first = count_config(small("glm4_moe", keys + "131072"));
    CHECK(first.part("attention") == Rational(2 * (kAttention + 8 + 4 + 4)));
    CHECK(first.stored - first.total == Rational(2 * kTable));
    const auto second = count_config(small("glm4_moe", keys + "202752"));
    CHECK(second.total == first.total);
    CHECK(second.stored == second.total);
  }

  TEST_CASE("nemotron_h: each layer one mixer, in either spelling of the pattern") {
    const std::string keys = R"(, "mamba_num_heads": 2, "mamba_head_dim": 3, "n_groups": 1,
        "ssm_state_size": 5, "conv_kernel": 4, "n_routed_experts": 4, "num_experts_per_tok": 2,
        "moe_intermediate_size": 5, "n_shared_experts": 1,
        "moe_shared_expert_intermediate_size": 7)";
    std::string text = small("nemotron_h", keys + R"(, "hybrid_override_pattern": "M*E-")");
    text.replace(text.find("\"num_hidden_layers\": 2"), 22, "\"num_hidden_layers\": 4");
    const auto nano = count_config(text);
    // in 24×8, conv 16 channels of 4 with bias, A, D and dt 2 each, out 8×6; gated norm 6.
    CHECK(nano.part("attention") == Rational(24 * 8 + 16 * 5 + 6 + 48 + kAttention));
    CHECK(nano.part("mlp") == Rational(2 * 16 * 8));
    CHECK(nano.part("experts") == Rational(4 * 2 * 5 * 8));
    CHECK(nano.part("shared_experts") == Rational(2 * 7 * 8));
    CHECK(nano.part("norms") == Rational(4 * 8 + 6 + 8));
    CHECK(nano.per_sequence(CacheKind::recurrent) == Rational(2 * 3 * 5 + 16 * 3));
    std::string words = text;
    words.replace(words.find(R"("hybrid_override_pattern": "M*E-")"), 33,
                  R"("layers_block_type": ["mamba", "attention", "moe", "mlp"])");
    CHECK(count_config(words).total == nano.total);
    std::string latent = text;
    latent.insert(latent.size() - 1, R"(, "moe_latent_size": 3)");
    CHECK(count_config(latent).part("experts") == Rational(4 * 2 * 5 * 3 + 2 * 3 * 8));
    std::string short_pattern = text;
    short_pattern.replace(short_pattern.find("M*E-"), 4, "M*E");
    CHECK(refusal_of(short_pattern).message.find("the layer pattern has 3") != std::string::npos);
    short_pattern.replace(short_pattern.find("M*E"), 3, "MXE-");
    CHECK(refusal_of(short_pattern).message.find("holds X") != std::string::npos);
  }

  TEST_CASE("nemotron-nas: layers without attention or MLP, KV heads and widths layer by layer") {
    const auto nas = count_config(R"({"model_type": "nemotron-nas", "hidden_size": 384,
        "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 10,
        "num_key_value_heads": null, "intermediate_size": null, "torch_dtype": "bfloat16",
        "block_configs": [
        {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 1.5}},
        {"attention": {"no_op": true}, "ffn": {"ffn_mult": 0.5}},
        {"attention": {"n_heads_in_group": 4}, "ffn": {"replace_with_linear": true}}]})");
    CHECK(nas.part("attention") ==
          Rational(2 * 384 * 384 + 2 * 192 * 384 + 2 * 384 * 384 + 2 * 96 * 384));
    // ⌊2 × 1.5 × 384 ÷ 3⌋ = 384 → 512; ⌊2 × 0.5 × 384 ÷ 3⌋ = 128 → 256.
    CHECK(nas.part("mlp") == Rational(3 * 384 * (512 + 256) + 384 * 384));
    CHECK(nas.part("norms") == Rational(384 * (2 + 3 + 1)));
    CHECK(nas.per_token(CacheKind::full) == Rational(2 * 192 + 2 * 96));
    const auto fault = refusal_of(R"({"model_type": "nemotron-nas", "hidden_size": 384,
        "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 10, "block_configs": [
        {"attention": {"n_heads_in_group": 2, "window_length": 8}, "ffn": {"ffn_mult": 1.5}}]})");
    CHECK(fault.code == base::Code::unsupported_architecture);
    CHECK(fault.span.line == 3);
  }

  TEST_CASE("jamba: periods and offsets place attention and experts") {
    const auto jamba = count_config(small("jamba", R"(, "attn_layer_period": 2,
        "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 1,
        "num_experts": 4, "num_experts_per_tok": 2, "mamba_expand": 2, "mamba_d_state": 3,
        "mamba_d_conv": 4, "mamba_dt_rank": "auto")"));
    // in 32×8, conv 16×4 + 16, x 7×16, dt 16×1 + 16, A 16×3, D 16, out 8×16; norms of 1 + 3 + 3.
    CHECK(jamba.part("attention") == Rational(kAttention + 256 + 80 + 112 + 32 + 48 + 16 + 128));
    CHECK(jamba.part("norms") == Rational(kNorms + 7));
    CHECK(jamba.part("experts") == Rational(4 * kMlp));
    CHECK(jamba.part("mlp") == Rational(kMlp));
    CHECK(jamba.per_sequence(CacheKind::recurrent) == Rational(16 * 3 + 16 * 3));
  }

  TEST_CASE("falcon_h1, mamba and mamba2: the inner width is what the class builds") {
    const std::string keys = R"(, "mamba_n_heads": 2, "mamba_d_head": 3, "mamba_n_groups": 1,
        "mamba_d_state": 5, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_d_ssm": )";
    const auto falcon = count_config(small("falcon_h1", keys + "6"));
    CHECK(falcon.part("attention") == Rational(2 * (kAttention + 24 * 8 + 80 + 6 + 48)));
    CHECK(falcon.part("norms") == Rational(kNorms));
    CHECK(refusal_of(small("falcon_h1", keys + "16")).message.find("mamba_d_ssm") !=
          std::string::npos);
    const std::string plain = R"(, "hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 10,
        "state_size": 5, "conv_kernel": 4, "torch_dtype": "float32")";
    const auto mamba = count_config(R"({"model_type": "mamba", "intermediate_size": 16,
        "time_step_rank": 2)" + plain +
                                    "}");
    CHECK(mamba.total == Rational(kTable + 8 + 2 * (8 + 256 + 80 + 12 * 16 + 48 + 80 + 16 + 128)));
    const auto second = count_config(R"({"model_type": "mamba2", "num_heads": 2, "head_dim": 8,
        "n_groups": 1, "expand": 2, "tie_word_embeddings": true)" +
                                     plain + "}");
    CHECK(second.total == Rational(kTable + 8 + 2 * (8 + 44 * 8 + 26 * 5 + 6 + 16 + 128)));
    CHECK(second.per_token(CacheKind::full) == Rational(0));
    CHECK(second.per_sequence(CacheKind::recurrent) == Rational(2 * (16 * 5 + 26 * 3)));
  }

  TEST_CASE("lfm2: short convolutions, and an MLP whose width follows a rule") {
    const auto lfm = count_config(small("lfm2", R"(, "block_ff_dim": 30, "block_multiple_of": 8,
        "conv_L_cache": 3, "full_attn_idxs": [1], "tie_embedding": true)"));
    CHECK(lfm.part("mlp") == Rational(2 * 3 * 24 * 8));
    CHECK(lfm.part("attention") == Rational(kAttention + 24 * 8 + 8 * 3 + 64));
    CHECK(lfm.part("head") == Rational(0));
    CHECK(lfm.per_sequence(CacheKind::recurrent) == Rational(8 * 2));
    CHECK(refusal_of(small("lfm2", R"(, "conv_L_cache": 3, "full_attn_idxs": [2])"))
              .message.find("names layer 2") != std::string::npos);
  }

  TEST_CASE("glm5_next: hyper-connections, pooled index keys, formats of the FP8 checkpoint") {
    const std::string text = R"({"hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 10,
        "num_attention_heads": 2, "q_lora_rank": 6, "kv_lora_rank": 4, "qk_nope_head_dim": 3,
        "qk_rope_head_dim": 0, "v_head_dim": 3, "index_n_heads": 2, "index_head_dim": 3,
        "index_kpool": 4, "index_kpool_compress": true, "mhc": true, "hc_mult": 2,
        "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 5,
        "n_shared_experts": 1, "first_k_dense_replace": 1, "intermediate_size": 16,
        "layer_types": ["linear_attention", "deepseek_sparse_attention"],
        "linear_attn_config": {"num_heads": 2, "head_dim": 4, "short_conv_kernel_size": 4}})";
    const auto glm = count_config(R"({"model_type": "glm5_next", "text_config": )" + text +
                                  R"(, "quantization_config": {"quant_method": "fp8",
        "weight_block_size": [128, 128]}})");
    const int delta = 3 * (64 + 32) + 2 + 8 + 2 * 64 + 16 + 64;
    const int latent = 6 * 8 + 6 * 6 + 4 * 8 + 12 * 4 + 8 * 6;
    const int indexer = 36 + 24 + 16 + 24 + 12;
    const int mixes = 2 * (8 * 16 + 8 + 3);
    CHECK(glm.part("attention") == Rational(delta + latent + indexer + 2 * mixes));
    CHECK(glm.per_token(CacheKind::latent) == Rational(4));
    CHECK(glm.inventory.caches.back().compress->value == Rational(4));
    const int codes = latent - 48 + kMlp + 5 * 3 * 5 * 8;
    const int blocks = 4 + 3 + 5 * 3;
    const Rational wide(2 + 8 + 4 + 2 * 2 * (8 + 3));  // A, dt, correction, bases and scales in F32
    CHECK(glm.payload == (Rational(codes + 4 * blocks) + Rational(2) * wide +
                          Rational(2) * (glm.total - Rational(codes)))
                             .to_string());
  }
}
