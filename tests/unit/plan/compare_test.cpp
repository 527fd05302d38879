// Side by side: ratios only of like figures, unknowns never filled in, divisions only where they
// make sense.
#include "plan/compare.hpp"

#include <doctest/doctest.h>

using namespace ullage;
using exact::Rational;

namespace {

struct Compared {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  plan::CompareRequest request;
  provenance::Answer answer;

  Compared& run(std::vector<std::string> devices) {
    request.devices = std::move(devices);
    auto result = plan::compare(request, catalogue);
    REQUIRE_MESSAGE(result.ok(), base::to_text(result.error()));
    answer = std::move(*result);
    return *this;
  }
  std::string refusal(std::vector<std::string> devices) {
    request.devices = std::move(devices);
    const auto result = plan::compare(request, catalogue);
    REQUIRE_FALSE(result.ok());
    return result.error().message;
  }
  const provenance::Node* find(std::size_t row, std::string_view name) const {
    for (const provenance::NamedFigure& result : answer.rows.at(row).results) {
      if (result.name == name) return &answer.graph[result.figure];
    }
    return nullptr;
  }
  const provenance::Node& node(std::size_t row, std::string_view name) const {
    const provenance::Node* found = find(row, name);
    REQUIRE_MESSAGE(found != nullptr, name);
    return *found;
  }
  const base::Note* note(std::size_t row, std::string_view code, std::string_view text = "") const {
    for (const base::Note& note : answer.rows.at(row).notes) {
      if (note.code == code && note.text.find(text) != std::string::npos) return &note;
    }
    return nullptr;
  }
};

Rational ratio(std::int64_t a, std::int64_t b) {
  return Rational::ratio(a, b).value();
}

}  // namespace

