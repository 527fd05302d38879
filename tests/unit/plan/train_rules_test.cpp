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
