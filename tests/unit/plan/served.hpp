// A question to plan/kv, asked step by step, and small models to ask it of.
#pragma once

#include <doctest/doctest.h>

#include "plan/kv.hpp"

namespace ullage::served {

using exact::Rational;

struct Asked {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;
  provenance::Answer answer;

  plan::KvRequest request;

  Asked& on(const std::string& model, const std::string& engine = "ideal") {
    request.model = model;
    request.serve.engine = engine;
    return *this;
  }
  Asked& context(std::int64_t tokens) {
    request.serve.context = plan::GivenNumber{Rational(tokens), "--context"};
    return *this;
  }
  Asked& tp(std::int64_t ranks) {
    request.serve.layout.tensor = plan::GivenNumber{Rational(ranks), "--tp"};
    return *this;
  }
  Asked& memory(std::int64_t bytes) {
    request.kv_memory = plan::GivenNumber{Rational(bytes), "--kv-memory"};
    return *this;
  }
  base::Result<void> run() {
    auto result = plan::kv(request, catalogue, files);
    if (!result) return std::move(result).error();
    answer = std::move(*result);
    return {};
  }
  Rational value(std::string_view name) {
    for (const provenance::NamedFigure& result : answer.rows.front().results) {
      if (result.name == name) return answer.graph.value(result.figure);
    }
    FAIL("no result ", name);
    return {};
  }
  bool has(std::string_view name) {
    for (const provenance::NamedFigure& result : answer.rows.front().results) {
      if (result.name == name) return true;
    }
    return false;
  }
  bool noted(std::string_view code) {
    for (const base::Note& note : answer.rows.front().notes) {
      if (note.code == code) return true;
    }
    return false;
  }
};

// A small hybrid: three layers with a window of 64 for each full one.
inline constexpr std::string_view kWindowed = R"({"model_type": "gemma3_text", "hidden_size": 256,
  "intermediate_size": 512, "num_hidden_layers": 12, "num_attention_heads": 4,
  "num_key_value_heads": 2, "head_dim": 64, "sliding_window": 64, "sliding_window_pattern": 4,
  "vocab_size": 1000, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"})";

// Latent attention: 32 + 16 elements a token and layer.
inline constexpr std::string_view kLatent = R"({"model_type": "deepseek_v3", "hidden_size": 128,
  "intermediate_size": 256, "moe_intermediate_size": 64, "num_hidden_layers": 3,
  "num_attention_heads": 8, "num_key_value_heads": 8, "n_routed_experts": 8, "n_shared_experts": 1,
  "num_experts_per_tok": 2, "first_k_dense_replace": 1, "q_lora_rank": 64, "kv_lora_rank": 32,
  "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 32, "vocab_size": 1000,
  "num_nextn_predict_layers": 0, "torch_dtype": "bfloat16"})";

// Windows of 128 in four layers; beside them, in one layer an entry for 4 tokens, found by an
// indexer, and in another one for 128.
inline constexpr std::string_view kCompressed = R"({"model_type": "deepseek_v4",
  "hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 1,
  "vocab_size": 100, "torch_dtype": "bfloat16", "head_dim": 64, "q_lora_rank": 32, "o_groups": 2,
  "o_lora_rank": 16, "sliding_window": 128, "index_n_heads": 2, "index_head_dim": 32,
  "n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16,
  "n_shared_experts": 1, "hc_mult": 2, "compress_ratios": [0, 4, 128, 0]})";

}  // namespace ullage::served
