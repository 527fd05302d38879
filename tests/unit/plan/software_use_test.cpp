// What sources rule out, and what they are silent of.
#include "plan/software_use.hpp"

#include <doctest/doctest.h>

using namespace ullage;
using plan::SoftwareUse;

namespace {

std::vector<base::Note> judged(std::string_view device, const SoftwareUse& use) {
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const auto entry = catalogue.hardware(device);
  REQUIRE(entry.ok());
  return plan::ruled_out(catalogue, **entry, use);
}

}  // namespace

TEST_SUITE("plan/software_use") {
  TEST_CASE("a stack that ended with a version is refused after it and without one") {
    CHECK(judged("trn1.32xlarge", {.engine = "neuronx", .version = "2.28"}).empty());
    const auto newer = judged("trn1.32xlarge", {.engine = "neuronx", .version = "2.32"});
    REQUIRE(newer.size() == 1);
    CHECK(newer.front().code == "software-unsupported");
    CHECK(newer.front().text.find("after Neuron SDK 2.28") != std::string::npos);
    CHECK(newer.front().source == "neuron-whatsnew");
    CHECK(judged("inferentia2", {.engine = "neuronx"}).size() == 1);
    CHECK(judged("inf2.48xlarge", {.engine = "vllm"}).size() == 1);
  }

  TEST_CASE("a degree outside the list of its LNC is ruled out, silence is not") {
    CHECK(judged("trainium2", {.engine = "neuronx", .tensor_parallel = 64, .logical_core = 2})
              .empty());
    const auto odd =
        judged("trainium2", {.engine = "neuronx", .tensor_parallel = 6, .logical_core = 2});
    REQUIRE(odd.size() == 1);
    CHECK(odd.front().text.find("1, 2, 4, 8, 16, 32, 64") != std::string::npos);
    CHECK(judged("trainium2", {.engine = "neuronx", .tensor_parallel = 6, .logical_core = 1})
              .empty());
    CHECK(judged("trainium3", {.engine = "neuronx", .tensor_parallel = 6}).empty());
  }

  TEST_CASE("formats are held against the lists, a layout of a format counts as the format") {
    CHECK(judged("trainium2", {.engine = "neuronx", .weight_format = "fp8-block"}).empty());
    const auto awq = judged("trainium2:lnc2",
                            {.engine = "neuronx", .weight_format = "awq", .kv_format = "int8"});
    REQUIRE(awq.size() == 2);
    CHECK(awq.front().text.find("weights in awq is none of") != std::string::npos);
  }

  TEST_CASE("nothing is ruled out where no source speaks") {
    CHECK(judged("h100-sxm", {.engine = "vllm", .weight_format = "nvfp4"}).empty());
    CHECK(judged("trainium2", {.engine = "sglang"}).empty());
  }
}
