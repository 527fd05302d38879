// Dense decoders on small configurations whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using model::CacheKind;
using testing::count_config;
using testing::refusal_of;
using testing::small_config;

namespace {

constexpr int kPlain = testing::kAttention + testing::kGated + testing::kTwoNorms + testing::kTable;

exact::Rational total(const std::string& json) {
  return count_config(json).total;
}

// 4 heads of 2 in GPT-2's spelling, two layers of width 8, 4 × 8 in the MLP.
std::string gpt_config(const std::string& type, const std::string& more = "") {
  return "{\"model_type\": \"" + type +
         "\", \"n_embd\": 8, \"n_layer\": 2, \"n_head\": 4, \"vocab_size\": 10, "
         "\"n_positions\": 6, \"torch_dtype\": \"float16\"" +
         more + "}";
}

constexpr int kGptAttention = 2 * 4 * 64;
constexpr int kGptMlp = 2 * 2 * 32 * 8;

}  // namespace

TEST_SUITE("import/families_dense") {
  TEST_CASE("the class says whether the head is tied, where the key is absent") {
    CHECK(total(small_config("smollm3")) == exact::Rational(kPlain));
    CHECK(total(small_config("smollm3", ", \"tie_word_embeddings\": false")) ==
          exact::Rational(kPlain + testing::kTable));
    CHECK(total(small_config("granite")) == exact::Rational(kPlain + testing::kTable));
    const auto counted = count_config(small_config("smollm3"));
    REQUIRE(counted.notes.size() == 1);
    CHECK(counted.notes[0].code == "class-default");
    CHECK(counted.notes[0].text.find("SmolLM3Config") != std::string::npos);
    for (const char* type : {"baichuan", "internlm2", "phi3", "ministral3"}) {
      CHECK(total(small_config(type)) == exact::Rational(kPlain + testing::kTable));
    }
  }

  TEST_CASE("biases where the family has them") {
    const int untied = kPlain + testing::kTable;
    CHECK(total(small_config("PanguEmbedded", ", \"bias\": true")) ==
          exact::Rational(untied + testing::kAttentionBiases));
    CHECK(total(small_config("orion")) == exact::Rational(untied + testing::kTwoNorms));
    CHECK(total(small_config("stablelm", ", \"use_qkv_bias\": true")) ==
          exact::Rational(untied + testing::kTwoNorms + 2 * (8 + 4 + 4)));
    CHECK(total(small_config("stablelm", ", \"qk_layernorm\": true")) ==
          exact::Rational(untied + testing::kTwoNorms + 2 * (8 + 4)));
    CHECK(refusal_of(small_config("phi3", ", \"mlp_bias\": true")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("norms: none stored, one, two after, four, per head and over all heads") {
    const int untied = kPlain + testing::kTable;
    CHECK(total(small_config("olmo")) == exact::Rational(untied - testing::kTwoNorms));
    CHECK(total(small_config("olmo2")) == exact::Rational(untied + 2 * (8 + 4)));
    CHECK(total(small_config("exaone4", ", \"sliding_window\": 4")) ==
          exact::Rational(untied + 2 * (2 + 2)));
    CHECK(total(small_config("glm4", ", \"attention_bias\": true")) ==
          exact::Rational(untied - testing::kTwoNorms + testing::kFourNorms + 2 * (8 + 4 + 4)));
    CHECK(total(small_config("cohere")) ==
          exact::Rational(kPlain - testing::kTwoNorms + testing::kOneNorm));
    CHECK(total(small_config("gemma2", ", \"head_dim\": 2")) ==
          exact::Rational(kPlain - testing::kTwoNorms + testing::kFourNorms));
    CHECK(total(small_config("gemma3_text", ", \"head_dim\": 2")) ==
          exact::Rational(kPlain - testing::kTwoNorms + testing::kFourNorms + 2 * (2 + 2)));
  }

  TEST_CASE("gemma: head_dim is 256 by default of the class") {
    CHECK(count_config(small_config("gemma")).components.at("attention") ==
          exact::Rational(2 * (2 * 8 * 1024 + 2 * 8 * 512)));
  }

  TEST_CASE("windows: every second layer, a text, a list, a number, none") {
    // Keys and values of one layer: 2 × 2 heads × 2.
    const auto second = count_config(small_config("gemma2", ", \"head_dim\": 2"));
    CHECK(second.per_token(CacheKind::full) == exact::Rational(8));
    CHECK(second.per_token(CacheKind::window) == exact::Rational(8));
    CHECK(second.window(CacheKind::window) == exact::Rational(4096));
    const auto letters = count_config(
        small_config("exaone4", ", \"sliding_window\": 3, \"sliding_window_pattern\": \"LLLG\""));
    CHECK(letters.per_token(CacheKind::full) ==
          exact::Rational(8));  // the last layer is always full
    const auto list = count_config(
        small_config("olmo3", ", \"layer_types\": [\"sliding_attention\", \"sliding_attention\"]"));
    CHECK(list.per_token(CacheKind::full) == exact::Rational(0));
    CHECK(list.per_token(CacheKind::window) == exact::Rational(16));
    const auto number = count_config(
        small_config("cohere2", ", \"sliding_window\": 3, \"sliding_window_pattern\": 1"));
    CHECK(number.per_token(CacheKind::full) == exact::Rational(16));
    const auto none = count_config(small_config("exaone4", ", \"sliding_window\": null"));
    CHECK(none.per_token(CacheKind::full) == exact::Rational(16));
    CHECK(refusal_of(small_config("olmo3", ", \"layer_types\": [\"full_attention\"]")).code ==
          base::Code::out_of_range);
    CHECK(refusal_of(small_config("olmo3", ", \"layer_types\": [\"round\", \"round\"]"))
              .message.find("round") != std::string::npos);
    CHECK(refusal_of(
              small_config("exaone4", ", \"sliding_window\": 3, \"sliding_window_pattern\": \"\""))
              .code == base::Code::out_of_range);
  }

  TEST_CASE("gpt2's spelling, learned positions, biases everywhere") {
    const int body = kGptAttention + kGptMlp + 2 * (4 * 8) + 2 * (32 + 8) + 2 * testing::kTwoNorms;
    CHECK(total(gpt_config("gpt2")) == exact::Rational(body + testing::kTable + 6 * 8));
    CHECK(total(gpt_config("gpt2", ", \"n_inner\": 16")) ==
          exact::Rational(body + testing::kTable + 6 * 8 - kGptMlp / 2 - 2 * 16));
    CHECK(total(gpt_config("bloom")) == exact::Rational(body + testing::kTable + 2 * 8));
    CHECK(total(gpt_config("opt")) == exact::Rational(body + testing::kTable + 8 * 8));
    CHECK(total(gpt_config("gpt_neo")) ==
          exact::Rational(body + testing::kTable + 6 * 8 - 2 * 3 * 8));
    CHECK(total(gpt_config("gpt_neox")) == exact::Rational(body + 2 * testing::kTable));
    CHECK(total(gpt_config("gpt_neox_reward_model")) ==
          exact::Rational(body + testing::kTable + 9));
    CHECK(total(gpt_config("starcoder2")) == exact::Rational(body + testing::kTable));
    CHECK(total(gpt_config("mpt")) ==
          exact::Rational(kGptAttention + kGptMlp + testing::kTwoNorms + testing::kTable));
    // One norm a layer; biases on the head.
    const int one_norm = body - 2 * testing::kTwoNorms + 2 * testing::kOneNorm;
    CHECK(total(gpt_config("phi")) == exact::Rational(one_norm + 2 * testing::kTable + 10));
    CHECK(total(gpt_config("gptj")) ==
          exact::Rational(one_norm + 2 * testing::kTable + 10 - 2 * 4 * 8));
    CHECK(refusal_of("{\"model_type\": \"gpt2\"}").code == base::Code::missing_key);
  }

  TEST_CASE("one key and value for all heads") {
    const auto shared = count_config(gpt_config("gpt_bigcode"));
    CHECK(shared.per_token(CacheKind::full) == exact::Rational(2 * 2 * 2));
    const auto each = count_config(gpt_config("gpt_bigcode", ", \"multi_query\": false"));
    CHECK(each.per_token(CacheKind::full) == exact::Rational(2 * 2 * 8));
    const auto nested = count_config(gpt_config("mpt", ", \"attn_config\": {\"kv_n_heads\": 2}"));
    CHECK(nested.per_token(CacheKind::full) == exact::Rational(2 * 2 * 4));
  }

  TEST_CASE("falcon: three forms, and a head that is stored again") {
    const std::string more = ", \"num_kv_heads\": 2, \"new_decoder_architecture\": true";
    const auto grouped = count_config(gpt_config("falcon", more));
    CHECK(grouped.per_token(CacheKind::full) == exact::Rational(2 * 2 * 4));
    CHECK(grouped.components.at("norms") == exact::Rational(2 * testing::kTwoNorms));
    CHECK(grouped.stored - grouped.total == exact::Rational(testing::kTable));
    const auto one = count_config(gpt_config("falcon"));
    CHECK(one.per_token(CacheKind::full) == exact::Rational(2 * 2 * 2));
    CHECK(one.components.at("norms") == exact::Rational(2 * testing::kOneNorm));
    const auto each =
        count_config(gpt_config("falcon", ", \"multi_query\": false, \"parallel_attn\": false"));
    CHECK(each.per_token(CacheKind::full) == exact::Rational(2 * 2 * 8));
    CHECK(count_config(gpt_config("RefinedWeb", ", \"n_head_kv\": 2")).total == grouped.total);
  }

  TEST_CASE("chatglm: grouped heads under their own key, the padded vocabulary") {
    const auto counted = count_config(
        "{\"model_type\": \"chatglm\", \"hidden_size\": 8, \"num_layers\": 2, "
        "\"num_attention_heads\": 4, \"multi_query_attention\": true, "
        "\"multi_query_group_num\": 2, \"kv_channels\": 2, \"ffn_hidden_size\": 16, "
        "\"padded_vocab_size\": 10, \"vocab_size\": 9, \"add_qkv_bias\": true, "
        "\"add_bias_linear\": false, \"tie_word_embeddings\": false, "
        "\"torch_dtype\": \"float16\"}");
    CHECK(counted.total == exact::Rational(kPlain + testing::kTable + 2 * (8 + 4 + 4)));
    CHECK(counted.per_token(CacheKind::full) == exact::Rational(16));
  }

  TEST_CASE("qwen: intermediate_size is twice the width of a matrix") {
    CHECK(total(small_config("qwen")) ==
          exact::Rational(kPlain + testing::kTable - testing::kGated / 2 + 2 * (8 + 4 + 4)));
    std::string odd = small_config("qwen");
    odd.replace(odd.find("\"intermediate_size\": 16"), 23, "\"intermediate_size\": 15");
    CHECK(refusal_of(odd).code == base::Code::out_of_range);
  }

  TEST_CASE("mixtures: a router and experts in place of the MLP") {
    const std::string four = ", \"num_local_experts\": 4, \"num_experts_per_tok\": 2";
    const int mixed = kPlain + testing::kTable + 3 * testing::kGated + 2 * 4 * 8;
    CHECK(total(small_config("granitemoe", four)) == exact::Rational(mixed));
    CHECK(total(small_config("phimoe", four + ", \"lm_head_bias\": true")) ==
          exact::Rational(mixed + testing::kTwoNorms + 10));
    CHECK(total(small_config("minicpm")) == exact::Rational(kPlain));
    CHECK(total(small_config("minicpm", ", \"num_experts\": 4, \"num_experts_per_tok\": 2")) ==
          exact::Rational(kPlain + 3 * testing::kGated + 2 * 4 * 8));
    const auto dbrx = count_config(
        "{\"model_type\": \"dbrx\", \"d_model\": 8, \"n_layers\": 2, \"n_heads\": 4, "
        "\"vocab_size\": 10, \"attn_config\": {\"kv_n_heads\": 2}, \"ffn_config\": "
        "{\"ffn_hidden_size\": 16, \"moe_num_experts\": 4, \"moe_top_k\": 2}, "
        "\"torch_dtype\": \"bfloat16\"}");
    CHECK(dbrx.total == exact::Rational(mixed));
    CHECK(dbrx.components.at("experts") == exact::Rational(4 * testing::kGated));
  }

  TEST_CASE("phi3small: biases, layer norms, a tied head") {
    std::string config = small_config("phi3small");
    config.replace(config.find("intermediate_size"), 17, "ff_intermediate_size");
    CHECK(total(config) == exact::Rational(kPlain + testing::kTwoNorms + testing::kAttentionBiases +
                                           2 * (16 + 16 + 8)));
  }

  TEST_CASE("mimo: a prediction layer without table and head") {
    const auto counted =
        count_config(small_config("mimo", ", \"head_dim\": 2, \"num_nextn_predict_layers\": 1"));
    CHECK(counted.components.at("mtp") ==
          exact::Rational(testing::kAttention / 2 + 16 + testing::kGated / 2 + 2 * 8 * 8 + 5 * 8));
    CHECK(counted.per_token(CacheKind::full) == exact::Rational(16));
    REQUIRE(counted.inventory.draft_caches.size() == 1);
    CHECK(counted.inventory.draft_caches[0].layers.value == exact::Rational(1));
  }
}
