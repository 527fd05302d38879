// Operations of a token on a model small enough to add up by hand, and utilisation on a device.
#include "plan/flops.hpp"

#include "trained.hpp"

using namespace ullage;
using exact::Rational;
using test::number;

namespace {

struct Counted : test::Trained {
  void count(const plan::FlopsRequest& request) {
    auto result = plan::flops(request, catalogue, files);
    REQUIRE_MESSAGE(result.ok(), base::to_text(result.error()));
    answer = std::move(*result);
  }
  base::Diagnostic refuse_count(const plan::FlopsRequest& request) {
    const auto result = plan::flops(request, catalogue, files);
    REQUIRE_FALSE(result.ok());
    return result.error();
  }
};

plan::FlopsRequest tiny() {
  plan::FlopsRequest request;
  request.model = "tiny.json";
  request.sequence = number(4);
  return request;
}

}  // namespace

TEST_SUITE("plan/flops") {
  // 1,152 of layers and 80 of the head; scores 2 layers × (8 + 8) × 4 keys.
  constexpr std::int64_t kPassed = 1232;
  constexpr std::int64_t kScores = 2 * 2 * 16 * 4;

  TEST_CASE("two a weight forward, six in training, scores beside them") {
    Counted counted;
    counted.count(tiny());
    CHECK(counted.value("parameters_passed") == Rational(kPassed));
    CHECK(counted.value("flops_forward_per_token") == Rational(2 * kPassed + kScores));
    CHECK(counted.value("flops_training_per_token") == Rational(6 * kPassed + 3 * kScores));
    CHECK(counted.value("flops_hardware_per_token") == Rational(6 * kPassed + 3 * kScores));
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * kScores));
    CHECK(counted.value("flops_six_n_per_token") == Rational(6 * 1352));
  }

  TEST_CASE("the causal mask halves the scores") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.causal = true;
    counted.count(request);
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * kScores / 2));
  }

  TEST_CASE("recompute adds a forward pass of the layers, or of the scores") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.recompute = compute::Repeat::full;
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") ==
          Rational(6 * kPassed + 3 * kScores + 2 * 1152 + kScores));
    request.recompute = compute::Repeat::selective;
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") == Rational(6 * kPassed + 4 * kScores));
    request.rules = "korthikanti";
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") == Rational(6 * kPassed + 6 * kScores));
    request.rules = "six-n";
    request.recompute = compute::Repeat::full;
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") == Rational(8 * 1352 + 4 * kScores));
  }

  TEST_CASE("every second product again: keys, the output projection, one of gate and up") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.recompute = compute::Repeat::op_selective;
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") ==
          Rational(6 * kPassed + 3 * kScores + 2 * 2 * (32 + 64 + 128)));
    request.model = "mixture.json";
    counted.count(request);
    CHECK_FALSE(counted.node("flops_hardware_per_token").value.has_value());
    CHECK(counted.node("flops_training_per_token").value.has_value());
  }

  TEST_CASE("the 2021 paper's closed form: 72 l h² + 12 l s h + 6 V h, 96 l h² with recompute") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.rules = "sc21";
    counted.count(request);
    CHECK(counted.value("flops_training_per_token") ==
          Rational(72 * 2 * 64 + 12 * 2 * 4 * 8 + 6 * 10 * 8));
    request.recompute = compute::Repeat::full;
    counted.count(request);
    CHECK(counted.value("flops_hardware_per_token") ==
          Rational(96 * 2 * 64 + 16 * 2 * 4 * 8 + 6 * 10 * 8));
  }

  TEST_CASE("rules differ in what they multiply by six") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.rules = "torchtitan";
    counted.count(request);
    CHECK(counted.value("parameters_passed") == Rational(1352 - 80));
    request.model = "mixture.json";
    request.rules = "ideal";
    counted.count(request);
    // 384 of attention, half of 3,072 of experts, 64 of routers, 80 of the head.
    CHECK(counted.value("parameters_passed") == Rational(384 + 1536 + 64 + 80));
    request.rules = "megatron-lm";
    counted.count(request);
    CHECK(counted.value("parameters_passed") == Rational(384 + 1536 + 80));
    request.rules = "korthikant";
    CHECK(counted.refuse_count(request).hint.find("korthikanti") != std::string::npos);
  }

  TEST_CASE("adapters: four a frozen weight, six a trained one") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.lora_rank = number(2);
    request.lora_targets = {"q_proj", "v_proj"};
    counted.count(request);
    CHECK(counted.value("flops_training_per_token") ==
          Rational(4 * kPassed + 6 * 112 + 3 * kScores));
    CHECK(counted.value("flops_forward_per_token") == Rational(2 * (kPassed + 112) + kScores));
  }

  TEST_CASE("windowed layers attend to the mean number of keys") {
    Counted counted;
    counted.files.files["window.json"] =
        R"({"model_type": "mistral", "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 16,
            "vocab_size": 10, "sliding_window": 2, "tie_word_embeddings": false,
            "torch_dtype": "bfloat16"})";
    plan::FlopsRequest request = tiny();
    request.model = "window.json";
    counted.count(request);
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * kScores / 2));
    request.causal = true;
    counted.count(request);
    // 2 − 2² ÷ (2 × 4) = 1.5 of 4 keys.
    CHECK(counted.value("attention_flops_per_token") ==
          Rational(3 * kScores) * *Rational::ratio(3, 8));
  }

  TEST_CASE("an indexer scores every token, and attention reads those that it chooses") {
    Counted counted;
    counted.files.files["sparse.json"] =
        R"({"model_type": "deepseek_v32", "hidden_size": 8, "num_hidden_layers": 3,
            "vocab_size": 10, "num_attention_heads": 2, "num_key_value_heads": 2, "q_lora_rank": 6,
            "kv_lora_rank": 4, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2, "v_head_dim": 3,
            "intermediate_size": 16, "moe_intermediate_size": 5, "n_routed_experts": 4,
            "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1,
            "index_n_heads": 2, "index_head_dim": 3, "index_topk": 2, "torch_dtype": "bfloat16"})";
    plan::FlopsRequest request = tiny();
    request.model = "sparse.json";
    counted.count(request);
    // Queries 2 × 5 and values 2 × 3 against 2 keys, indexers 2 × 3 against 4.
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * 2 * 3 * (16 * 2 + 6 * 4)));
    request.causal = true;
    counted.count(request);
    // 2 − 2² ÷ (2 × 4) = 1.5 keys, and half of 4.
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * 2 * 3 * (24 + 12)));
    request.rules = "megatron-lm";
    counted.count(request);
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * 2 * 3 * 16 * 2));
  }

  TEST_CASE("a state-space layer counts its scan, whatever the sequence") {
    Counted counted;
    counted.files.files["mamba.json"] = test::kTinyMamba;
    plan::FlopsRequest request = tiny();
    request.model = "mamba.json";
    counted.count(request);
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * 7 * 2 * 80));
    request.sequence = number(4096);
    counted.count(request);
    CHECK(counted.value("attention_flops_per_token") == Rational(3 * 7 * 2 * 80));
  }

  TEST_CASE("a literal knows 6N and no more") {
    Counted counted;
    plan::FlopsRequest request;
    request.model = "320B:18B";
    CHECK(counted.refuse_count(request).code == base::Code::unknown_figure);
    request.rules = "six-n";
    counted.count(request);
    CHECK(counted.value("flops_training_per_token") == Rational(6) * Rational(18'000'000'000));
    CHECK(counted.noted("no-attention"));
  }

  TEST_CASE("times at the dense peak, and utilisation of a measured rate") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.on = "h100-sxm";
    request.devices = number(2);
    request.batch = number(3);
    request.mfu = plan::GivenNumber{*Rational::ratio(2, 5), "--mfu 40%"};
    counted.count(request);
    const Rational each(6 * kPassed + 3 * kScores);
    const Rational peak = Rational(9894) * exact::power_of_ten(11);
    CHECK(counted.value("tokens_per_second") == Rational(2) * peak * *Rational::ratio(2, 5) / each);
    CHECK(counted.value("time_per_step") * counted.value("tokens_per_second") == Rational(12));
    CHECK(counted.value("flops_training_per_step") == Rational(12) * each);
    request.mfu.reset();
    request.measured = number(1'000'000'000);
    counted.count(request);
    CHECK(counted.value("mfu") == Rational(1'000'000'000) * each / (Rational(2) * peak));
    CHECK(counted.value("mfu_causal") < counted.value("mfu_full_square"));
  }

  TEST_CASE("a sparse rate is no peak of dense weights") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.on = "h100-sxm";
    request.sparse = true;
    CHECK(counted.refuse_count(request).code == base::Code::kind_mismatch);
    counted.files.files["sparse.json"] =
        test::kTinyConfig.substr(0, test::kTinyConfig.size() - 1) +
        R"(, "quantization_config": {"quant_method": "compressed-tensors",
            "sparsity_config": {"format": "sparse-24-bitmask", "sparsity_structure": "2:4"}}})";
    request.model = "sparse.json";
    counted.count(request);
    CHECK(counted.value("sparse_peak") == Rational(1979) * exact::power_of_ten(12));
    CHECK(counted.noted("sparse-peak"));
  }

  TEST_CASE("a peak that nobody publishes makes times unknown, never those of another precision") {
    Counted counted;
    plan::FlopsRequest request = tiny();
    request.on = "trainium2";
    request.precision = "nvfp4";
    counted.count(request);
    CHECK_FALSE(counted.node("tokens_per_second").value.has_value());
    request.precision = "bf15";
    CHECK(counted.refuse_count(request).code == base::Code::usage);
  }
}
