// Laws of the cache: additive over layers, monotone in the context; a bound that holds and one
// device fewer that does not.
#include <doctest/doctest.h>

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
