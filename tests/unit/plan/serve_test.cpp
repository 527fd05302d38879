// What stands beside the tokens: the least memory and share, hosts, hand-over, drafts, and the
// cache format of a checkpoint.
#include "plan/layouts.hpp"
#include "served.hpp"

using namespace ullage;
using namespace ullage::served;

namespace {

plan::GivenNumber number(std::int64_t value, const char* flag) {
  return {Rational(value), flag};
}

// 8 layers, 4 KV heads of 64: 8,192 B a token.
std::string plain(const std::string& more = "") {
  return R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024,
    "num_attention_heads": 8, "num_key_value_heads": 4, "vocab_size": 1000,
    "max_position_embeddings": 4096, "torch_dtype": "bfloat16", "tie_word_embeddings": false,
    "num_hidden_layers": 8)" +
         more + "}";
}

}  // namespace

TEST_SUITE("plan/serve") {
  TEST_CASE("the cache's format is the checkpoint's, where the engine's version follows it") {
    Asked asked;
    asked.files.files["./q.json"] = plain(R"(, "quantization_config": {"quant_method": "modelopt",
      "quant_algo": "FP8", "ignore": ["lm_head"], "kv_cache_quant_algo": "FP8"})");
    REQUIRE(asked.on("./q.json").context(10).run().ok());
    CHECK(asked.value("kv_bits") == Rational(8));
    CHECK(asked.noted("kv-dtype-of-checkpoint"));
    REQUIRE(asked.on("./q.json", "vllm@0.14").run().ok());
    CHECK(asked.value("kv_bits") == Rational(8));
    REQUIRE(asked.on("./q.json", "vllm@0.13").run().ok());
    CHECK(asked.value("kv_bits") == Rational(16));
    CHECK(asked.noted("kv-dtype-of-checkpoint-ignored"));
    REQUIRE(asked.on("./q.json", "llamacpp").run().ok());
    CHECK(asked.value("kv_bits") == Rational(16));
    asked.request.serve.kv_dtype = "bf16";
    REQUIRE(asked.on("./q.json").run().ok());
    CHECK(asked.value("kv_bits") == Rational(16));
    CHECK_FALSE(asked.noted("kv-dtype-of-checkpoint"));
    asked.request.serve.kv_dtype = "auto";
    REQUIRE(asked.run().ok());
    CHECK(asked.value("kv_bits") == Rational(8));
  }

  TEST_CASE("compressed-tensors states the cache by its scheme") {
    Asked asked;
    const auto scheme = [&](const char* type) {
      asked.files.files["./q.json"] =
          plain(std::string(R"(, "quantization_config": {"quant_method": "compressed-tensors",
            "format": "float-quantized", "ignore": ["lm_head"], "kv_cache_scheme": )") +
                type + R"(, "config_groups": {"group_0": {"targets": ["Linear"],
              "weights": {"num_bits": 8, "type": "float", "strategy": "channel",
              "symmetric": true, "dynamic": false}}}})");
      REQUIRE(asked.on("./q.json").context(10).run().ok());
      return asked.value("kv_bits");
    };
    CHECK(scheme(R"({"num_bits": 8, "type": "float"})") == Rational(8));
    CHECK(scheme("null") == Rational(16));
    CHECK(scheme(R"({"num_bits": 3, "type": "mystery"})") == Rational(16));
  }

  TEST_CASE("the least share holds the workload; less of it does not") {
    for (const char* engine : {"vllm@0.6", "vllm@0.19", "sglang", "trtllm", "llamacpp", "ideal"}) {
      CAPTURE(engine);
      Asked asked;
      asked.files.files["./p.json"] = plain();
      asked.on("./p.json", engine).context(1000);
      asked.request.serve.concurrency = number(7, "--concurrency");
      asked.request.serve.overheads = {{"graphs", number(10'000'000, "--overhead")}};
      asked.request.capacity = number(1'000'000'000, "--capacity");
      asked.request.utilization = number(1, "--utilization");
      REQUIRE(asked.run().ok());
      const Rational share = asked.value("utilization_min");
      CHECK(share < Rational(1));
      asked.request.utilization->value = share;
      REQUIRE(asked.run().ok());
      CHECK(asked.value("kv_memory") == asked.value("kv_memory_min"));
      CHECK(asked.value("max_concurrency") >= Rational(7));
      asked.request.utilization->value = share - Rational(1) / Rational(1'000'000'000);
      REQUIRE(asked.run().ok());
      // V0 prints tokens ÷ context, whatever the last blocks hold.
      const bool by_tokens = std::string_view(engine) == "vllm@0.6";
      CHECK(asked.value(by_tokens ? "blocks" : "max_concurrency") <
            Rational(by_tokens ? 7 * 63 : 7));
    }
  }

  TEST_CASE("where no share suffices there is a warning and no figure") {
    Asked asked;
    asked.files.files["./p.json"] = plain();
    asked.on("./p.json").context(1'000'000);
    asked.request.capacity = number(1'000'000'000, "--capacity");
    REQUIRE(asked.run().ok());
    CHECK(asked.noted("no-utilization-suffices"));
    CHECK_FALSE(asked.has("utilization_min"));
  }

  TEST_CASE("weights on the host leave the device; all of them at most") {
    Asked asked;
    asked.files.files["./p.json"] = plain();
    asked.on("./p.json");
    asked.request.capacity = number(1'000'000'000, "--capacity");
    REQUIRE(asked.run().ok());
    const Rational whole = asked.value("weights_loaded_per_device");
    asked.request.serve.weights_on_host = number(1'000'000, "--weights-on-host");
    REQUIRE(asked.run().ok());
    CHECK(asked.value("weights_loaded_per_device") == whole - Rational(1'000'000));
    CHECK(asked.value("host_memory") == Rational(1'000'000));
    CHECK(asked.value("kv_memory") == Rational(1'000'000'000 + 1'000'000) - whole);
    asked.request.serve.weights_on_host = number(1'000'000'000'000, "--weights-on-host");
    REQUIRE(asked.run().ok());
    CHECK(asked.value("weights_loaded_per_device") == Rational(0));
    CHECK(asked.value("weights_offloaded_per_device") == whole);
    asked.request.capacity.reset();
    CHECK_FALSE(asked.run().ok());
  }

  TEST_CASE("4 GiB of swap space hold 2,048 blocks of Llama 3 8B for each of two devices") {
    Asked asked;
    asked.on("llama-3.1-8b", "vllm@0.5.2");
    asked.request.serve.kv_on_host = number(4LL << 30, "--kv-on-host");
    REQUIRE(asked.run().ok());
    CHECK(asked.value("kv_host_blocks") == Rational(2048));
    CHECK(asked.value("kv_host_tokens") == Rational(32'768));
    REQUIRE(asked.tp(2).run().ok());
    CHECK(asked.value("kv_host_blocks") == Rational(4096));
    CHECK(asked.value("host_memory") == Rational(8LL << 30));
    CHECK(asked.noted("host-cache-not-running"));
    REQUIRE(asked.on("llama-3.1-8b").run().ok());
    CHECK_FALSE(asked.has("kv_host_blocks"));
    CHECK(asked.value("kv_host_tokens") == Rational(65'536));
  }

  TEST_CASE("a request is handed over once, whatever is replicated, windows and states included") {
    Asked asked;
    asked.request.serve.role = plan::Role::prefill;
    REQUIRE(asked.on("llama-3.1-8b", "vllm").tp(16).context(1000).run().ok());
    CHECK(asked.value("kv_handover_per_request") == Rational(131'072'000));
    asked.files.files["./w.json"] = std::string(kWindowed);
    REQUIRE(asked.on("./w.json", "vllm").tp(1).run().ok());
    CHECK(asked.value("kv_handover_per_request") == Rational(512 * (3 * 1000 + 9 * 64)));
    REQUIRE(asked.on("mamba-2.8b").run().ok());
    CHECK(asked.value("kv_handover_per_request") == asked.value("state_per_sequence"));
    asked.request.serve.role.reset();
    REQUIRE(asked.run().ok());
    CHECK_FALSE(asked.has("kv_handover_per_request"));
  }

  TEST_CASE("images stand in the sequence, unless they are read through cross-attention") {
    Asked asked;
    asked.request.serve.vision_tokens = number(500, "--vision-tokens");
    CHECK_FALSE(asked.on("llama-3.1-8b").run().ok());
    REQUIRE(asked.context(1000).run().ok());
    CHECK(asked.value("kv_per_sequence") == Rational(131'072 * 1500));
    asked.files.files["./t5.json"] = R"({"model_type": "t5", "d_model": 64, "d_kv": 16, "d_ff": 128,
      "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4, "vocab_size": 100,
      "n_positions": 512, "torch_dtype": "float32", "relative_attention_num_buckets": 32})";
    const auto crossed = asked.on("./t5.json").run();
    REQUIRE_FALSE(crossed.ok());
    CHECK(crossed.error().code == base::Code::usage);
  }

  TEST_CASE("cross-attention is kept once a sequence, for the encoder's whole output") {
    Asked asked;
    asked.files.files["./a.json"] = R"({"model_type": "whisper", "d_model": 64,
      "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
      "decoder_attention_heads": 4, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128,
      "num_mel_bins": 80, "max_source_positions": 1500, "max_target_positions": 448,
      "vocab_size": 1000, "torch_dtype": "float16"})";
    // 64 × 2 × 2 B = 256 B a layer and token: 3 layers of 100 tokens and of 1,500 positions.
    REQUIRE(asked.on("./a.json").context(100).run().ok());
    CHECK(asked.value("kv_per_token") == Rational(768));
    CHECK(asked.value("kv_total_per_device_full") == Rational(76'800));
    CHECK(asked.value("kv_total_per_device_cross") == Rational(768 * 1500));
    CHECK(asked.value("kv_per_sequence") == Rational(76'800 + 768 * 1500));
    // vLLM: 7 blocks of tokens and ⌈1,500 ÷ 16⌉ of the encoder's output, in groups of 3 layers.
    REQUIRE(asked.on("./a.json", "vllm").memory(768 * 16 * 1010).run().ok());
    CHECK(asked.value("blocks") == Rational(1010));
    CHECK(asked.value("max_concurrency") == Rational(1010) / Rational(7 + 94));
  }

  TEST_CASE("compressed attention beside windows is counted, but its pages in vLLM are not known") {
    Asked asked;
    asked.files.files["./v4.json"] = std::string(kCompressed);
    // Bounded layers keep 128 tokens; one of four entries and one of 128 grow with the context.
    REQUIRE(asked.on("./v4.json").context(1024).run().ok());
    CHECK(asked.value("kv_total_per_device_latent") == Rational((1024 / 4 + 1024 / 128) * 64 * 2));
    CHECK(asked.value("kv_total_per_device_index") == Rational(1024 / 4 * 32 * 2));
    CHECK(asked.value("kv_total_per_device_window") == Rational(4 * 128 * 64 * 2));
    std::string wide(kCompressed);
    wide.replace(wide.find("\"head_dim\": 64"), 14, "\"qk_rope_head_dim\": 16, \"head_dim\": 464");
    asked.files.files["./wide.json"] = wide;
    asked.request.serve.kv_dtype = "fp8";
    // 448 codes, 8 B of scales, 16 rotary elements of 2 B: 488 B; an index key is 32 + 1 B.
    REQUIRE(asked.on("./wide.json").run().ok());
    CHECK(asked.value("kv_total_per_device_latent") == Rational((1024 / 4 + 1024 / 128) * 488));
    CHECK(asked.value("kv_total_per_device_window") == Rational(4 * 128 * 488));
    CHECK(asked.value("kv_total_per_device_index") == Rational(1024 / 4 * 33));
    asked.request.serve.kv_dtype.reset();
    const auto paged = asked.on("./v4.json", "vllm").run();
    REQUIRE_FALSE(paged.ok());
    CHECK(paged.error().code == base::Code::unknown_figure);
    CHECK(asked.on("glm-5.3-flash", "vllm").run().ok());
  }

  TEST_CASE("prediction layers are loaded where the model drafts with them") {
    Asked asked;
    std::string mtp(kLatent);
    const auto key = mtp.find("\"num_nextn_predict_layers\": 0");
    REQUIRE(key != std::string::npos);
    mtp.replace(key, 29, "\"num_nextn_predict_layers\": 1");
    asked.files.files["./m.json"] = mtp;
    asked.request.capacity = number(1'000'000'000, "--capacity");
    const auto loaded = [&](const char* engine) {
      REQUIRE(asked.on("./m.json", engine).run().ok());
      return asked.value("weights_loaded_per_device");
    };
    const Rational without = loaded("vllm@0.19");
    CHECK(asked.noted("mtp-not-loaded"));
    CHECK(loaded("trtllm") > without);
    asked.request.serve.speculative_tokens = number(1, "--speculative-tokens");
    CHECK(loaded("vllm@0.19") > without);
    CHECK_FALSE(asked.noted("mtp-not-loaded"));
  }

  TEST_CASE("prediction layers of quantised checkpoints are left out in their own formats") {
    Asked asked;
    std::string mtp(kLatent);
    mtp.replace(mtp.find("\"num_nextn_predict_layers\": 0"), 29,
                R"("num_nextn_predict_layers": 1, "quantization_config": {"quant_method": "fp8",
                "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128]})");
    asked.files.files["./m.json"] = mtp;
    asked.request.capacity = number(1'000'000'000, "--capacity");
    const auto loaded = [&](const char* engine) {
      REQUIRE(asked.on("./m.json", engine).run().ok());
      return asked.value("weights_loaded_per_device");
    };
    const Rational whole = loaded("trtllm");
    CHECK(loaded("vllm@0.19") < whole);
    CHECK(asked.noted("mtp-not-loaded"));
  }

  TEST_CASE("llama.cpp leaves the input table on the host, whatever the weights are stored in") {
    Asked asked;
    asked.request.capacity = number(24'000'000'000, "--capacity");
    asked.request.weights.format = "q8_0";
    // 8 bits and a 16-bit scale for 32: 34 B; norms in F32; the table of 128,256 × 4,096 apart.
    const Rational quantised = Rational(8'030'261'248 - 266'240) * Rational(34) / Rational(32);
    const Rational table = Rational(128'256 * 4096LL) * Rational(34) / Rational(32);
    REQUIRE(asked.on("llama-3.1-8b", "llamacpp").run().ok());
    CHECK(asked.value("weights_loaded_per_device") == quantised + Rational(266'240 * 4) - table);
    CHECK(asked.value("weights_loaded_host") == table);
  }

  TEST_CASE("an EAGLE-3 head adds its layer; the model's own drafts do not count beside it") {
    Asked asked;
    asked.files.files["./p.json"] = plain();
    asked.files.files["./e.json"] = R"({"model_type": "llama", "hidden_size": 512,
      "architectures": ["LlamaForCausalLMEagle3"], "intermediate_size": 1024,
      "num_attention_heads": 8, "num_key_value_heads": 4, "vocab_size": 1000,
      "draft_vocab_size": 200, "num_hidden_layers": 1, "torch_dtype": "bfloat16"})";
    asked.request.serve.draft = "./e.json";
    asked.request.serve.speculative_tokens = number(3, "--speculative-tokens");
    REQUIRE(asked.on("./p.json", "vllm").context(16).memory(9 * 1024 * 16 * 5).run().ok());
    CHECK(asked.value("kv_per_token") == Rational(9 * 1024));
    CHECK(asked.value("blocks") == Rational(5));
  }

  TEST_CASE("layouts say the fewest devices of a feasible one beside the bound") {
    catalog::Catalogue catalogue{catalog::embedded_catalogue()};
    base::MemoryFileSystem files;
    plan::LayoutsRequest request;
    request.model = "llama-3.1-70b";
    request.on = "h100-sxm-80gb";
    request.devices = number(8, "--devices 8");
    request.serve.context = number(8192, "--context");
    request.serve.layout.pipeline = number(1, "--pp 1");  // three ranks do not divide 64 heads
    const auto answer = plan::layouts(request, catalogue, files);
    REQUIRE(answer.ok());
    std::map<std::string, Rational> found;
    for (const provenance::NamedFigure& result : answer->rows.front().results) {
      if (result.name.starts_with("devices_")) {
        found[result.name] = answer->graph.value(result.figure);
      }
    }
    CHECK(found["devices_min"] == Rational(3));
    CHECK(found["devices_feasible"] == Rational(4));
  }
}
