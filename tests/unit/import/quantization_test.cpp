// Quantisation sections: totals that checkpoints publish, lists of modules, what is refused.
#include "import/quantization.hpp"

#include <doctest/doctest.h>

#include "memory/weights.hpp"

using namespace ullage;
using exact::Rational;

namespace {

// Llama 3.1 8B, as its model card gives the shape.
std::string llama_8b(const std::string& rest) {
  return R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
    "vocab_size": 128256, "tie_word_embeddings": false, "torch_dtype": "bfloat16")" +
         rest + "}";
}

// Two layers: 64 wide, 4 heads and 2 KV heads of 16, MLP of 96, vocabulary of 100.
std::string tiny(const std::string& section) {
  return R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100,
    "tie_word_embeddings": false, "torch_dtype": "float16", "quantization_config": )" +
         section + "}";
}
constexpr std::int64_t kTables = 2 * 100 * 64;
constexpr std::int64_t kNorms = 5 * 64;
constexpr std::int64_t kAttention = 2 * 64 * 64 + 2 * 32 * 64;  // of a layer
constexpr std::int64_t kMlp = 3 * 96 * 64;
constexpr std::int64_t kWide = 2 * (kTables + kNorms);  // bytes of what stays in 16 bits

struct Opened {
  base::MemoryFileSystem files;
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  provenance::Graph graph;
  std::vector<base::Note> notes;

  base::Result<model::Model> open(const std::string& config) {
    files.files["m/config.json"] = config;
    import::OpenContext context{catalogue, files, graph, std::nullopt};
    return import::open_model(context, "m");
  }
  // The payload, or why there is none.
  std::string payload(const std::string& config, std::optional<std::string> format = {}) {
    const auto model = open(config);
    REQUIRE_MESSAGE(model.ok(), base::to_text(model.error()));
    const auto weights = memory::weigh(graph, *model, {std::move(format), {}}, catalogue);
    REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
    notes = model->notes;
    notes.insert(notes.end(), weights->notes.begin(), weights->notes.end());
    const provenance::Node& node = graph[weights->payload.id()];
    return node.value ? node.value->to_string() : node.unknown;
  }
  bool noted(std::string_view code, std::string_view text = "") const {
    for (const base::Note& note : notes) {
      if (note.code == code && note.text.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

base::Code refused(const std::string& config) {
  Opened opened;
  const auto model = opened.open(config);
  REQUIRE_FALSE(model.ok());
  return model.error().code;
}

}  // namespace

TEST_SUITE("import/quantization") {
  TEST_CASE("Llama 3.1 8B in NVFP4 of ModelOpt: 6,027,749,376 B as its index states") {
    Opened opened;
    opened.files.files["m/hf_quant_config.json"] =
        R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4",
        "kv_cache_quant_algo": "FP8", "group_size": 16, "exclude_modules": ["lm_head"]}})";
    CHECK(opened.payload(llama_8b("")) == "6027749376");
    CHECK(opened.noted("kept-wider", "head (525336576)"));
  }

