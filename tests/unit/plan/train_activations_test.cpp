// Activations, logits and totals on a model small enough to add up by hand.
#include "trained.hpp"

using namespace ullage;
using exact::Rational;
using test::number;
using test::tiny_request;
using test::Trained;

TEST_SUITE("plan/train_activations") {
  TEST_CASE("fused kernels are the floor, eager modules the upper figure") {
    Trained trained;
    trained.train(tiny_request());
    // A token: 4·8·2 around, q and output 32, k and v 16, MLP 96; four tokens.
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * 208));
    // 8·8·2 norms and 2·8·2 residuals, 4·8 + 4·8 of attention, 8·16.
    CHECK(trained.value("layer_activations_upper_per_device") == Rational(4 * 352));
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * (2 * 208 + 4 * 8)));
    CHECK(trained.value("activations_upper_per_device") == Rational(4 * (2 * 352 + 8 * 8)));
  }

  TEST_CASE("logits have a floor and an upper figure, chunks divide them") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    trained.train(request);
    CHECK(trained.value("logits_floor_per_device") == Rational(4 * 4 * 10));
    CHECK(trained.value("logits_upper_per_device") == Rational(14 * 4 * 10));
    request.loss = memory::Loss::eager;
    trained.train(request);
    CHECK(trained.value("logits_floor_per_device") == Rational(6 * 4 * 10));
    request.loss = memory::Loss::fused;
    trained.train(request);
    CHECK(trained.value("logits_upper_per_device") == Rational(6 * 4 * 10));
    request.loss = memory::Loss::chunked;
    request.loss_chunks = number(2);
    trained.train(request);
    CHECK(trained.value("logits_floor_per_device") == Rational(2 * 4 * 10));
    CHECK(trained.value("logits_upper_per_device") == Rational(7 * 4 * 10));
  }

  TEST_CASE("full recompute keeps a hidden state a layer, and one layer while it works") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.recompute = memory::Recompute::full;
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * 16));
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * (2 * 16 + 208)));
    CHECK(trained.value("activations_upper_per_device") == Rational(4 * (2 * 16 + 352)));
  }

  TEST_CASE("every second product: input, query, value, attention, one of gate and up, down") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.recompute = memory::Recompute::op_selective;
    trained.train(request);
    // 2 × (8 + 8 + 4 + 8 + 16 + 8)
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * 104));
  }

  TEST_CASE("Korthikanti's set: 18h + 4f, and scores only unfused and kept") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.kernels = memory::Kernels::korthikanti;
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (18 * 8 + 4 * 16)));
    request.attention = memory::AttentionKernel::unfused;
    trained.train(request);
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (18 * 8 + 4 * 16 + 5 * 4 * 4)));
    request.recompute = memory::Recompute::selective;
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (18 * 8 + 4 * 16)));
    request.tp = number(2);
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (80 + 64)));
    request.sequence_parallel = true;
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * 104));
  }

  TEST_CASE("tensor and sequence parallel divide the inside, then all of a layer") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.tp = number(2);
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (64 + 72)));
    request.sequence_parallel = true;
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * 104));
    request.tp = number(4);
    trained.train(request);
    // k and v stay whole for a KV head: 16 ÷ 2 instead of 16 ÷ 4.
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (192 / 4 + 8)));
  }

  TEST_CASE("context parallel divides the tokens, and its ring holds keys and values twice") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.cp = number(2);
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(2 * 208));
    CHECK(trained.value("activations_upper_per_device") ==
          Rational(2 * (2 * 352 + 8 * 8) + 2 * 2 * 16));
  }

  TEST_CASE("a pipeline's first stage holds as many microbatches as there are stages") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.pp = number(2);
    trained.train(request);
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * 2 * 208));
    request.microbatches = number(1);
    trained.train(request);
    // The last stage: one microbatch, its final norm and the head's input.
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * (208 + 32)));
    request.microbatches = number(8);
    request.virtual_stages = number(2);
    trained.train(request);
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * 208 * 5 / 2));
    request.virtual_stages.reset();
    request.schedule = memory::Schedule::gpipe;
    trained.train(request);
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * (8 * 208 + 32)));
  }

  TEST_CASE("routed experts keep their dispatched copies, by imbalance in the upper figure") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.model = "mixture.json";
    trained.train(request);
    // 2 × (4·8 + 6·16) and 4 × 4 scores beside 112 around and in attention.
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (112 + 256 + 16)));
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (128 + 32 + 64 + 2 * (32 + 128) + 16)));
    request.expert_imbalance = number(2);
    trained.train(request);
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (112 + 256 + 16)));
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (128 + 32 + 64 + 4 * (32 + 128) + 16)));
  }

  TEST_CASE("norms with an offset keep ten bytes a channel") {
    Trained trained;
    trained.files.files["gemma.json"] =
        R"({"model_type": "gemma", "hidden_size": 8, "num_hidden_layers": 2,
                          "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 2,
                          "intermediate_size": 16, "vocab_size": 10, "torch_dtype": "bfloat16"})";
    plan::TrainRequest request = tiny_request();
    request.model = "gemma.json";
    trained.train(request);
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (160 + 32 + 64 + 128)));
  }

  TEST_CASE("where each layer is a mixer or an MLP, a layer is the larger of them") {
    Trained trained;
    trained.files.files["nemotron.json"] =
        R"({"model_type": "nemotron_h", "hidden_size": 8, "num_hidden_layers": 4,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2,
            "intermediate_size": 16, "vocab_size": 10, "torch_dtype": "bfloat16",
            "mamba_num_heads": 2, "mamba_head_dim": 3, "n_groups": 1, "ssm_state_size": 5,
            "conv_kernel": 4, "n_routed_experts": 4, "num_experts_per_tok": 2,
            "moe_intermediate_size": 5, "n_shared_experts": 1,
            "moe_shared_expert_intermediate_size": 7, "hybrid_override_pattern": "M*E-"})";
    plan::TrainRequest request = tiny_request();
    request.model = "nemotron.json";
    trained.train(request);
    // Input and norm 32; experts 2 × (4·8 + 4·5), scores 4 × 4, the shared one 4 × 7.
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (32 + 148)));
    request.recompute = memory::Recompute::full;
    trained.train(request);
    CHECK(trained.value("activations_floor_per_device") == Rational(4 * (4 * 16 + 180)));
  }

  TEST_CASE("one microbatch: the larger of gradients and activations; several: both") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    trained.train(request);
    const Rational kept = Rational(4 * (2 * 208 + 32) + 160);
    CHECK(trained.value("total_floor_per_device") == Rational(14 * 1352 + 4 * 1352));
    request.sequence = number(4096);
    trained.train(request);
    CHECK(trained.value("total_floor_per_device") == Rational(14 * 1352) + kept * Rational(1024));
    request.microbatches = number(2);
    trained.train(request);
    CHECK(trained.value("total_floor_per_device") == Rational(18 * 1352) + kept * Rational(1024));
    CHECK(trained.value("total_upper_per_device") ==
          Rational(18 * 1352) + Rational(4096 * (2 * 352 + 64 + 140)));
  }

  TEST_CASE("an overhead of the user's is in both totals and named") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.overheads.push_back({"nccl", {Rational(1'000'000), "--overhead nccl=1MB"}});
    trained.train(request);
    CHECK(trained.value("overhead_nccl") == Rational(1'000'000));
    CHECK(trained.value("total_floor_per_device") == Rational(18 * 1352 + 1'000'000));
  }

  TEST_CASE("state-space layers: projections and output, or all that chunked kernels keep") {
    Trained trained;
    trained.files.files["mamba.json"] = test::kTinyMamba;
    plan::TrainRequest request = tiny_request();
    request.model = "mamba.json";
    trained.train(request);
    // Input and norm, 44 projected channels and 16 inputs of the output projection.
    CHECK(trained.value("layer_activations_floor_per_device") == Rational(4 * (32 + 88 + 32)));
    // A norm 64 and a residual 16; 6 × 44, 16 × 16, steps and their sums 8 × 2 heads.
    constexpr std::int64_t kEager = 64 + 16 + 264 + 256 + 16;
    CHECK(trained.value("layer_activations_upper_per_device") == Rational(4 * kEager));
    CHECK(trained.value("activations_upper_per_device") == Rational(4 * (2 * kEager + 64)));
    CHECK(trained.node("total_upper_per_device").value.has_value());
  }

  TEST_CASE("the delta rule keeps repeated queries and keys, a decay and a chunk's matrices") {
    Trained trained;
    trained.files.files["delta.json"] =
        R"({"model_type": "qwen3_next", "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2,
            "intermediate_size": 16, "vocab_size": 10, "tie_word_embeddings": false,
            "linear_num_key_heads": 1, "linear_num_value_heads": 2, "linear_key_head_dim": 3,
            "linear_value_head_dim": 2, "linear_conv_kernel_dim": 4, "num_experts": 4,
            "num_experts_per_tok": 2, "moe_intermediate_size": 5,
            "shared_expert_intermediate_size": 6, "full_attention_interval": 2,
            "torch_dtype": "bfloat16"})";
    plan::TrainRequest request = tiny_request();
    request.model = "delta.json";
    trained.train(request);
    // 10 channels of q, k and v, 4 of z, 2 each of a and b: 18 projected, 4 read by the output.
    constexpr std::int64_t kMixer = 6 * 18 + 16 * 4 + 2 * (12 * 3 + 256);
    // Two norms and two residuals 160; experts 2 × (4·8 + 8·5), scores 16, the shared one 8 × 6.
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (160 + kMixer + 2 * 72 + 16 + 48)));
    request.kernels = memory::Kernels::fused;
    trained.train(request);
    // Attention's 48 is more than 2 × 18 + 2 × 4 = 44.
    CHECK(trained.value("layer_activations_upper_per_device") ==
          Rational(4 * (64 + 48 + 2 * 62 + 16 + 36)));
  }
}