TEST_SUITE("plan/compare") {
  TEST_CASE("one row a device, ratios against the first from the second on") {
    Compared compared;
    compared.run({"h100-sxm", "trainium2"});
    REQUIRE(compared.answer.rows.size() == 2);
    CHECK(compared.answer.rows[0].device == "nvidia-h100-sxm5-80gb");
    CHECK(compared.node(1, "memory_capacity").value == Rational(103'079'215'104));
    CHECK(compared.node(1, "ratio_memory_capacity").value ==
          ratio(103'079'215'104, 80'000'000'000));
    CHECK(compared.find(0, "ratio_memory_capacity") == nullptr);
  }

  TEST_CASE("a ratio needs both sides, and unknown stays unknown with its status") {
    Compared compared;
    compared.run({"h100-sxm", "trainium2"});
    CHECK_FALSE(compared.node(1, "tdp").value.has_value());
    CHECK(compared.node(1, "tdp").absence == provenance::Absence::unpublished);
    CHECK(compared.find(1, "ratio_tdp") == nullptr);
  }

  TEST_CASE("dense stands beside dense: every ratio divides figures of one name") {
    Compared compared;
    compared.run({"h100-sxm", "trainium2", "trainium3", "google-tpu-v5e"});
    for (const provenance::Row& row : compared.answer.rows) {
      for (const provenance::NamedFigure& result : row.results) {
        if (!result.name.starts_with("ratio_")) continue;
        const provenance::Node& node = compared.answer.graph[result.figure];
        REQUIRE(node.inputs.size() == 2);
        const units::Unit& above = compared.answer.graph[node.inputs[0]].unit;
        const units::Unit& below = compared.answer.graph[node.inputs[1]].unit;
        CHECK(above.kind == below.kind);
        CHECK(above.dimension == below.dimension);
        CHECK(above.direction == below.direction);
        CHECK(compared.answer.graph[node.inputs[0]].name == result.name.substr(6));
        CHECK(compared.answer.graph[node.inputs[1]].name == result.name.substr(6));
      }
    }
  }

  TEST_CASE("a precision that one side lacks is unknown, never another precision's figure") {
    Compared compared;
    compared.request.precisions = {"mxfp8"};
    compared.run({"trainium3", "trainium2"});
    CHECK(compared.node(0, "dense_mxfp8").value.has_value());
    CHECK_FALSE(compared.node(1, "dense_mxfp8").value.has_value());
    CHECK(compared.node(1, "dense_mxfp8").absence == provenance::Absence::unsupported);
    CHECK(compared.find(1, "ratio_dense_mxfp8") == nullptr);
    CHECK(compared.find(1, "dense_fp8") == nullptr);
    CHECK(compared.find(0, "dense_bf16") == nullptr);
    CHECK(compared.find(0, "memory_capacity") != nullptr);
  }

  TEST_CASE("links of different directions have no ratio, and a note says so") {
    Compared compared;
    compared.run({"h100-sxm", "trainium2"});
    REQUIRE(compared.node(0, "scale_up_bandwidth").unit.direction !=
            compared.node(1, "scale_up_bandwidth").unit.direction);
    CHECK(compared.find(1, "ratio_scale_up_bandwidth") == nullptr);
    CHECK(compared.note(1, "direction", "scale_up_bandwidth") != nullptr);
  }

  TEST_CASE("--per chip divides what an instance sums, and leaves a chip as it is") {
    Compared compared;
    compared.request.per = plan::Per::chip;
    compared.run({"trainium2", "trn2.48xlarge"});
    CHECK(compared.node(1, "memory_capacity").value == Rational(103'079'215'104));
    CHECK(compared.node(1, "ratio_dense_bf16").value == Rational(1));
    CHECK(compared.note(1, "scope") == nullptr);
  }

  TEST_CASE("a chip beside an instance is said, where nothing is divided") {
    Compared compared;
    compared.run({"trainium2", "trn2.48xlarge"});
    CHECK(compared.node(1, "ratio_memory_capacity").value == Rational(16));
    CHECK(compared.note(1, "scope") != nullptr);
  }

  TEST_CASE("--per core divides by cores and is unknown where no core count is stated") {
    Compared compared;
    compared.request.per = plan::Per::core;
    compared.run({"trainium2", "trn2.48xlarge", "h100-sxm"});
    CHECK(compared.node(0, "dense_bf16").value == Rational(83'375'000'000'000));
    CHECK(compared.node(1, "dense_bf16").value == compared.node(0, "dense_bf16").value);
    CHECK(compared.node(0, "cores").value == Rational(8));
    if (!compared.node(2, "cores").value) {
      CHECK_FALSE(compared.node(2, "dense_bf16").value.has_value());
      CHECK(compared.node(2, "dense_bf16").unknown.find("cores") != std::string::npos);
    }
  }

  TEST_CASE("--per watt divides by the TDP and is unknown without one") {
    Compared compared;
    compared.request.per = plan::Per::watt;
    compared.run({"h100-sxm", "trainium2"});
    const provenance::Node& bf16 = compared.node(0, "dense_bf16");
    CHECK(units::symbol_of(bf16.unit.dimension) == "FLOP/(W·s)");
    CHECK_FALSE(compared.node(1, "dense_bf16").value.has_value());
    CHECK(compared.node(1, "dense_bf16").unknown.find("tdp") != std::string::npos);
    CHECK(compared.node(0, "tdp").value == Rational(700));
  }

  TEST_CASE("--per instance and system take what is one or names one") {
    Compared compared;
    compared.request.per = plan::Per::instance;
    compared.run({"trn2.48xlarge", "trn2-ultraserver", "trainium2"});
    CHECK(compared.node(1, "ratio_memory_capacity").value == Rational(1));
    CHECK_FALSE(compared.node(2, "memory_capacity").value.has_value());
    CHECK(compared.node(2, "memory_capacity").unknown.find("trainium2 is a chip") !=
          std::string::npos);
    compared.request.per = plan::Per::system;
    compared.run({"trn2-ultraserver", "trn2.48xlarge"});
    CHECK(compared.node(0, "memory_capacity").value == Rational(6144) * exact::power_of_two(30));
    CHECK_FALSE(compared.node(1, "memory_capacity").value.has_value());
  }

  TEST_CASE("a price and a measured rate give the cost of a million tokens") {
    Compared compared;
    compared.request.prices = {{ratio(36, 3600), "--price 36"}};
    compared.request.measured = {{Rational(1000), "--measured 1000"},
                                 {Rational(500), "--measured 500"}};
    compared.run({"trainium2", "h100-sxm"});
    CHECK(compared.node(0, "price").kind == provenance::FigureKind::given);
    CHECK(compared.node(0, "cost_per_million_tokens").value == Rational(10));
    CHECK(compared.node(1, "cost_per_million_tokens").value == Rational(20));
    CHECK(compared.node(1, "ratio_cost_per_million_tokens").value == Rational(2));
    CHECK(compared.refusal({"trainium1", "trainium2", "trainium3"}).find("--measured") !=
          std::string::npos);
  }

  TEST_CASE("a vendor's factor stands beside the computed one, with the difference named") {
    Compared compared;
    compared.run({"trainium1", "trainium2"});
    const provenance::Node& factor = compared.node(1, "factor_dense_fp8_over_trainium1");
    CHECK(factor.value == ratio(1299, 190));
    REQUIRE(factor.claims.size() == 1);
    CHECK(factor.claims.front().written == "6.7");
    const base::Note* note = compared.note(1, "generation-factor", "dense_fp8");
    REQUIRE(note != nullptr);
    CHECK(note->level == base::Severity::warning);
    CHECK(note->text.find("6.84") != std::string::npos);
    compared.run({"trainium2", "trainium1"});
    CHECK(compared.find(0, "factor_dense_fp8_over_trainium1") != nullptr);
    compared.run({"trainium2", "h100-sxm"});
    CHECK(compared.find(0, "factor_dense_fp8_over_trainium1") == nullptr);
    compared.request.precisions = {"bf16"};
    compared.run({"trainium1", "trainium2"});
    CHECK(compared.find(1, "factor_dense_fp8_over_trainium1") == nullptr);
    CHECK(compared.find(1, "factor_dense_bf16_over_trainium1") != nullptr);
  }

  TEST_CASE("a factor between two precisions says so") {
    Compared compared;
    compared.run({"trainium2", "trainium3"});
    const base::Note* note = compared.note(1, "generation-factor", "dense_mxfp8");
    REQUIRE(note != nullptr);
    CHECK(note->text.find("there dense_fp8") != std::string::npos);
  }

  TEST_CASE("--interval spans the claims, and the ratio with them") {
    Compared compared;
    compared.run({"trainium1", "trainium2"});
    CHECK_FALSE(compared.node(1, "memory_bandwidth").range.has_value());
    compared.request.interval = true;
    compared.run({"trainium1", "trainium2"});
    const provenance::Node& bandwidth = compared.node(1, "memory_bandwidth");
    REQUIRE(bandwidth.range.has_value());
    CHECK(bandwidth.range->high() == Rational(3) * exact::power_of_ten(12));
    const provenance::Node& ratio_node = compared.node(1, "ratio_memory_bandwidth");
    REQUIRE(ratio_node.range.has_value());
    CHECK(ratio_node.range->holds(*ratio_node.value));
  }

  TEST_CASE("two versions of one device are told apart") {
    Compared compared;
    compared.run({"trainium2@2024-12-03", "trainium2"});
    CHECK(compared.answer.rows[0].device == "trainium2@2024-12-03");
    CHECK(compared.answer.rows[1].device.starts_with("trainium2@"));
  }

  TEST_CASE("all devices beside one") {
    Compared compared;
    compared.run({"trainium2", "all"});
    CHECK(compared.answer.rows.size() > 100);
    CHECK(compared.answer.rows[0].device == "trainium2");
  }

  TEST_CASE("what cannot be compared is refused by name") {
    Compared compared;
    CHECK(compared.refusal({}).find("at least two") != std::string::npos);
    CHECK(compared.refusal({"trainium2"}).find("at least two") != std::string::npos);
    CHECK(compared.refusal({"trainium2", "trn2"}).find("named twice") != std::string::npos);
    CHECK(compared.refusal({"trainium2", "trainum3"}).find("trainum3") != std::string::npos);
    CHECK_FALSE(compared.refusal({"trainium2", "llama-3.1-70b"}).empty());
  }
}