  TEST_CASE("Llama 3.1 8B in LLM.int8(): 9,086,705,888 B as its index states") {
    Opened opened;
    CHECK(opened.payload(llama_8b(
              R"(, "quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": true,
              "load_in_4bit": false, "llm_int8_skip_modules": null})")) == "9086705888");
  }

  TEST_CASE("FP8 in blocks, by tensor and by row, with modules that stay wide") {
    Opened opened;
    const std::int64_t codes = 2 * (kAttention + kMlp);
    CHECK(opened.payload(tiny(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})")) ==
          std::to_string(kWide + codes + 2 * 7 * 4));
    CHECK(opened.payload(tiny(R"({"quant_method": "fp8", "weight_block_size": [32, 32]})")) ==
          std::to_string(kWide + codes + 2 * 4 * (2 * 4 + 2 * 2 + 3 * 6)));
    CHECK(opened.payload(tiny(R"({"quant_method": "fp8", "activation_scheme": "static",
          "weight_block_size": null})")) == std::to_string(kWide + codes + 2 * 7 * 8));
    CHECK(opened.payload(tiny(R"({"quant_method": "fbgemm_fp8", "modules_to_not_convert":
          ["model.layers.0.self_attn.q_proj", "model.layers.1.mlp"]})")) ==
          std::to_string(kWide + 2 * (64 * 64 + kMlp) + (codes - 64 * 64 - kMlp) +
                         4 * (32 + 32 + 64 + 96 + 96 + 64 + 64 + 32 + 32 + 64)));
    CHECK(opened.noted("kept-wider", "linear (22528)"));
  }

  TEST_CASE("compressed-tensors: groups, targets and expressions to ignore") {
    Opened opened;
    const std::string group =
        R"({"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "symmetric": true,
        "strategy": "group", "group_size": 32}})";
    const std::string packed =
        R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore":
        ["lm_head", "re:.*self_attn.*"], "config_groups": {"group_0": )" +
        group + "}}";
    // Codes, a 16-bit scale for 32 inputs, a shape of two int64.
    CHECK(opened.payload(tiny(packed)) ==
          std::to_string(kWide + 2 * 2 * kAttention +
                         2 * (kMlp / 2 + 2 * (96 * 2 * 2 + 64 * 3) + 3 * 16)));
    const std::string head = R"({"quant_method": "compressed-tensors", "format":
        "float-quantized", "config_groups": {"group_0": {"targets": ["re:.*mlp.*"], "weights":
        {"num_bits": 8, "type": "float", "symmetric": true, "strategy": "channel"},
        "input_activations": {"dynamic": true}}}})";
    CHECK(opened.payload(tiny(head)) ==
          std::to_string(kWide + 2 * 2 * kAttention + 2 * (kMlp + 2 * (96 + 96 + 64))));
  }

  TEST_CASE("GPTQ and AWQ with their own bits and groups; quantize_config.json beside") {
    Opened opened;
    const std::string gptq = opened.payload(
        tiny(R"({"quant_method": "gptq", "bits": 4, "group_size": -1, "desc_act": true})"));
    // Each matrix: words, one group of zero points and scales, an index of inputs.
    std::int64_t bytes = kWide;
    for (const auto& [out, in] :
         {std::pair{64, 64}, {32, 64}, {32, 64}, {64, 64}, {96, 64}, {96, 64}, {64, 96}}) {
      bytes += 2 * (out * in / 2 + out / 2 + out * 2 + in * 4);
    }
    CHECK(gptq == std::to_string(bytes));
    Opened beside;
    beside.files.files["m/quantize_config.json"] =
        R"({"bits": 4, "group_size": -1, "desc_act": true, "sym": true})";
    CHECK(beside.payload(tiny("null")) == gptq);
    CHECK(opened.payload(tiny(R"({"quant_method": "awq", "bits": 4, "group_size": 32,
          "zero_point": false})")) ==
          std::to_string(kWide + 2 * (kAttention + kMlp) / 2 + 2 * 2 * (kAttention + kMlp) / 32));
  }

  TEST_CASE("NF4 of bitsandbytes") {
    Opened opened;
    std::int64_t bytes = kWide;
    for (const auto& [out, in] :
         {std::pair{64, 64}, {32, 64}, {32, 64}, {64, 64}, {96, 64}, {96, 64}, {64, 96}}) {
      // {"quant_type": "nf4", "blocksize": 64, "dtype": "float16", "shape": [64, 96]}
      bytes += 2 * (out * in / 2 + out * in / 64 * 4 + 64 + 77);
    }
    CHECK(opened.payload(tiny(R"({"quant_method": "bitsandbytes", "load_in_4bit": true,
          "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": false})")) ==
          std::to_string(bytes));
  }

  TEST_CASE("a list may call the head by the name that another family gives it") {
    Opened opened;
    const std::string section = R"({"quant_method": "bitsandbytes", "load_in_8bit": true,
        "llm_int8_skip_modules": [")";
    const std::string kept = opened.payload(tiny(section + "lm_head\"]}"));
    CHECK(opened.payload(tiny(section + "model.transformer.ff_out\"]}")) == kept);
    CHECK_FALSE(opened.noted("modules-unmatched"));
    CHECK(opened.payload(tiny(section + "model.layers.9\"]}")) !=
          kept);  // then the head is in 8 bits
  }

  TEST_CASE("ModelOpt's mixed precision names layers one by one") {
    Opened opened;
    const std::string mixed = R"({"quant_algo": "MIXED_PRECISION", "exclude_modules": ["lm_head"],
        "quantized_layers": {"model.layers.0.mlp.up_proj": {"quant_algo": "FP8"},
        "model.layers.1.mlp": {"quant_algo": "W4A16_NVFP4", "group_size": 16}}})";
    CHECK(opened.payload(tiny(mixed)) ==
          std::to_string(kWide + 2 * 2 * kAttention + 2 * 2 * 96 * 64 + (96 * 64 + 8) + kMlp / 2 +
                         kMlp / 16 + 3 * 4));
  }

  TEST_CASE("what the table does not know stays unknown, with the reason") {
    Opened opened;
    CHECK(opened.payload(tiny(R"({"quant_method": "aqlm"})")).find("quant_method aqlm") !=
          std::string::npos);
    CHECK(opened.payload(tiny(R"({"quant_algo": "NVFP4"})")).find("exclude_modules") !=
          std::string::npos);
    CHECK(opened
              .payload(tiny(R"({"quant_method": "compressed-tensors", "format":
          "marlin-24", "config_groups": {"group_0": {"targets": ["Linear"], "weights":
          {"num_bits": 4, "type": "int", "strategy": "group"}}}})"))
              .find("marlin-24") != std::string::npos);
    CHECK(opened.payload(tiny(R"({"quant_method": "fp8", "modules_to_not_convert":
          ["model.layers.7.mlp.up_proj"]})")) != "");
    CHECK(opened.noted("modules-unmatched", "layers.7.mlp.up_proj"));
  }

  TEST_CASE("values that cannot be are refused") {
    CHECK(refused(tiny(R"({"quant_method": "gptq", "bits": 77})")) == base::Code::usage);
    CHECK(refused(tiny(R"({"quant_method": "fp8", "weight_block_size": [0, 128]})")) ==
          base::Code::usage);
    CHECK(refused(tiny(R"({"quant_method": "fp8", "modules_to_not_convert": "lm_head"})")) ==
          base::Code::wrong_type);
    CHECK(refused(tiny(R"({"quant_method": "fp8", "modules_to_not_convert": ["re:(a"]})")) ==
          base::Code::syntax);
    CHECK(refused(tiny(R"({"quant_method": "compressed-tensors", "config_groups": 3})")) ==
          base::Code::wrong_type);
    CHECK(refused(tiny("[]")) == base::Code::wrong_type);
  }

  TEST_CASE("--weights: by convention, by the rule of a file, or unknown") {
    Opened opened;
    const std::string plain = llama_8b("");
    const Rational linear = Rational(8030261248) - Rational(2 * 525336576) - Rational(266240);
    const Rational wide = Rational(2 * 525336576) + Rational(266240);
    CHECK(opened.payload(plain, "fp8") ==
          (linear + Rational(32 * 7 * 4) + Rational(2) * wide).to_string());
    CHECK(opened.noted("kept-wider", "head (525336576)"));
    CHECK(opened.payload(plain, "bf16") == "16060522496");
    // llama.cpp: blocks of 18 bytes, output in Q6_K, norms in F32.
    CHECK(opened.payload(plain, "q4_0") ==
          ((linear + Rational(525336576)) * Rational(18) / Rational(32) +
           Rational(525336576) * Rational(210) / Rational(256) + Rational(4 * 266240))
              .to_string());
    // Half of ffn_down and of attn_v in Q6_K, 16 of 32 layers, and the output.
    const Rational six(16 * (4096 * 14336 + 1024 * 4096) + 525336576);
    CHECK(opened.payload(plain, "q4_k_m") ==
          (six * Rational(210) / Rational(256) +
           (linear + Rational(525336576) + Rational(525336576) - six) * Rational(144) /
               Rational(256) +
           Rational(4 * 266240))
              .to_string());
    CHECK(opened.payload(plain, "int4").find("not stated") != std::string::npos);
  }

  TEST_CASE("a mix says nothing about latent attention") {
    Opened opened;
    const std::string latent = R"({"model_type": "deepseek_v3", "hidden_size": 256,
      "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4,
      "intermediate_size": 256, "moe_intermediate_size": 256, "n_routed_experts": 4,
      "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1,
      "q_lora_rank": 256, "kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 64,
      "v_head_dim": 64, "vocab_size": 256, "torch_dtype": "bfloat16"})";
    CHECK(opened.payload(latent, "q4_k_m").find("plain attention") != std::string::npos);
  }
}
