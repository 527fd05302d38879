// Gemma 3n and Gemma 4 on small configurations whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using exact::Rational;
using model::CacheKind;
using testing::count_config;
using testing::kGated;
using testing::kTable;
using testing::refusal_of;
using testing::small_config;

namespace {

const std::string kFour = R"(, "head_dim": 2, "global_head_dim": 3, "sliding_window": 5,
    "hidden_size_per_layer_input": 0, "layer_types": ["sliding_attention", "full_attention"])";
// q and o of 4 heads, k and v of 2, norms of q and k: for heads of 2 and of 3.
constexpr int kNarrow = 2 * 8 * 8 + 2 * 4 * 8 + 2 * 2;
constexpr int kWide = 2 * 12 * 8 + 2 * 6 * 8 + 2 * 3;
// Four norms and a scalar in two layers, one norm at the end.
constexpr int kNorms = 2 * (4 * 8 + 1) + 8;

}  // namespace

TEST_SUITE("import/families/gemma") {
  TEST_CASE("gemma4_text: layers with all tokens have wider heads, all are kept") {
    const auto plain = count_config(small_config("gemma4_text", kFour));
    CHECK(plain.total == Rational(kNarrow + kWide + kGated + kTable + kNorms));
    CHECK(plain.per_token(CacheKind::window) == Rational(2 * 4));
    CHECK(plain.per_token(CacheKind::full) == Rational(2 * 6));
    CHECK(plain.window(CacheKind::window) == Rational(5));
  }

  TEST_CASE("gemma4_text: one matrix for keys and values stores less and keeps both") {
    const auto shared = count_config(small_config(
        "gemma4_text", kFour + R"(, "attention_k_eq_v": true, "num_global_key_value_heads": 1)"));
    CHECK(shared.total ==
          Rational(kNarrow + (2 * 12 * 8 + 3 * 8 + 2 * 3) + kGated + kTable + kNorms));
    CHECK(shared.per_token(CacheKind::full) == Rational(2 * 3));
  }

  TEST_CASE(
      "gemma4_text: layers that share store unread matrices, keep nothing, may be twice wide") {
    const auto sharing =
        count_config(small_config("gemma4_text", kFour + R"(, "num_kv_shared_layers": 1,
                                                  "use_double_wide_mlp": true)"));
    CHECK(sharing.total == Rational(kNarrow + kWide + kGated * 3 / 2 + kTable + kNorms));
    CHECK(sharing.per_token(CacheKind::full) == Rational(0));
    CHECK(sharing.per_token(CacheKind::window) == Rational(8));
    CHECK(sharing.active == sharing.total - Rational(2 * 6 * 8 + 3));
    CHECK(sharing.noted("unread-weights"));
    const auto fault = refusal_of(small_config("gemma4_text", kFour + R"(,
"num_kv_shared_layers": 2)"));
    CHECK(fault.code == base::Code::out_of_range);
    CHECK(fault.message.find("num_kv_shared_layers") != std::string::npos);
  }

  TEST_CASE("gemma4_text: the last layer has all tokens whatever the list says") {
    const auto forced = count_config(small_config("gemma4_text", R"(, "head_dim": 2,
        "global_head_dim": 3, "hidden_size_per_layer_input": 0,
        "layer_types": ["sliding_attention", "sliding_attention"])"));
    CHECK(forced.per_token(CacheKind::full) == Rational(12));
    CHECK(forced.window(CacheKind::window) == Rational(512));
    CHECK(refusal_of(small_config("gemma4_text", R"(, "layer_types": ["round", "round"])"))
              .message.find("round") != std::string::npos);
  }

  TEST_CASE("gemma4_text: experts stand beside the MLP with a router that scales and three norms") {
    const auto mixed = count_config(small_config("gemma4_text", kFour + R"(,
        "enable_moe_block": true, "num_experts": 4, "top_k_experts": 2,
        "moe_intermediate_size": 5)"));
    CHECK(mixed.part("experts") == Rational(2 * 4 * 3 * 5 * 8));
    CHECK(mixed.part("router") == Rational(2 * (4 * 8 + 8 + 4)));
    CHECK(mixed.part("mlp") == Rational(kGated));
    CHECK(mixed.part("norms") == Rational(kNorms + 2 * 3 * 8 + 2 * 2 + 2 * 3));
  }

  TEST_CASE("gemma4_text: a narrow row a token and layer feeds every layer") {
    const auto fed = count_config(small_config("gemma4_text", R"(, "head_dim": 2,
        "global_head_dim": 3, "hidden_size_per_layer_input": 3, "vocab_size_per_layer_input": 7,
        "layer_types": ["sliding_attention", "full_attention"])"));
    const int inputs = 7 * 2 * 3 + 2 * 3 * 8 + 3 + 2 * (2 * 3 * 8 + 8);
    CHECK(fed.total == Rational(kNarrow + kWide + kGated + kTable + kNorms + inputs));
  }

  TEST_CASE("gemma4: bounds of clipped matrices are stored and not counted") {
    const std::string text = R"({"model_type": "gemma4", "text_config": )" +
                             small_config("gemma4_text", kFour) + R"(, "vision_config": {
        "hidden_size": 4, "intermediate_size": 6, "num_hidden_layers": 3, "num_attention_heads": 2,
        "num_key_value_heads": 2, "head_dim": 2, "patch_size": 2, "position_embedding_size": 5,
        "use_clipped_linears": true}})";
    const auto seen = count_config(text);
    const int layer = 4 * 4 * 4 + 2 * 2 + 3 * 6 * 4 + 4 * 4;
    CHECK(seen.part("vision") == Rational(3 * 2 * 2 * 4 + 2 * 5 * 4 + 3 * layer + 4 * 8));
    CHECK(seen.stored - seen.total == Rational(3 * 7 * 4));
  }

  TEST_CASE("gemma3n_text: streams, a low-rank residual, a list of widths") {
    const std::string more = R"(, "head_dim": 2, "sliding_window": 5, "altup_num_inputs": 2,
        "laurel_rank": 3, "hidden_size_per_layer_input": 0, "num_kv_shared_layers": 1,
        "layer_types": ["full_attention", "full_attention"])";
    const auto one = count_config(small_config("gemma3n_text", more));
    const int streams = 2 * 8 * 8 + 2 * (8 + 4 + 8 + 16 + 8 + 2 * 3 * 8 + 8);
    CHECK(one.total == Rational(2 * kNarrow + kGated + kTable + 2 * 4 * 8 + 8 + streams));
    CHECK(one.per_token(CacheKind::full) == Rational(2 * 4));
    std::string listed = small_config("gemma3n_text", more);
    listed.replace(listed.find("\"intermediate_size\": 16"), 23, "\"intermediate_size\": [16, 4]");
    CHECK(count_config(listed).part("mlp") ==
          one.part("mlp") - Rational(kGated / 2) + Rational(3 * 4 * 8));
    listed.replace(listed.find("[16, 4]"), 7, "[16, 0]");
    CHECK(refusal_of(listed).code == base::Code::out_of_range);
    CHECK(refusal_of(small_config("gemma3n_text", R"(, "altup_num_inputs": 1)")).code ==
          base::Code::out_of_range);
  }

  TEST_CASE("gemma3n: an image encoder of another name is refused") {
    const auto fault = refusal_of(R"({"model_type": "gemma3n", "text_config": {}, "vision_config": {
        "architecture": "convnext"}})");
    CHECK(fault.code == base::Code::unsupported_architecture);
    CHECK(fault.span.line == 2);
  }
}
