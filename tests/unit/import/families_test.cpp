// Each family on a small configuration whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"
#include "document/read.hpp"
#include "import/config.hpp"

using namespace ullage;
using testing::count_config;
using testing::CountedConfig;
using testing::kAttention;
using testing::kTable;
using testing::refusal_of;
using testing::small_config;

TEST_SUITE("import/families") {
  TEST_CASE("llama: attention, gated MLP, norms, table and head") {
    const CountedConfig plain = count_config(small_config("llama"));
    CHECK(plain.total ==
          exact::Rational(kAttention + testing::kGated + testing::kTwoNorms + 2 * kTable));
    CHECK(plain.active == plain.total);
    CHECK(plain.components.at("attention") == exact::Rational(kAttention));
    CHECK(plain.components.at("mlp") == exact::Rational(testing::kGated));
    CHECK(plain.components.at("norms") == exact::Rational(testing::kTwoNorms));
    CHECK(plain.components.at("head") == exact::Rational(kTable));
  }

  TEST_CASE("llama: a tied head is counted once, biases where the config says so") {
    const CountedConfig tied =
        count_config(small_config("llama", ", \"tie_word_embeddings\": true"));
    CHECK(tied.total ==
          exact::Rational(kAttention + testing::kGated + testing::kTwoNorms + kTable));
    CHECK(tied.components.count("head") == 0);
    const CountedConfig biased =
        count_config(small_config("llama", ", \"attention_bias\": true, \"mlp_bias\": true"));
    CHECK(biased.components.at("attention") == exact::Rational(kAttention + 2 * (8 + 4 + 4 + 8)));
    CHECK(biased.components.at("mlp") == exact::Rational(testing::kGated + 2 * (16 + 16 + 8)));
  }

  TEST_CASE(
      "llama: as many KV heads as heads where the key is absent, head_dim where it is stated") {
    const CountedConfig mha =
        count_config(small_config("llama", ", \"num_key_value_heads_unused\": 1"));
    CHECK(mha.components.at("attention") == exact::Rational(kAttention));
    std::string text = small_config("llama");
    text.replace(text.find("\"num_key_value_heads\": 2,\n"), 26, "");
    CHECK(count_config(text).components.at("attention") == exact::Rational(2 * 4 * 64));
    const CountedConfig wide = count_config(small_config("llama", ", \"head_dim\": 3"));
    CHECK(wide.components.at("attention") == exact::Rational(2 * (96 + 48 + 48 + 96)));
  }

  TEST_CASE("mistral has llama's tensors, a window changes no weight") {
    CHECK(count_config(small_config("mistral", ", \"sliding_window\": 4096")).total ==
          count_config(small_config("llama")).total);
  }

  TEST_CASE("mixtral: a router and experts, of which a token passes some") {
    const CountedConfig moe = count_config(
        small_config("mixtral", ", \"num_local_experts\": 4, \"num_experts_per_tok\": 2"));
    CHECK(moe.components.at("experts") == exact::Rational(4 * testing::kGated));
    CHECK(moe.components.at("router") == exact::Rational(2 * 4 * 8));
    CHECK(moe.total - moe.active == exact::Rational(2 * testing::kGated));
  }

  TEST_CASE("qwen2: biases on q, k and v only") {
    CHECK(count_config(small_config("qwen2")).components.at("attention") ==
          exact::Rational(kAttention + 2 * (8 + 4 + 4)));
  }

  TEST_CASE("qwen3: no biases, a norm of head_dim on q and on k") {
    const CountedConfig qwen3 = count_config(small_config("qwen3", ", \"head_dim\": 2"));
    CHECK(qwen3.components.at("attention") == exact::Rational(kAttention));
    CHECK(qwen3.components.at("norms") == exact::Rational(testing::kTwoNorms + 2 * 2 * 2));
    // The class default of head_dim is 128, not hidden ÷ heads.
    CHECK(count_config(small_config("qwen3")).components.at("attention") ==
          exact::Rational(2 * (2 * 512 * 8 + 2 * 256 * 8)));
  }

  TEST_CASE("qwen3_moe: experts of their own width in the layers that have them") {
    const std::string experts =
        ", \"head_dim\": 2, \"num_experts\": 6, \"num_experts_per_tok\": 2, "
        "\"moe_intermediate_size\": 4";
    const CountedConfig all = count_config(small_config("qwen3_moe", experts));
    CHECK(all.components.at("experts") == exact::Rational(2 * 6 * 3 * 4 * 8));
    CHECK(all.components.count("mlp") == 0);
    const CountedConfig one =
        count_config(small_config("qwen3_moe", experts + ", \"mlp_only_layers\": [0]"));
    CHECK(one.components.at("experts") == exact::Rational(6 * 3 * 4 * 8));
    CHECK(one.components.at("mlp") == exact::Rational(testing::kGated / 2));
    const CountedConfig step =
        count_config(small_config("qwen3_moe", experts + ", \"decoder_sparse_step\": 2"));
    CHECK(step.components.at("experts") == one.components.at("experts"));
  }

  TEST_CASE("qwen2_moe: a gated shared expert beside the routed ones") {
    const CountedConfig moe =
        count_config(small_config("qwen2_moe",
                                  ", \"num_experts\": 6, \"num_experts_per_tok\": 2, "
                                  "\"moe_intermediate_size\": 4, "
                                  "\"shared_expert_intermediate_size\": 12"));
    CHECK(moe.components.at("shared_experts") == exact::Rational(2 * (3 * 12 * 8 + 8)));
  }

  TEST_CASE("impossible shapes are refused by key and line") {
    const auto zero = refusal_of(
        "{\n\"model_type\": \"llama\",\n\"hidden_size\": 8,\n\"num_hidden_layers\": 2,\n"
        "\"vocab_size\": 10,\n\"num_attention_heads\": 0\n}");
    CHECK(base::to_text(zero).find("num_attention_heads") != std::string::npos);
    CHECK(zero.span.line == 6);
  }

  TEST_CASE("more experts chosen than there are, heads that do not divide") {
    CHECK(refusal_of(
              small_config("mixtral", ", \"num_local_experts\": 2, \"num_experts_per_tok\": 3"))
              .code == base::Code::out_of_range);
    std::string text = small_config("llama");
    text.replace(text.find("\"num_key_value_heads\": 2"), 24, "\"num_key_value_heads\": 3");
    CHECK(refusal_of(text).message.find("num_key_value_heads") != std::string::npos);
  }

  TEST_CASE("an unsupported family is named, with what is supported") {
    const auto refused = refusal_of(small_config("quantum_lattice"));
    CHECK(refused.code == base::Code::unsupported_architecture);
    CHECK(refused.message.find("quantum_lattice") != std::string::npos);
    CHECK(refused.hint.find("qwen3_moe") != std::string::npos);
    CHECK(refusal_of(small_config("gemma5")).hint.starts_with("nearest: gemma"));
    CHECK(refusal_of(small_config("logics")).hint.starts_with("it is known"));
  }

  TEST_CASE("a key that speaks of memory and was not read is noted") {
    const auto document = document::read_json(
        small_config("llama", ", \"num_nextn_predict_layers\": 1"), "config.json");
    provenance::Graph graph;
    model::Model model;
    REQUIRE(import::read_config(*document, graph, {}, std::nullopt, model).ok());
    REQUIRE(model.notes.size() == 1);
    CHECK(model.notes.front().text.find("num_nextn_predict_layers") != std::string::npos);
  }
}
