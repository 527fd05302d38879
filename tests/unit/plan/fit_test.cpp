// The main question on worked examples, and what must hold for any.
#include "plan/fit.hpp"

#include <doctest/doctest.h>

using namespace ullage;

namespace {

struct Fitted {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;
  provenance::Answer answer;

  void fit(const plan::FitRequest& request) {
    auto result = plan::fit(request, catalogue, files);
    REQUIRE_MESSAGE(result.ok(), base::to_text(result.error()));
    answer = std::move(*result);
  }
  exact::Rational value(std::string_view name, std::size_t row = 0) const {
    for (const provenance::NamedFigure& result : answer.rows.at(row).results) {
      if (result.name == name) return answer.graph.value(result.figure);
    }
    FAIL("no result ", name);
    return {};
  }
  bool noted(std::string_view code, std::size_t row = 0) const {
    for (const base::Note& note : answer.rows.at(row).notes) {
      if (note.code == code) return true;
    }
    return false;
  }
};

// 320B at 8 bits with 32 GB of working memory and a reserve of 15 %.
plan::FitRequest worked_example() {
  plan::FitRequest request;
  request.model = "320B:18B";
  request.on = "trainium2";
  request.weights.bits = exact::Rational(8);
  request.working_memory = {exact::Rational(32'000'000'000), "--working-memory 32GB"};
  request.reserve = {*exact::Rational::ratio(15, 100), "--reserve 15%"};
  return request;
}

}  // namespace

TEST_SUITE("plan/fit") {
  TEST_CASE("the worked example: 320 GB, 87.617 GB a device, five devices") {
    Fitted fitted;
    fitted.fit(worked_example());
    CHECK(fitted.value("weights_floor") == exact::Rational(320'000'000'000));
    CHECK(fitted.value("device_capacity") == exact::Rational(103'079'215'104));
    CHECK(fitted.value("device_budget") == *exact::Rational::ratio(438'086'664'192, 5));
    CHECK(fitted.value("required_memory") == exact::Rational(352'000'000'000));
    CHECK(fitted.value("devices_min") == exact::Rational(5));
    CHECK(fitted.answer.rows.front().verdict == "lower-bound");
    CHECK(fitted.noted("arithmetic-lower-bound"));
    CHECK(fitted.noted("conflict"));
    CHECK(fitted.noted("nearest-by-memory"));
    CHECK(fitted.noted("to-be-measured"));
  }

  TEST_CASE("the lower bound suffices and one device fewer does not") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.devices = {exact::Rational(5), "--devices 5"};
    fitted.fit(request);
    CHECK(fitted.answer.rows.front().verdict == "fits");
    CHECK(fitted.value("headroom_per_device").sign() >= 0);
    request.devices = {exact::Rational(4), "--devices 4"};
    fitted.fit(request);
    CHECK(fitted.answer.rows.front().verdict == "does-not-fit");
    CHECK(fitted.value("headroom_per_device").sign() < 0);
  }

  TEST_CASE("on an instance the bound counts instances and chips") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.on = "trn2.48xlarge";
    request.model = "5000B";
    fitted.fit(request);
    CHECK(fitted.value("chips_min") == exact::Rational(58));
    CHECK(fitted.value("devices_min") == exact::Rational(4));
    CHECK(fitted.value("device_capacity") == exact::Rational(103'079'215'104));
    CHECK(fitted.noted("per-chip"));
  }

  TEST_CASE("several devices: one row each, in the order asked") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.on = "h100-sxm, trainium2";
    fitted.fit(request);
    REQUIRE(fitted.answer.rows.size() == 2);
    CHECK(fitted.answer.rows[0].device == "nvidia-h100-sxm5-80gb");
    CHECK(fitted.answer.rows[1].device == "trainium2");
    CHECK_FALSE(fitted.noted("nearest-by-memory"));
  }

  TEST_CASE("visible capacity is asked for, never mixed in") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.on = "h100-sxm";
    fitted.fit(request);
    CHECK(fitted.value("device_capacity") == exact::Rational(80'000'000'000));
    CHECK(fitted.noted("nominal-capacity"));
    request.capacity.basis = plan::CapacityBasis::visible;
    fitted.fit(request);
    CHECK(fitted.value("device_capacity") == exact::Rational(std::int64_t{81559} * 1024 * 1024));
    CHECK(fitted.noted("visible-capacity"));
  }

  TEST_CASE("a chip whose capacity nobody publishes is unknown, not zero") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.on = "trainium4";
    fitted.fit(request);
    CHECK(fitted.answer.rows.front().verdict == "unknown");
    CHECK(fitted.noted("status"));
  }

  TEST_CASE("a literal without a width is a wrong question that names both flags") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    base::MemoryFileSystem files;
    plan::FitRequest request;
    request.model = "70B";
    request.on = "trainium2";
    const auto result = plan::fit(request, catalogue, files);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().hint.find("--weights") != std::string::npos);
    CHECK(result.error().hint.find("--bits") != std::string::npos);
  }

  TEST_CASE("defaults are assumed figures, flags are given ones") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.working_memory.reset();
    request.reserve.reset();
    fitted.fit(request);
    for (const provenance::NamedFigure& result : fitted.answer.rows.front().results) {
      if (result.name != "working_memory" && result.name != "reserve") continue;
      CHECK(fitted.answer.graph[result.figure].kind == provenance::FigureKind::assumed);
    }
    CHECK(fitted.value("working_memory") == exact::Rational(32'000'000'000));
  }

  TEST_CASE("a card's rule is shown on the devices that it speaks of") {
    Fitted fitted;
    plan::FitRequest request;
    request.model = "glm-5.3-flash";
    request.on = "h100-sxm";
    fitted.fit(request);
    CHECK(fitted.noted("statement"));
    CHECK(fitted.value("weights_payload") == exact::Rational(328'326'771'576));
  }

  TEST_CASE("a price gives the cost of the bound, exactly") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.price = {exact::Rational(3) / exact::Rational(3600), "--price 3"};
    fitted.fit(request);
    CHECK(fitted.value("cost_min") * exact::Rational(3600) == exact::Rational(15));
  }

  TEST_CASE("a price and a measured rate give the cost of a million tokens") {
    Fitted fitted;
    plan::FitRequest request = worked_example();
    request.price = {*exact::Rational::ratio(36, 3600), "--price 36"};
    request.measured = {exact::Rational(1000), "--measured 1000"};
    fitted.fit(request);
    CHECK(fitted.value("cost_per_million_tokens") == exact::Rational(50));
    request.devices = {exact::Rational(8), "--devices 8"};
    fitted.fit(request);
    CHECK(fitted.value("cost_per_million_tokens") == exact::Rational(80));
  }
}
