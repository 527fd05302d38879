// Model states on a model small enough to add up by hand.
#include "trained.hpp"

using namespace ullage;
using exact::Rational;
using test::number;
using test::tiny_request;
using test::Trained;

TEST_SUITE("plan/train_states") {
  TEST_CASE("the terms of a recipe are shown one by one and sum to the states") {
    Trained trained;
    trained.train(tiny_request());
    CHECK(trained.value("parameters") == Rational(1352));
    CHECK(trained.value("state_bytes_per_parameter") == Rational(18));
    CHECK(trained.value("weights_per_device") == Rational(2 * 1352));
    CHECK(trained.value("gradients_per_device") == Rational(4 * 1352));
    CHECK(trained.value("master_per_device") == Rational(4 * 1352));
    CHECK(trained.value("optimizer_per_device") == Rational(8 * 1352));
    CHECK(trained.value("model_states_per_device") == Rational(18 * 1352));
    CHECK(trained.value("model_states") == Rational(18 * 1352));
    CHECK(trained.value("gathered_per_device").is_zero());
  }

  TEST_CASE("ZeRO shards the optimizer, then gradients, then weights") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.dp = number(4);
    const auto states = [&](std::int64_t zero) {
      request.zero = number(zero);
      trained.train(request);
      return trained.value("model_states_per_device");
    };
    CHECK(states(0) == Rational(18 * 1352));
    CHECK(states(1) == Rational(6 * 1352 + 3 * 1352));
    CHECK(states(2) == Rational(2 * 1352 + 4 * 1352));
    CHECK(states(3) == Rational(18 * 338));
    // A unit of the root (table, head, final norm) and two layers, 2 + 4 bytes each.
    CHECK(trained.value("gathered_per_device") == Rational(6 * (168 + 2 * 592)));
  }

  TEST_CASE("a group of hybrid sharding shares less") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.dp = number(4);
    request.zero = number(3);
    request.dp_shard = number(2);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(9 * 1352));
    request.dp_shard = number(3);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("context parallel ranks join the shard group") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.cp = number(2);
    request.zero = number(3);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(9 * 1352));
  }

  TEST_CASE("the fp32 gradient copy of Megatron's fp16 goes with the optimizer") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.recipe = "fp16-megatron";
    request.dp = number(2);
    request.zero = number(1);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(4 * 1352 + 16 * 676));
    CHECK(trained.value("state_bytes_per_parameter") == Rational(20));
  }

  TEST_CASE("tensor ranks split matrices and tables, hold norms whole, and a KV head each") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.tp = number(2);
    trained.train(request);
    CHECK(trained.value("parameters_per_device") == Rational((1152 + 160) / 2 + 40));
    CHECK(trained.value("parameters_per_device_replicated") == Rational(40));
    request.tp = number(4);
    trained.train(request);
    // q and o 256 ÷ 4, k and v 128 ÷ 2 heads, MLP 768 ÷ 4, tables 160 ÷ 4, norms 40.
    CHECK(trained.value("parameters_per_device") == Rational(64 + 64 + 192 + 40 + 40));
    CHECK(trained.noted("kv-heads-replicated"));
  }

  TEST_CASE("a pipeline's fullest stage counts: the head's here, by the final norm") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.pp = number(2);
    trained.train(request);
    CHECK(trained.value("parameters_per_device") == Rational(592 + 80 + 8));
    CHECK(trained.value("model_states_per_device") == Rational(18 * 680));
  }

  TEST_CASE("experts spread over their own ranks and share their optimizer with fewer") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.model = "mixture.json";
    request.dp = number(4);
    request.ep = number(2);
    request.zero = number(1);
    trained.train(request);
    // 3,072 of experts; 384 attention, 64 router, 160 tables, 40 norms.
    CHECK(trained.value("parameters_per_device_experts") == Rational(1536));
    CHECK(trained.value("parameters_per_device_dense") == Rational(648));
    CHECK(trained.value("model_states_per_device") ==
          Rational(6 * (648 + 1536) + 12 * 648 / 4 + 12 * 1536 / 2));
    request.ep = number(8);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("optimizers keep what their papers say") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    const auto optimizer = [&](const char* name) {
      request.optimizer = name;
      trained.train(request);
      return trained.value("optimizer_per_device");
    };
    CHECK(optimizer("sgd").is_zero());
    CHECK(optimizer("sgd-momentum") == Rational(4 * 1352));
    CHECK(optimizer("lion") == Rational(4 * 1352));
    CHECK(optimizer("muon") == Rational(4 * 1152 + 8 * 200));
    CHECK(optimizer("adamw-8bit") == Rational(8 * 1352));  // every tensor is below 4,096 elements
    // A row and a column of each matrix: tables 72 each, 512 a layer; norms 160.
    CHECK(optimizer("adafactor") == Rational(2 * 72 + 2 * 512 + 160));
    request.recipe = "bf16-pure";
    CHECK(optimizer("lion") == Rational(2 * 1352));
    request.galore_rank = number(2);
    CHECK(optimizer("galore") == Rational(2 * 832 + 4 * 200));
    // No projection has more rows than the shorter side: 8 or 4, where 2 gave 832.
    request.galore_rank = number(1000);
    CHECK(optimizer("galore") ==
          Rational(2 * 2 * (2 * (8 * 8 + 2 * 64) + 2 * (4 * 4 + 2 * 32) + 3 * (8 * 8 + 2 * 128)) +
                   4 * 200));
  }

  TEST_CASE("frozen weights have neither gradients nor states") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.optimizer = "none";
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(2 * 1352));
    CHECK(trained.value("gradients_per_device").is_zero());
  }

  TEST_CASE("8-bit moments of a literal: two bytes and two scales of 256") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "1B";
    request.recipe = "bf16-pure";
    request.optimizer = "adamw-8bit";
    trained.train(request);
    CHECK(trained.value("state_bytes_per_parameter") == *Rational::ratio(193, 32));  // 6.03125
    CHECK_FALSE(trained.node("activations_floor_per_device").value.has_value());
    request.optimizer = "adafactor";
    CHECK(trained.refuse(request).code == base::Code::unknown_figure);
  }

  TEST_CASE("adapters are trained, the base is held") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.lora_rank = number(2);
    request.lora_targets = {"q_proj", "v_proj"};
    trained.train(request);
    CHECK(trained.value("parameters") == Rational(1352));
    CHECK(trained.value("trainable_parameters") == Rational(112));
    CHECK(trained.value("weights_per_device") == Rational(2 * 1464));
    CHECK(trained.value("gradients_per_device") == Rational(4 * 112));
    request.base_weights = "nf4";
    trained.train(request);
    // 4.5 bits for matrices of layers; tables and norms stay in 16 bits.
    CHECK(trained.value("weights_per_device") == Rational(648 + 2 * 200 + 2 * 112));
    const Rational once = trained.value("trainable_parameters");
    request.lora_targets = {"q_proj", "v_proj", "q_proj"};
    trained.train(request);
    CHECK(trained.value("trainable_parameters") == once);
    request.lora_targets = {"qkv_proj"};
    trained.train(request);
    CHECK(trained.value("trainable_parameters") == Rational(2 * 2 * (8 + 16)));
    request.lora_targets = {"q_prj"};
    CHECK(trained.refuse(request).hint.find("q_proj") != std::string::npos);
  }

  TEST_CASE("a checkpoint holds weights, or what a restart needs, of any optimizer") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    trained.train(request);
    CHECK(trained.value("checkpoint_weights") == Rational(2 * 1352));
    CHECK(trained.value("checkpoint_with_optimizer") == Rational(14 * 1352));
    request.optimizer = "muon";
    request.zero = number(3);
    request.dp = number(2);
    request.offload_optimizer = true;
    trained.train(request);
    CHECK(trained.value("checkpoint_with_optimizer") == Rational(6 * 1352 + 4 * 1152 + 8 * 200));
    CHECK(trained.value("model_states") == Rational(10 * 1352 + 4 * 1152 + 8 * 200));
    request = tiny_request();
    request.lora_rank = number(2);
    request.lora_targets = {"q_proj", "v_proj"};
    trained.train(request);
    CHECK(trained.value("checkpoint_weights") == Rational(2 * 112));
    CHECK(trained.value("checkpoint_with_optimizer") == Rational(14 * 112));
  }

  TEST_CASE("gathered units: the root, a layer, and one ahead of it") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.zero = number(3);
    request.dp = number(2);
    trained.train(request);
    CHECK(trained.value("gathered_root_per_device") == Rational(6 * (160 + 8)));
    CHECK(trained.value("gathered_layer_per_device") == Rational(6 * 592));
    CHECK(trained.value("prefetched_per_device") == Rational(6 * 592));
    CHECK(trained.value("gathered_per_device") == Rational(6 * (168 + 2 * 592)));
  }

  TEST_CASE("what is offloaded stands in host memory") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.dp = number(2);
    request.zero = number(3);
    request.offload_optimizer = true;
    trained.train(request);
    CHECK(trained.value("optimizer_per_device").is_zero());
    CHECK(trained.value("master_per_device").is_zero());
    CHECK(trained.value("host_states_per_node") == Rational(12 * 1352));
    request.offload_parameters = true;
    trained.train(request);
    CHECK(trained.value("weights_per_device").is_zero());
    request.zero = number(2);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("FP8 copies of matrices come on top of 16-bit weights") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.recipe = "fp8-copy-transposed";
    trained.train(request);
    CHECK(trained.value("weights_per_device") == Rational(2 * 200 + 4 * 1152));
    request.recipe = "fp8-param";
    trained.train(request);
    CHECK(trained.value("weights_per_device") == Rational(2 * 200 + 1152));
  }

  TEST_CASE("the optimizer's figure names its bytes, its ranks and where they are printed") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.zero = number(1);
    request.dp = number(4);
    trained.train(request);
    const provenance::Node& node = trained.node("optimizer_per_device");
    CHECK(node.formula == "optimizer bytes × dense parameters on the rank ÷ dp");
    CHECK(node.citation.find("1910.02054") != std::string::npos);
    const provenance::Node& bytes = trained.answer.graph[node.inputs.front()];
    REQUIRE_FALSE(bytes.claims.empty());
    CHECK(bytes.claims.front().source == "megatron-dist-optimizer");
  }

  TEST_CASE("names that nobody knows are refused with the nearest") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.recipe = "mixed-fp32-grads";
    CHECK(trained.refuse(request).hint.find("mixed-fp32-grad") != std::string::npos);
    request.recipe.reset();
    request.optimizer = "adam";
    CHECK(trained.refuse(request).hint.find("adamw") != std::string::npos);
    request.optimizer.reset();
    request.rules = "megatron";
    CHECK(trained.refuse(request).hint.find("megatron-lm") != std::string::npos);
  }
}
