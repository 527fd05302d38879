// The accounting of frameworks, and verdicts on devices.
#include "trained.hpp"

using namespace ullage;
using exact::Rational;
using test::number;
using test::tiny_request;
using test::Trained;

TEST_SUITE("plan/train_rules") {
  TEST_CASE("Megatron-LM's report: norms whole, 6 + 12/d, activations with their logits") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.rules = "megatron-lm";
    request.tp = number(2);
    request.dp = number(4);
    request.cp = number(2);
    request.zero = number(1);
    trained.train(request);
    const std::int64_t rank = (1152 + 160) / 2 + 40;
    // Optimizer states are not shared over context parallel ranks there.
    CHECK(trained.value("model_states_per_device") == Rational(9 * rank));
    // Without sequence parallelism: (10 + 24 ÷ t) h a layer, 8 + h of the embedding, 2 (V ÷ t + h),
    // and 5 % more; cp is not read.
    CHECK(trained.value("activations_floor_per_device") ==
          Rational(4 * (2 * 8 * 22 + 16 + 2 * 13)) * *Rational::ratio(105, 100));
    request.sequence_parallel = true;
    request.recompute = memory::Recompute::selective;
    trained.train(request);
    CHECK(trained.value("activations_upper_per_device") ==
          Rational(4 * (2 * (18 * 8 + 4 * 16) + 16 + 4 * 18) / 2));
    CHECK(trained.value("logits_floor_per_device") == Rational(4 * 4 * 10 / 2));
    CHECK(trained.value("total_floor_per_device") ==
          trained.value("model_states_per_device") + trained.value("activations_floor_per_device"));
    CHECK(trained.noted("rules"));
    request.zero = number(3);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("Megatron-Bridge: norms with a bias and divided, cp in the group, tokens ÷ cp") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.rules = "megatron-bridge";
    request.tp = number(2);
    request.dp = number(2);
    request.cp = number(2);
    trained.train(request);
    const std::int64_t rank = (1152 + 4 * 8 * 2 + 2 * 8 + 160) / 2;
    CHECK(trained.value("model_states_per_device") == Rational(9 * rank));
    CHECK(trained.value("activations_floor_per_device") ==
          Rational(4 * (2 * (18 * 8 + 4 * 16) + 16 + 4 * 18)) / Rational(4));
  }

  TEST_CASE("the experts of an estimator share over world ÷ (ep × etp)") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.model = "mixture.json";
    request.rules = "megatron-lm";
    request.dp = number(4);
    request.ep = number(2);
    request.zero = number(1);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(9 * 648 + 12 * 1536));
    // World ÷ (etp × ep × pp) counts context parallel ranks, the group of dense weights does not.
    request.cp = number(2);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(9 * 648 + 9 * 1536));
  }

  TEST_CASE("Megatron-Bridge distributes the optimizer unless --zero 0 is said") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.rules = "megatron-bridge";
    request.dp = number(4);
    request.zero = number(0);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(18 * (1152 + 64 + 16 + 160)));
  }

  TEST_CASE("Megatron-Bridge counts a prediction layer as one more of its list") {
    Trained trained;
    trained.files.files["mtp.json"] =
        R"({"model_type": "glm4_moe", "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2,
            "intermediate_size": 16, "moe_intermediate_size": 5, "n_routed_experts": 4,
            "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1,
            "num_nextn_predict_layers": 1, "vocab_size": 10, "tie_word_embeddings": false,
            "torch_dtype": "bfloat16"})";
    plan::TrainRequest request = tiny_request();
    request.model = "mtp.json";
    request.rules = "megatron-bridge";
    request.pp = number(2);
    trained.train(request);
    // Three layers of attention 192; MLP 384; two shared experts 120; norms 3 × 4h + 2h; a table.
    const std::int64_t dense = (3 * 192 + 384 + 2 * 120 + 3 * 32 + 16) / 2 + 80;
    CHECK(trained.value("model_states_per_device") == Rational(18 * (dense + 2 * 4 * 120 / 2)));
    // Widths 16, and 2 × 5 + 5 twice.
    CHECK(trained.value("activations_floor_per_device") ==
          Rational(4 * (18 * 8 * 3 + 4 * (16 + 15 + 15)) + 4 * 2 * 16));
  }

  TEST_CASE("no report of the Megatron family covers state-space layers") {
    Trained trained;
    trained.files.files["mamba.json"] = test::kTinyMamba;
    plan::TrainRequest request = tiny_request();
    request.model = "mamba.json";
    for (const char* rules : {"megatron-lm", "megatron-bridge"}) {
      request.rules = rules;
      CHECK(trained.refuse(request).code == base::Code::unsupported_architecture);
    }
  }

  TEST_CASE("buckets: DeepSpeed's defaults up to the model's size, or as flags say") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "2.851B";
    request.rules = "deepspeed";
    request.dp = number(8);
    request.zero = number(2);
    trained.train(request);
    CHECK(trained.value("buckets_per_device") == Rational(2'000'000'000));
    request.zero = number(3);
    request.largest_layer = number(32'000'000);
    trained.train(request);
    CHECK(trained.value("buckets_per_device") == Rational(1'100'000'000));
    request = tiny_request();
    request.rules = "deepspeed";
    request.dp = number(2);
    request.zero = number(1);
    trained.train(request);
    CHECK(trained.value("buckets_per_device") == Rational(2 * 2 * 1352));
    request.rules = "ideal";
    request.reduce_bucket = number(100);
    trained.train(request);
    CHECK(trained.value("buckets_per_device") == Rational(200));
    CHECK(trained.value("total_upper_per_device") ==
          Rational(12 * 1352 + 200 + 4 * (2 * 352 + 64 + 140)));
    request.zero = number(0);
    trained.train(request);
    CHECK(trained.noted("no-effect"));
  }

  TEST_CASE("layouts that no run can have are refused, uneven ones noted") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.pp = number(3);
    CHECK(trained.refuse(request).message.find("2 layers") != std::string::npos);
    request = tiny_request();
    request.tp = number(3);
    trained.train(request);
    CHECK(trained.noted("tensor-parallel-uneven"));
    request = tiny_request();
    request.model = "mixture.json";
    request.dp = number(8);
    request.ep = number(8);
    CHECK(trained.refuse(request).message.find("4 routed experts") != std::string::npos);
    request.ep = number(2);
    request.expert_imbalance = number(5);
    CHECK(trained.refuse(request).code == base::Code::usage);
    request = tiny_request();
    request.loss = memory::Loss::chunked;
    request.loss_chunks = number(5);
    CHECK(trained.refuse(request).message.find("4 tokens") != std::string::npos);
  }

  TEST_CASE("terms that contradict each other are refused, flags without effect noted") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.state_bytes = {{"weights", number(2)}, {"weights", number(4)}};
    CHECK(trained.refuse(request).message.find("twice") != std::string::npos);
    request.state_bytes.pop_back();
    request.weights.format = "fp8";
    CHECK(trained.refuse(request).code == base::Code::usage);
    request = tiny_request();
    request.lora_rank = number(2);
    request.lora_targets = {"q_proj"};
    request.optimizer = "none";
    CHECK(trained.refuse(request).code == base::Code::usage);
    request = tiny_request();
    request.zero = number(3);
    trained.train(request);
    CHECK(trained.noted("no-effect"));
    request.dp = number(2);
    trained.train(request);
    CHECK_FALSE(trained.noted("no-effect"));
    request.virtual_stages = number(2);
    trained.train(request);
    CHECK(trained.noted("no-effect"));
  }

  TEST_CASE("DeepSpeed's documented example, per device and per node") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "2.851B";
    request.rules = "deepspeed";
    request.dp = number(8);
    request.zero = number(2);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(12'116'750'000));
    CHECK(trained.value("host_states_per_node") ==
          Rational(2'851'000'000) * Rational(4 * 8) * *Rational::ratio(3, 2));
    request.zero = number(3);
    CHECK(trained.refuse(request).hint.find("--largest-layer") != std::string::npos);
    request.largest_layer = number(32'000'000);
    request.offload_optimizer = true;
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(840'750'000));
    CHECK(trained.value("gathered_per_device") == Rational(128'000'000));
    request.tp = number(2);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("DeepSpeed truncates a rank's share to whole bytes") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.rules = "deepspeed";
    request.dp = number(7);
    request.zero = number(2);
    trained.train(request);
    CHECK(trained.value("model_states_per_device") == Rational(2 * 1352 + 18 * 1352 / 7));
    request.zero = number(3);
    trained.train(request);
    // The largest module: 16 × 8 of the MLP.
    CHECK(trained.value("gathered_per_device") == Rational(4 * 128));
  }

  TEST_CASE("other frameworks: their recipe over the same tensors") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    const auto each = [&](const char* rules) {
      request.rules = rules;
      trained.train(request);
      return trained.value("model_states_per_device");
    };
    CHECK(each("nanotron") == Rational(20 * 1352));
    CHECK(each("maxtext") == Rational(12 * 1352));
    CHECK(each("torchtitan") == Rational(16 * 1352));
    CHECK(each("nxd-training") == Rational(18 * 1352));
    request.zero = number(1);
    request.dp = number(2);
    CHECK(each("nanotron") == Rational(12 * 1352));
  }

  TEST_CASE("devices give the data parallel degree") {
    Trained trained;
    plan::TrainRequest request = tiny_request();
    request.devices = number(8);
    request.tp = number(2);
    request.zero = number(1);
    trained.train(request);
    CHECK(trained.value("optimizer_per_device") == Rational(2 * 696));
    request.devices = number(7);
    CHECK(trained.refuse(request).code == base::Code::usage);
    request.devices = number(8);
    request.dp = number(2);
    CHECK(trained.refuse(request).code == base::Code::usage);
  }

  TEST_CASE("verdicts: bound, fits, does not fit, and unknown between floor and upper") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "llama-3.1-8b";
    request.on = "h100-sxm";
    trained.train(request);
    CHECK(trained.row().verdict == "lower-bound");
    CHECK(trained.value("devices_min") == Rational(3));
    request.devices = number(8);
    trained.train(request);
    CHECK(trained.row().verdict == "does-not-fit");
    request.zero = number(3);
    trained.train(request);
    CHECK(trained.row().verdict == "fits");
    request.sequence = number(8192);
    trained.train(request);
    CHECK(trained.row().verdict == "unknown");
    CHECK(trained.noted("between-bounds"));
    CHECK(trained.value("headroom_per_device") ==
          trained.value("device_budget") - trained.value("total_floor_per_device"));
  }

  TEST_CASE("a literal has a lower bound by its states, and never a fit") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "7B";
    request.on = "h100-sxm";
    trained.train(request);
    CHECK(trained.row().verdict == "lower-bound");
    CHECK(trained.value("devices_min") == Rational(2));
    CHECK(trained.noted("states-only"));
    request.devices = number(8);
    request.zero = number(3);
    trained.train(request);
    CHECK(trained.row().verdict == "unknown");
    request.zero.reset();
    trained.train(request);
    CHECK(trained.row().verdict == "does-not-fit");
  }

  TEST_CASE("on an instance ranks are its chips") {
    Trained trained;
    plan::TrainRequest request;
    request.model = "llama-3.1-8b";
    request.on = "trn2.48xlarge";
    request.devices = number(2);
    request.zero = number(3);
    trained.train(request);
    CHECK(trained.value("devices") == Rational(32));
    CHECK(trained.value("chips_min") == Rational(2));
    CHECK(trained.value("devices_min") == Rational(1));
    CHECK(trained.noted("per-chip"));
  }
}
