// Figures keep their origin, unknown stays unknown, kinds do not mix.
#include "provenance/graph.hpp"

#include <doctest/doctest.h>

using namespace ullage;
using provenance::Graph;

namespace {

provenance::Claim claim(exact::Rational value, units::Unit unit) {
  provenance::Claim result;
  result.quantity = {std::move(value), unit};
  result.printed = "as printed";
  result.source = "page";
  result.locator = "L1";
  return result;
}

constexpr units::Unit kDense{.dimension = units::kFlopRate, .kind = units::Kind::dense};
constexpr units::Unit kSparse{.dimension = units::kFlopRate, .kind = units::Kind::sparse};

// A formula of one input, to see what derive does with it.
struct Doubled {
  using Inputs = std::tuple<units::Bytes>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "doubled";
  static constexpr std::string_view kFormula = "2 × bytes";
  static constexpr std::array<std::string_view, 1> kTerms{"bytes"};
  static constexpr std::string_view kCitation = "a paper";
  template <class N>
  static N evaluate(const N& bytes) {
    return N(2) * bytes;
  }
};

}  // namespace

TEST_SUITE("provenance/graph") {
  TEST_CASE("a published figure needs a claim, a source and a locator") {
    Graph graph;
    CHECK_THROWS_AS(graph.published("x", {}), base::Defect);
    provenance::Claim nameless = claim(1, kDense);
    nameless.source.clear();
    CHECK_THROWS_AS(graph.published("x", {nameless}), base::Defect);
    provenance::Claim placeless = claim(1, kDense);
    placeless.locator.clear();
    CHECK_THROWS_AS(graph.published("x", {placeless}), base::Defect);
    CHECK(graph.value(graph.published("x", {claim(667, kDense)})) == exact::Rational(667));
  }

  TEST_CASE("given, assumed and unknown figures need their reasons") {
    Graph graph;
    CHECK_THROWS_AS(graph.given("x", {1, {}}, {"", ""}), base::Defect);
    CHECK_THROWS_AS(graph.assumed("x", {1, {}}, ""), base::Defect);
    CHECK_THROWS_AS(graph.unknown("x", {}, provenance::Absence::unpublished, ""), base::Defect);
    CHECK_THROWS_AS(graph.unknown("x", {}, provenance::Absence::none, "why"), base::Defect);
    CHECK_THROWS_AS(graph.derived("x", {}, "", "", {}, 1), base::Defect);
  }

  TEST_CASE("a formula records its inputs, its words and its citation") {
    Graph graph;
    const auto bytes = graph.given<units::Bytes>("bytes", 21, {"--bytes 21B", ""});
    const auto doubled = graph.derive<Doubled>(bytes);
    CHECK(graph.value(doubled) == exact::Rational(42));
    const provenance::Node& node = graph[doubled.id()];
    CHECK(node.formula == "2 × bytes");
    CHECK(node.citation == "a paper");
    REQUIRE(node.inputs.size() == 1);
    CHECK(node.inputs.front() == bytes.id());
  }

  TEST_CASE("what rests on an unknown figure is unknown, with the first reason") {
    Graph graph;
    const auto unknown = graph.unknown("capacity", units::Bytes::kUnit,
                                       provenance::Absence::unsupported, "has none");
    const auto typed = graph.narrow<units::Bytes>(unknown);
    REQUIRE(typed.ok());
    const auto doubled = graph.derive<Doubled>(*typed);
    const provenance::Node& node = graph[doubled.id()];
    CHECK_FALSE(node.value.has_value());
    CHECK(node.absence == provenance::Absence::unsupported);
    CHECK(node.unknown == "capacity: has none");
    CHECK_THROWS_AS(graph.value(doubled), base::Defect);
    const auto four = graph.derive<Doubled>(doubled);
    CHECK_FALSE(graph.known(four.id()));
  }

  TEST_CASE("a sum adds its parts and none is zero") {
    Graph graph;
    const auto a = graph.given<units::Bytes>("a", 1, {"flag", ""});
    const auto b = graph.given<units::Bytes>("b", 2, {"flag", ""});
    CHECK(graph.value(graph.sum("a and b", std::vector{a, b})) == exact::Rational(3));
    CHECK(graph.value(graph.sum("nothing", std::vector<provenance::Figure<units::Bytes>>())) ==
          exact::Rational(0));
  }

  TEST_CASE("a sparse rate is refused as a dense one, naming both") {
    Graph graph;
    const auto sparse = graph.published("sparse_bf16", {claim(1979, kSparse)});
    const auto refused = graph.narrow<units::DenseRate>(sparse);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == base::Code::kind_mismatch);
    CHECK(refused.error().message.find("sparse") != std::string::npos);
    CHECK(refused.error().message.find("dense") != std::string::npos);
    CHECK(graph.narrow<units::SparseRate>(sparse).ok());
  }

  TEST_CASE("nominal and visible capacities are capacities, plain bytes of weights are not rates") {
    Graph graph;
    const auto nominal = graph.published(
        "memory", {claim(1, {.dimension = units::kBytes, .kind = units::Kind::nominal})});
    CHECK(graph.narrow<units::Capacity>(nominal).ok());
    CHECK_FALSE(graph.narrow<units::Bytes>(nominal).ok());
    CHECK_FALSE(graph.narrow<units::MemoryBandwidth>(nominal).ok());
  }
}
