// Each family on a small configuration whose tensors were added up by hand.
#include <doctest/doctest.h>

#include "document/read.hpp"
#include "import/config.hpp"
#include "import/family.hpp"
#include "memory/weights.hpp"

using namespace ullage;

namespace {

struct Count {
  exact::Rational total;
  exact::Rational active;
  std::map<std::string, exact::Rational> components;
};

Count count(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE_MESSAGE(document.ok(), base::to_text(document.error()));
  provenance::Graph graph;
  model::Model model;
  model.name = "test";
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_MESSAGE(read.ok(), base::to_text(read.error()));
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const auto weights = memory::weigh(graph, model, {}, catalogue);
  REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
  Count result;
  result.total = graph.value(weights->parameters);
  result.active = graph.value(*weights->active_parameters);
  exact::Rational sum;
  for (const memory::ComponentCount& part : weights->components) {
    result.components[std::string(name_of(part.component))] = graph.value(part.parameters);
    sum += graph.value(part.parameters);
  }
  CHECK(sum == result.total);
  return result;
}

base::Diagnostic refusal(const std::string& json) {
  const auto document = document::read_json(json, "config.json");
  REQUIRE(document.ok());
  provenance::Graph graph;
  model::Model model;
  const auto read = import::read_config(*document, graph, {}, std::nullopt, model);
  REQUIRE_FALSE(read.ok());
  return read.error();
}

// hidden 8, two layers, 4 heads of 2, 2 KV heads, MLP 16, vocabulary 10.
std::string small(const std::string& type, const std::string& more = "") {
  return "{\n\"model_type\": \"" + type +
         "\",\n\"hidden_size\": 8,\n\"num_hidden_layers\": 2,\n\"num_attention_heads\": 4,\n"
         "\"num_key_value_heads\": 2,\n\"intermediate_size\": 16,\n\"vocab_size\": 10,\n"
         "\"torch_dtype\": \"bfloat16\"" +
         more + "\n}\n";
}

// q 8×8, k and v 4×8, o 8×8 in two layers.
constexpr int kAttention = 2 * (64 + 32 + 32 + 64);
constexpr int kMlp = 2 * 3 * 16 * 8;
constexpr int kTable = 10 * 8;
constexpr int kNorms = 2 * 2 * 8 + 8;

}  // namespace

