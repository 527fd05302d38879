// Cache arithmetic and engines' rules on the figures that engines print.
#include "served.hpp"

using namespace ullage;
using namespace ullage::served;

TEST_SUITE("plan/kv") {
  TEST_CASE("Llama 3.1 8B keeps 131,072 B a token; two ranks half each, sixteen replicate") {
    Asked asked;
    REQUIRE(asked.on("llama-3.1-8b").context(1000).run().ok());
    CHECK(asked.value("kv_per_token") == Rational(131'072));
    CHECK(asked.value("kv_per_sequence") == Rational(131'072'000));
    REQUIRE(asked.tp(2).run().ok());
    CHECK(asked.value("kv_per_token_per_device") == Rational(65'536));
    REQUIRE(asked.tp(16).run().ok());
    CHECK(asked.value("kv_per_token_per_device") == Rational(16'384));
    CHECK(asked.noted("kv-heads-replicated"));
    REQUIRE(asked.tp(7).run().ok());
    CHECK(asked.noted("tensor-parallel-uneven"));
  }

  TEST_CASE("vLLM V0 prints 1,952 blocks for 4,093,640,704 B (issue 10517)") {
    Asked asked;
    REQUIRE(asked.on("llama-3.1-8b", "vllm@0.6").context(20000).memory(4'093'640'704).run().ok());
    CHECK(asked.value("blocks") == Rational(1952));
    CHECK(asked.value("max_tokens") == Rational(31'232));
    CHECK(asked.value("max_concurrency") == Rational(31'232) / Rational(20'000));
  }

  TEST_CASE("TensorRT-LLM rounds blocks up, others down") {
    Asked asked;
    REQUIRE(asked.on("llama-3.1-8b", "trtllm@0.13").memory(131'072 * 64 + 131'072).run().ok());
    CHECK(asked.value("blocks") == Rational(2));
    REQUIRE(asked.on("llama-3.1-8b", "vllm@0.19").memory(131'072 * 16 * 2 - 1).run().ok());
    CHECK(asked.value("blocks") == Rational(1));
  }

  TEST_CASE("windows: their own tokens under ideal, groups over one pool in vLLM") {
    Asked asked;
    asked.files.files["./w.json"] = std::string(kWindowed);
    // A layer keeps 2 × 2 × 64 × 2 B = 512 B a token; 3 of 12 are full.
    REQUIRE(asked.on("./w.json").context(1000).run().ok());
    CHECK(asked.value("kv_per_sequence") == Rational(512 * (3 * 1000 + 9 * 64)));
    CHECK(asked.value("kv_full_per_sequence") == Rational(512 * 12 * 1000));
    CHECK(asked.value("kv_per_token") == Rational(512 * 3));
    asked.request.serve.batched_tokens = plan::GivenNumber{Rational(128), "--batched-tokens"};
    REQUIRE(asked.on("./w.json", "vllm@0.19").memory(16 * 512 * 3 * 100).run().ok());
    CHECK(asked.value("blocks") == Rational(100));  // four groups of three layers
    CHECK(asked.value("max_tokens") == Rational(25 * 16));
    // 63 blocks of all tokens, and three groups of ⌈(63 + 128) ÷ 16⌉ + 1.
    CHECK(asked.value("max_concurrency") == Rational(100) / Rational(63 + 3 * 13));
    REQUIRE(asked.on("./w.json", "vllm@0.8").run().ok());
    CHECK(asked.value("blocks") == Rational(25));
    CHECK(asked.noted("windows-priced-full"));
  }

  TEST_CASE("a latent cache is not divided; engines before it keep every head") {
    Asked asked;
    asked.files.files["./m.json"] = std::string(kLatent);
    REQUIRE(asked.on("./m.json", "vllm@0.19").tp(4).context(16).run().ok());
    CHECK(asked.value("kv_per_token_per_device") == Rational(3 * (32 + 16) * 2));
    REQUIRE(asked.on("./m.json", "vllm@0.6").tp(1).run().ok());
    CHECK(asked.value("kv_per_token") == Rational(3 * 2 * 8 * 256 * 2));
    asked.request.serve.expanded_latent = false;
    REQUIRE(asked.run().ok());
    CHECK(asked.value("kv_per_token") == Rational(3 * (32 + 16) * 2));
  }

  TEST_CASE("llama.cpp: q8_0 takes 34 B for 32, cells come in 256") {
    Asked asked;
    asked.request.serve.kv_dtype = "q8_0";
    REQUIRE(asked.on("llama-3.1-8b", "llamacpp").context(300).run().ok());
    CHECK(asked.value("kv_total_per_device") ==
          Rational(512 * 2 * 32 * 8 * 128) * Rational(34) / Rational(32));
    CHECK_FALSE(asked.tp(2).run().ok());
  }

  TEST_CASE("a format that an engine does not keep is unknown, with its source") {
    Asked asked;
    asked.request.serve.kv_dtype = "q8_0";
    const auto result = asked.on("llama-3.1-8b", "vllm").run();
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == base::Code::unknown_figure);
    CHECK(result.error().hint.find("cache.py") != std::string::npos);
  }

  TEST_CASE("a capacity leaves the cache what weights and overheads do not take") {
    Asked asked;
    asked.on("llama-3.1-8b", "vllm@0.6");
    asked.request.capacity = plan::GivenNumber{Rational(24'000'000'000), "--capacity 24GB"};
    asked.request.utilization = plan::GivenNumber{Rational(1), "--utilization 1"};
    asked.request.serve.overheads = {{"activations", {Rational(1'000'000), "--overhead"}}};
    REQUIRE(asked.run().ok());
    const Rational loaded = asked.value("weights_loaded_per_device");
    CHECK(loaded == Rational(8'030'261'248) * Rational(2) + Rational(131'072 * 128 * 2));
    CHECK(asked.value("kv_memory") == Rational(24'000'000'000 - 1'000'000) - loaded);
    asked.request.capacity->value = Rational(1'000'000'000);
    REQUIRE(asked.run().ok());
    CHECK(asked.noted("nothing-left-for-cache"));
    CHECK_FALSE(asked.has("max_tokens"));
  }

  TEST_CASE("an unknown shape, a wrong split and doubled flags are faults") {
    Asked asked;
    const auto literal = asked.on("70B").context(8).run();
    REQUIRE_FALSE(literal.ok());
    CHECK(literal.error().code == base::Code::unknown_figure);
    asked.on("llama-3.1-8b").request.serve.layout.layer_split = {{Rational(3), "--layer-split 3"}};
    CHECK_FALSE(asked.run().ok());
    asked.request.serve.layout.layer_split.clear();
    asked.request.serve.layout.pipeline = plan::GivenNumber{Rational(33), "--pp 33"};
    CHECK_FALSE(asked.run().ok());
  }

  TEST_CASE("a model that only keeps states has blocks and no tokens in vLLM") {
    Asked asked;
    REQUIRE(asked.on("mamba-2.8b", "vllm@0.19").context(448).memory(1 << 30).run().ok());
    // One block is a state in each of 64 layers: (16 + 3) × 5,120 elements of 2 B.
    CHECK(asked.value("block_bytes") == Rational(64 * 19 * 5120 * 2));
    CHECK(asked.value("max_concurrency") == Rational((1 << 30) / (64 * 19 * 5120 * 2)));
    CHECK_FALSE(asked.has("max_tokens"));
    CHECK_FALSE(asked.has("max_context"));
  }

  TEST_CASE("linear and sparse latent attention share vLLM's pool") {
    Asked asked;
    REQUIRE(asked.on("glm-5.3-flash", "vllm").context(131'072).memory(20LL << 30).run().ok());
    CHECK(asked.value("max_concurrency").sign() > 0);
    CHECK(asked.value("kv_total_per_device_index") * Rational(1024) ==
          asked.value("kv_total_per_device_latent") * Rational(33));
  }

  TEST_CASE("whole layers of the largest stage count") {
    Asked asked;
    asked.on("llama-3.1-8b").context(100);
    for (const std::int64_t stage : {20, 12})
      asked.request.serve.layout.layer_split.push_back({Rational(stage), "--layer-split 20,12"});
    REQUIRE(asked.run().ok());
    CHECK(asked.value("kv_total_per_device") == Rational(20 * 4096 * 100));
  }
}
