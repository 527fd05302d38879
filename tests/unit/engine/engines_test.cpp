// The table of engines.
#include "engine/engines.hpp"

#include <doctest/doctest.h>

using namespace ullage;

TEST_SUITE("engine/engines") {
  TEST_CASE("a name with a version, and without") {
    const auto choice = engine::find_engine("vllm@0.6");
    REQUIRE(choice.ok());
    CHECK(choice->engine->name == "vllm");
    CHECK(choice->version.minor == 6);
    CHECK(engine::find_engine("sglang").ok());
  }

  TEST_CASE("unknown names and versions are refused with what is known") {
    const auto wrong = engine::find_engine("vlm");
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().hint.find("vllm") != std::string::npos);
    CHECK(wrong.error().code == base::Code::usage);
    CHECK_FALSE(engine::find_engine("vllm@latest").ok());
    CHECK_FALSE(engine::find_engine("").ok());
  }

  TEST_CASE("vLLM's default share changed with 0.30; ideal has none") {
    const auto share = [](const char* name) {
      const auto choice = engine::find_engine(name);
      return choice->engine->utilization(choice->version);
    };
    CHECK(share("vllm@0.29")->share == exact::Rational(9) / exact::Rational(10));
    CHECK(share("vllm@0.30")->share == exact::Rational(92) / exact::Rational(100));
    CHECK_FALSE(share("ideal").has_value());
    CHECK(share("trtllm")->of_free);
    CHECK(share("neuronx")->cap.has_value());
  }
}