TEST_SUITE("import/families") {
  TEST_CASE("llama: attention, gated MLP, norms, table and head") {
    const Count plain = count(small("llama"));
    CHECK(plain.total == exact::Rational(kAttention + kMlp + kNorms + 2 * kTable));
    CHECK(plain.active == plain.total);
    CHECK(plain.components.at("attention") == exact::Rational(kAttention));
    CHECK(plain.components.at("mlp") == exact::Rational(kMlp));
    CHECK(plain.components.at("norms") == exact::Rational(kNorms));
    CHECK(plain.components.at("head") == exact::Rational(kTable));
  }

  TEST_CASE("llama: a tied head is counted once, biases where the config says so") {
    const Count tied = count(small("llama", ", \"tie_word_embeddings\": true"));
    CHECK(tied.total == exact::Rational(kAttention + kMlp + kNorms + kTable));
    CHECK(tied.components.count("head") == 0);
    const Count biased = count(small("llama", ", \"attention_bias\": true, \"mlp_bias\": true"));
    CHECK(biased.components.at("attention") == exact::Rational(kAttention + 2 * (8 + 4 + 4 + 8)));
    CHECK(biased.components.at("mlp") == exact::Rational(kMlp + 2 * (16 + 16 + 8)));
  }

  TEST_CASE(
      "llama: as many KV heads as heads where the key is absent, head_dim where it is stated") {
    const Count mha = count(small("llama", ", \"num_key_value_heads_unused\": 1"));
    CHECK(mha.components.at("attention") == exact::Rational(kAttention));
    std::string text = small("llama");
    text.replace(text.find("\"num_key_value_heads\": 2,\n"), 26, "");
    CHECK(count(text).components.at("attention") == exact::Rational(2 * 4 * 64));
    const Count wide = count(small("llama", ", \"head_dim\": 3"));
    CHECK(wide.components.at("attention") == exact::Rational(2 * (96 + 48 + 48 + 96)));
  }

  TEST_CASE("mistral has llama's tensors, a window changes no weight") {
    CHECK(count(small("mistral", ", \"sliding_window\": 4096")).total ==
          count(small("llama")).total);
  }

  TEST_CASE("mixtral: a router and experts, of which a token passes some") {
    const Count moe =
        count(small("mixtral", ", \"num_local_experts\": 4, \"num_experts_per_tok\": 2"));
    CHECK(moe.components.at("experts") == exact::Rational(4 * kMlp));
    CHECK(moe.components.at("router") == exact::Rational(2 * 4 * 8));
    CHECK(moe.total - moe.active == exact::Rational(2 * kMlp));
  }

  TEST_CASE("qwen2: biases on q, k and v only") {
    CHECK(count(small("qwen2")).components.at("attention") ==
          exact::Rational(kAttention + 2 * (8 + 4 + 4)));
  }

  TEST_CASE("qwen3: no biases, a norm of head_dim on q and on k") {
    const Count qwen3 = count(small("qwen3", ", \"head_dim\": 2"));
    CHECK(qwen3.components.at("attention") == exact::Rational(kAttention));
    CHECK(qwen3.components.at("norms") == exact::Rational(kNorms + 2 * 2 * 2));
    // The class default of head_dim is 128, not hidden ÷ heads.
    CHECK(count(small("qwen3")).components.at("attention") ==
          exact::Rational(2 * (2 * 512 * 8 + 2 * 256 * 8)));
  }

  TEST_CASE("qwen3_moe: experts of their own width in the layers that have them") {
    const std::string experts =
        ", \"head_dim\": 2, \"num_experts\": 6, \"num_experts_per_tok\": 2, "
        "\"moe_intermediate_size\": 4";
    const Count all = count(small("qwen3_moe", experts));
    CHECK(all.components.at("experts") == exact::Rational(2 * 6 * 3 * 4 * 8));
    CHECK(all.components.count("mlp") == 0);
    const Count one = count(small("qwen3_moe", experts + ", \"mlp_only_layers\": [0]"));
    CHECK(one.components.at("experts") == exact::Rational(6 * 3 * 4 * 8));
    CHECK(one.components.at("mlp") == exact::Rational(kMlp / 2));
    const Count step = count(small("qwen3_moe", experts + ", \"decoder_sparse_step\": 2"));
    CHECK(step.components.at("experts") == one.components.at("experts"));
  }

  TEST_CASE("qwen2_moe: a gated shared expert beside the routed ones") {
    const Count moe = count(small("qwen2_moe",
                                  ", \"num_experts\": 6, \"num_experts_per_tok\": 2, "
                                  "\"moe_intermediate_size\": 4, "
                                  "\"shared_expert_intermediate_size\": 12"));
    CHECK(moe.components.at("shared_experts") == exact::Rational(2 * (3 * 12 * 8 + 8)));
  }

  TEST_CASE("impossible shapes are refused by key and line") {
    const auto zero = refusal(
        "{\n\"model_type\": \"llama\",\n\"hidden_size\": 8,\n\"num_hidden_layers\": 2,\n"
        "\"vocab_size\": 10,\n\"num_attention_heads\": 0\n}");
    CHECK(base::to_text(zero).find("num_attention_heads") != std::string::npos);
    CHECK(zero.span.line == 6);
  }

  TEST_CASE("more experts chosen than there are, heads that do not divide") {
    CHECK(
        refusal(small("mixtral", ", \"num_local_experts\": 2, \"num_experts_per_tok\": 3")).code ==
        base::Code::out_of_range);
    std::string text = small("llama");
    text.replace(text.find("\"num_key_value_heads\": 2"), 24, "\"num_key_value_heads\": 3");
    CHECK(refusal(text).message.find("num_key_value_heads") != std::string::npos);
  }

  TEST_CASE("an unsupported family is named, with what is supported") {
    const auto refused = refusal(small("quantum_lattice"));
    CHECK(refused.code == base::Code::unsupported_architecture);
    CHECK(refused.message.find("quantum_lattice") != std::string::npos);
    CHECK(refused.hint.find("qwen3_moe") != std::string::npos);
  }

  TEST_CASE("a key that speaks of memory and was not read is noted") {
    const auto document =
        document::read_json(small("llama", ", \"num_nextn_predict_layers\": 1"), "config.json");
    provenance::Graph graph;
    model::Model model;
    REQUIRE(import::read_config(*document, graph, {}, std::nullopt, model).ok());
    REQUIRE(model.notes.size() == 1);
    CHECK(model.notes.front().text.find("num_nextn_predict_layers") != std::string::npos);
  }
}
