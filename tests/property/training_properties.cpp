// Laws of training states over generated degrees: more ranks never cost a rank more, later ZeRO
// stages never more than earlier ones, and parts sum to what they are parts of.
#include <doctest/doctest.h>

#include "../unit/plan/trained.hpp"
#include "generate.hpp"

using namespace ullage;
using exact::Rational;
using test::number;
using test::Trained;

namespace {

plan::TrainRequest generated(property::Generator& generator) {
  const auto power = [&](std::uint64_t most) {
    return number(std::int64_t{1} << generator.below(most));
  };
  plan::TrainRequest request;
  request.model = generator.one_in(2) ? "tiny.json" : "mixture.json";
  request.sequence = number(static_cast<std::int64_t>(1 + generator.below(5000)));
  request.tp = power(3);
  request.pp = power(2);
  request.cp = power(3);
  request.dp = number(4 * (std::int64_t{1} << generator.below(5)));
  if (request.model == "mixture.json") request.ep = power(3);
  if (generator.one_in(2)) request.microbatches = power(5);
  if (generator.one_in(3)) request.lora_rank = number(2);
  if (request.lora_rank) request.lora_targets = {"all-linear"};
  constexpr std::array<const char*, 6> recipes{
      "mixed-fp16-grad", "mixed-fp32-grad", "fp16-megatron", "fsdp2", "bf16-pure", "fp8-copy"};
  request.recipe = recipes[generator.below(recipes.size())];
  constexpr std::array<const char*, 6> optimizers{"adamw",     "adamw-8bit", "muon",
                                                  "adafactor", "lion",       "galore"};
  request.optimizer = optimizers[generator.below(optimizers.size())];
  if (request.optimizer == "galore") request.galore_rank = number(2);
  request.sequence_parallel = generator.one_in(2);
  constexpr std::array<memory::Recompute, 3> recompute{
      memory::Recompute::none, memory::Recompute::selective, memory::Recompute::full};
  request.recompute = recompute[generator.below(recompute.size())];
  return request;
}

void check_sums(const Trained& trained) {
  CHECK(trained.value("model_states_per_device") ==
        trained.value("weights_per_device") + trained.value("gradients_per_device") +
            trained.value("master_per_device") + trained.value("optimizer_per_device"));
  const Rational most =
      trained.value("model_states_per_device") + trained.value("activations_upper_per_device") +
      trained.value("logits_upper_per_device") + trained.value("gathered_per_device");
  CHECK(trained.value("total_floor_per_device") <= trained.value("total_upper_per_device"));
  // The worst stage needs no more than the worst of each part.
  CHECK(trained.value("total_upper_per_device") <= most);
  CHECK(trained.value("activations_floor_per_device") <=
        trained.value("activations_upper_per_device"));
  CHECK(trained.value("logits_floor_per_device") <= trained.value("logits_upper_per_device"));
  CHECK(trained.value("model_states_per_device") <= trained.value("model_states"));
}

}  // namespace

TEST_SUITE("property/training") {
  TEST_CASE("ZeRO 3 is at most 2, at most 1, at most 0") {
    Trained trained;
    property::Generator generator(7);
    for (int round = 0; round < 40; ++round) {
      plan::TrainRequest request = generated(generator);
      Rational before;
      for (std::int64_t zero = 0; zero <= 3; ++zero) {
        request.zero = number(zero);
        trained.train(request);
        check_sums(trained);
        const Rational states = trained.value("model_states_per_device");
        if (zero > 0) CHECK(states <= before);
        before = states;
      }
    }
  }

  TEST_CASE("more data parallel ranks never raise the states of one") {
    Trained trained;
    property::Generator generator(11);
    for (int round = 0; round < 40; ++round) {
      plan::TrainRequest request = generated(generator);
      request.zero = number(static_cast<std::int64_t>(generator.below(4)));
      Rational before;
      const Rational first = request.dp->value;
      for (std::int64_t more = 1; more <= 3; ++more) {
        request.dp->value = first * Rational(more);
        trained.train(request);
        const Rational states = trained.value("model_states_per_device");
        if (more > 1) CHECK(states <= before);
        before = states;
      }
    }
  }

  TEST_CASE("the lower bound on devices suffices nowhere below it") {
    Trained trained;
    property::Generator generator(13);
    for (int round = 0; round < 20; ++round) {
      plan::TrainRequest request = generated(generator);
      request.on = "h100-sxm";
      request.capacity.basis = plan::CapacityBasis::given;
      request.capacity.size =
          Rational(static_cast<std::int64_t>(50'000 + generator.below(900'000)));
      request.capacity.where = "--capacity";
      trained.train(request);
      if (trained.row().verdict == "fits") {
        CHECK(trained.value("devices_min") <= trained.value("devices"));
      }
    }
  }
}
