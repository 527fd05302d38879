// Which claims a range spans, and what becomes of it in derived figures.
#include <doctest/doctest.h>

#include "provenance/graph.hpp"

using namespace ullage;
using exact::Interval;
using exact::Rational;
using provenance::Claim;
using provenance::FigureId;
using provenance::Graph;
using provenance::Relation;

namespace {

constexpr units::Unit kBytes{.dimension = units::kBytes};

Claim claim(int value, Relation relation, units::Unit unit = kBytes) {
  Claim result;
  result.quantity = {Rational(value), unit};
  result.last_place = Rational(1);
  result.source = "page";
  result.locator = "L1";
  result.relation = relation;
  return result;
}

struct Inverse {
  using Inputs = std::tuple<units::Bytes>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "inverse";
  static constexpr std::string_view kFormula = "1 ÷ bytes";
  static constexpr std::array<std::string_view, 1> kTerms{"bytes"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& bytes) {
    return N(1) / bytes;
  }
};

FigureId disputed(Graph& graph) {
  return graph.published("x", {claim(10, Relation::pinned), claim(14, Relation::other_page)});
}

}  // namespace

TEST_SUITE("provenance/range") {
  TEST_CASE("claims that speak of the same thing today span the range") {
    const std::vector<Claim> claims{claim(10, Relation::pinned), claim(14, Relation::other_page),
                                    claim(8, Relation::secondary_source),
                                    claim(20, Relation::recomputed)};
    CHECK(provenance::range_of(claims) == Interval::between(8, 20));
  }

  TEST_CASE("an older version, another scope and another unit do not") {
    const std::vector<Claim> claims{claim(10, Relation::pinned), claim(14, Relation::older_version),
                                    claim(8, Relation::different_scope),
                                    claim(99, Relation::other_page, {.dimension = units::kWatts})};
    CHECK(provenance::range_of(claims) == Interval(10));
  }

  TEST_CASE("a recomputed claim that rounds to the printed one does not widen it") {
    Claim near = claim(10, Relation::recomputed);
    near.quantity.value = Rational::parse("10.4").value();
    CHECK(provenance::range_of({claim(10, Relation::pinned), near}) == Interval(10));
  }

  TEST_CASE("without carry_ranges there are none") {
    Graph graph;
    CHECK_FALSE(graph.has_range(disputed(graph)));
  }

  TEST_CASE("the value stays that of the pinned claim, and sums add the ranges") {
    Graph graph;
    graph.carry_ranges();
    const auto x = graph.narrow<units::Bytes>(disputed(graph)).value();
    const auto y = graph.given<units::Bytes>("y", 5, {"--y 5B", ""});
    const auto total = graph.sum<units::Bytes>("total", {x, y, x});
    CHECK(graph.value(total) == Rational(25));
    CHECK(graph.interval(total.id()) == Interval::between(25, 33));
    graph.forget_ranges();
    CHECK_FALSE(graph.has_range(total.id()));
    CHECK_FALSE(graph.has_range(disputed(graph)));
  }

  TEST_CASE("a divisor that may be zero is said instead of a range") {
    Graph graph;
    graph.carry_ranges();
    const FigureId x =
        graph.published("x", {claim(10, Relation::pinned), claim(0, Relation::other_page)});
    const FigureId id = graph.derive<Inverse>(graph.narrow<units::Bytes>(x).value()).id();
    CHECK_FALSE(graph.has_range(id));
    CHECK(graph[id].note.find("no bounds") != std::string::npos);
  }

  TEST_CASE("unknown figures have no range, and a range holds its value") {
    Graph graph;
    graph.carry_ranges();
    const FigureId unknown =
        graph.unknown("u", kBytes, provenance::Absence::unpublished, "nobody prints it");
    const auto total =
        graph.sum<units::Bytes>("total", {graph.narrow<units::Bytes>(disputed(graph)).value(),
                                          graph.narrow<units::Bytes>(unknown).value()});
    CHECK_FALSE(graph.has_range(total.id()));
    CHECK_THROWS_AS(graph.interval(unknown), base::Defect);
    CHECK_THROWS_AS(graph.set_range(unknown, Interval(1)), base::Defect);
    CHECK_THROWS_AS(graph.set_range(disputed(graph), Interval(1)), base::Defect);
  }
}
