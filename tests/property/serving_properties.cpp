// Laws of the cache: additive over layers, monotone in the context; a bound that holds and one
// device fewer that does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "plan/fit.hpp"
#include "plan/kv.hpp"

using namespace ullage;
using exact::Rational;

namespace {

std::string config(std::int64_t layers, std::int64_t kv_heads) {
  return R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024,
    "num_attention_heads": 16, "vocab_size": 1000, "max_position_embeddings": 8192,
    "torch_dtype": "bfloat16", "tie_word_embeddings": false, "num_hidden_layers": )" +
         std::to_string(layers) + R"(, "num_key_value_heads": )" + std::to_string(kv_heads) + "}";
}

Rational kv_of(catalog::Catalogue& catalogue, std::int64_t layers, std::int64_t kv_heads,
               std::int64_t context, const std::string& engine = "ideal") {
  base::MemoryFileSystem files;
  files.files["./c.json"] = config(layers, kv_heads);
  plan::KvRequest request;
  request.model = "./c.json";
  request.serve.engine = engine;
  request.serve.context = plan::GivenNumber{Rational(context), "--context"};
  const auto answer = plan::kv(request, catalogue, files);
  REQUIRE(answer.ok());
  for (const provenance::NamedFigure& result : answer->rows.front().results) {
    if (result.name == "kv_per_sequence") return answer->graph.value(result.figure);
  }
  FAIL("no kv_per_sequence");
  return {};
}

// Three sequences of `context` tokens, held against `memory` where it is given.
std::map<std::string, Rational> ask(catalog::Catalogue& catalogue, const std::string& text,
                                    const std::string& engine, std::int64_t context,
                                    const std::optional<Rational>& memory) {
  base::MemoryFileSystem files;
  files.files["./c.json"] = text;
  plan::KvRequest request;
  request.model = "./c.json";
  request.serve.engine = engine;
  request.serve.context = plan::GivenNumber{Rational(context), "--context"};
  request.serve.concurrency = plan::GivenNumber{Rational(3), "--concurrency"};
  if (memory) request.kv_memory = plan::GivenNumber{*memory, "--kv-memory"};
  const auto answer = plan::kv(request, catalogue, files);
  REQUIRE(answer.ok());
  std::map<std::string, Rational> results;
  for (const provenance::NamedFigure& result : answer->rows.front().results) {
    if (answer->graph.known(result.figure))
      results[result.name] = answer->graph.value(result.figure);
  }
  return results;
}

}  // namespace

TEST_SUITE("serving laws") {
  TEST_CASE("ideal cache is additive over layers and linear in the context") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    for (const std::int64_t a : {1, 3, 8}) {
      for (const std::int64_t b : {2, 5}) {
        for (const std::int64_t context : {1, 77, 4096}) {
          CHECK(kv_of(catalogue, a, 4, context) + kv_of(catalogue, b, 4, context) ==
                kv_of(catalogue, a + b, 4, context));
          CHECK(kv_of(catalogue, a, 4, 1) * Rational(context) == kv_of(catalogue, a, 4, context));
        }
      }
    }
  }

  TEST_CASE("no engine needs less for a longer sequence, or less than arithmetic does") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    for (const char* engine : {"ideal", "vllm@0.6", "vllm", "sglang", "trtllm", "llamacpp"}) {
      Rational before;
      for (const std::int64_t context : {1, 15, 16, 17, 255, 256, 257, 5000}) {
        const Rational need = kv_of(catalogue, 4, 8, context, engine);
        CHECK_MESSAGE(need >= before, engine);
        CHECK_MESSAGE(need >= kv_of(catalogue, 4, 8, context), engine);
        before = need;
      }
    }
  }

  TEST_CASE("layers of every kind add up: windows, full layers and states") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto one_kind = [&](const std::string& kinds, std::int64_t context) {
      const auto layers = std::to_string(1 + std::count(kinds.begin(), kinds.end(), ','));
      return ask(catalogue,
                 R"({"model_type": "gemma3_text", "hidden_size": 256,
        "intermediate_size": 512, "num_attention_heads": 4, "num_key_value_heads": 2,
        "head_dim": 64, "sliding_window": 64, "vocab_size": 1000, "torch_dtype": "bfloat16",
        "max_position_embeddings": 4096, "num_hidden_layers": )" +
                     layers + R"(, "layer_types": [)" + kinds + "]}",
                 "ideal", context, {})["kv_per_sequence"];
    };
    const std::string full = R"("full_attention")";
    const std::string window = R"("sliding_attention")";
    for (const std::int64_t context : {1, 63, 64, 65, 4000}) {
      CHECK(one_kind(full, context) + one_kind(window, context) ==
            one_kind(full + "," + window, context));
      CHECK(one_kind(window, context) <= one_kind(full, context));
      CHECK(one_kind(window, context) <= one_kind(window, context + 1));
    }
  }

  TEST_CASE("the least memory holds the workload, and a byte fewer does not") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const std::string windowed = R"({"model_type": "gemma3_text", "hidden_size": 256,
      "intermediate_size": 512, "num_hidden_layers": 12, "num_attention_heads": 4,
      "num_key_value_heads": 2, "head_dim": 64, "sliding_window": 64, "vocab_size": 1000,
      "sliding_window_pattern": 4, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"})";
    for (const std::string& model : {config(6, 4), windowed}) {
      for (const char* engine : {"vllm@0.6", "vllm@0.19", "vllm", "sglang", "trtllm"}) {
        for (const std::int64_t context : {1, 31, 300, 2048}) {
          CAPTURE(engine);
          CAPTURE(context);
          const Rational least = ask(catalogue, model, engine, context, {})["kv_memory_min"];
          CHECK(ask(catalogue, model, engine, context, least)["max_concurrency"] >= Rational(3));
          auto less = ask(catalogue, model, engine, context, least - Rational(1));
          // V0 prints tokens ÷ context, whatever the last blocks hold.
          if (std::string_view(engine) == "vllm@0.6") {
            CHECK(less["blocks"] < (Rational(context) / Rational(16)).ceil() * Rational(3));
          } else {
            CHECK(less["max_concurrency"] < Rational(3));
          }
        }
      }
    }
  }

  TEST_CASE("the bound of a workload suffices, and one device fewer does not") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    base::MemoryFileSystem files;
    for (const std::int64_t context : {8192, 65536, 131072}) {
      plan::FitRequest request;
      request.model = "llama-3.1-70b";
      request.on = "h100-sxm-80gb";
      request.serve.context = plan::GivenNumber{Rational(context), "--context"};
      request.serve.concurrency = plan::GivenNumber{Rational(32), "--concurrency"};
      const auto bound = plan::fit(request, catalogue, files);
      REQUIRE(bound.ok());
      Rational least;
      for (const provenance::NamedFigure& result : bound->rows.front().results) {
        if (result.name == "devices_min") least = bound->graph.value(result.figure);
      }
      for (const std::int64_t fewer : {0, 1}) {
        request.devices = plan::GivenNumber{least - Rational(fewer), "--devices"};
        const auto verdict = plan::fit(request, catalogue, files);
        REQUIRE(verdict.ok());
        CHECK(verdict->rows.front().verdict == (fewer == 0 ? "fits" : "does-not-fit"));
      }
    }
  }
}
