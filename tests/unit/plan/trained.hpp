// A training question on small configurations, and its figures by name.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "plan/train.hpp"

namespace ullage::test {

// Two layers of width 8, 4 heads of 2 with 2 KV heads, a gated MLP of 16, a vocabulary of 10 and a
// head of its own: 80 + 2 × (192 + 384) + 40 + 80 = 1,352 parameters.
inline const std::string kTinyConfig =
    R"({"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 10,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

// The same with 4 experts of which a token passes 2, each as wide as that MLP.
inline const std::string kTinyMixture =
    R"({"model_type": "mixtral", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 10, "num_local_experts": 4,
        "num_experts_per_tok": 2, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

// Two layers of Mamba-2: 2 heads of 8 with a state of 5, 44 projected channels, and no MLP.
inline const std::string kTinyMamba =
    R"({"model_type": "mamba2", "num_heads": 2, "head_dim": 8, "n_groups": 1, "expand": 2,
        "tie_word_embeddings": true, "hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 10,
        "state_size": 5, "conv_kernel": 4, "torch_dtype": "float32"})";

inline plan::GivenNumber number(std::int64_t value) {
  return {exact::Rational(value), "--flag " + std::to_string(value)};
}

struct Trained {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;
  provenance::Answer answer;

  Trained() {
    files.files["tiny.json"] = kTinyConfig;
    files.files["mixture.json"] = kTinyMixture;
  }
  void train(const plan::TrainRequest& request) {
    auto result = plan::train(request, catalogue, files);
    REQUIRE_MESSAGE(result.ok(), base::to_text(result.error()));
    answer = std::move(*result);
  }
  base::Diagnostic refuse(const plan::TrainRequest& request) {
    const auto result = plan::train(request, catalogue, files);
    REQUIRE_FALSE(result.ok());
    return result.error();
  }
  const provenance::Row& row() const { return answer.rows.front(); }
  const provenance::Node& node(std::string_view name) const {
    for (const provenance::NamedFigure& result : row().results) {
      if (result.name == name) return answer.graph[result.figure];
    }
    FAIL("no result ", std::string(name));
    return answer.graph[row().results.front().figure];
  }
  exact::Rational value(std::string_view name) const {
    const provenance::Node& found = node(name);
    REQUIRE_MESSAGE(found.value.has_value(), std::string(name) << ": " << found.unknown);
    return *found.value;
  }
  bool noted(std::string_view code) const {
    for (const base::Note& note : row().notes) {
      if (note.code == code) return true;
    }
    return false;
  }
};

inline plan::TrainRequest tiny_request() {
  plan::TrainRequest request;
  request.model = "tiny.json";
  request.sequence = number(4);
  return request;
}

}  // namespace ullage::test
