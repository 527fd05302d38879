// Intervals against exact numbers: a formula over points is the formula over numbers, and over
// intervals it holds the result of every choice. What claims allow goes through a graph likewise.
#include <doctest/doctest.h>

#include <vector>

#include "exact/interval.hpp"
#include "generate.hpp"
#include "memory/formulas.hpp"
#include "provenance/graph.hpp"

namespace ullage {
namespace {

using exact::Interval;
using exact::Rational;

Rational number(property::Generator& generator, bool above_zero) {
  const auto part = [&generator] { return static_cast<std::int64_t>(generator.below(1u << 20)); };
  const Rational magnitude = (Rational(part()) + Rational(1)) / (Rational(part()) + Rational(1));
  return above_zero || generator.one_in(2) ? magnitude : -magnitude;
}

// Three numbers, and the interval around them.
struct Choice {
  std::vector<Rational> numbers;
  Interval interval;
};

Choice choice(property::Generator& generator, bool above_zero) {
  Choice result;
  result.numbers.push_back(number(generator, above_zero));
  result.interval = result.numbers.front();
  for (int i = 0; i < 2; ++i) {
    result.numbers.push_back(number(generator, above_zero));
    result.interval = Interval::around(result.interval, result.numbers.back());
  }
  return result;
}

TEST_CASE("an operation on intervals holds that on every pair of their numbers") {
  property::Generator generator(20261201);
  for (int round = 0; round < 500; ++round) {
    const Choice a = choice(generator, false);
    const Choice b = choice(generator, false);
    for (const Rational& x : a.numbers) {
      for (const Rational& y : b.numbers) {
        CAPTURE(x.to_string());
        CAPTURE(y.to_string());
        REQUIRE((a.interval + b.interval).holds(x + y));
        REQUIRE((a.interval - b.interval).holds(x - y));
        REQUIRE((a.interval * b.interval).holds(x * y));
        REQUIRE((a.interval / b.interval).holds(x / y));
        REQUIRE(a.interval.floor().holds(x.floor()));
        REQUIRE(a.interval.ceil().holds(x.ceil()));
        REQUIRE(max(a.interval, b.interval).holds(max(x, y)));
        REQUIRE(min(a.interval, b.interval).holds(min(x, y)));
        REQUIRE(Interval(x) * Interval(y) == Interval(x * y));
        REQUIRE(Interval(x) / Interval(y) == Interval(x / y));
        REQUIRE(Interval(x) - Interval(y) == Interval(x - y));
      }
    }
  }
}

// How far a result range may reach: its ends are results of some choice.
TEST_CASE("a formula in which each quantity stands once reaches no further than its claims") {
  property::Generator generator(20261202);
  for (int round = 0; round < 300; ++round) {
    const Choice budget = choice(generator, true);
    const Choice required = choice(generator, true);
    const Choice devices = choice(generator, true);
    const Interval headroom =
        memory::HeadroomPerDevice::evaluate(budget.interval, required.interval, devices.interval);
    bool low_met = false;
    bool high_met = false;
    for (const Rational& x : budget.numbers) {
      for (const Rational& y : required.numbers) {
        for (const Rational& z : devices.numbers) {
          const Rational value = memory::HeadroomPerDevice::evaluate(x, y, z);
          REQUIRE(headroom.holds(value));
          low_met = low_met || value == headroom.low();
          high_met = high_met || value == headroom.high();
        }
      }
    }
    REQUIRE(low_met);
    REQUIRE(high_met);
  }
}

provenance::Claim claim(const Rational& bytes, provenance::Relation relation) {
  provenance::Claim result;
  result.quantity = {bytes, units::Capacity::kUnit};
  result.source = "page";
  result.locator = "L1";
  result.relation = relation;
  return result;
}

// devices_min by the same formulas as `fit`, over a capacity with those claims.
provenance::FigureId bound_of(provenance::Graph& graph, const std::vector<Rational>& capacities,
                              const Rational& required) {
  std::vector<provenance::Claim> claims;
  for (const Rational& capacity : capacities) {
    claims.push_back(claim(capacity, claims.empty() ? provenance::Relation::pinned
                                                    : provenance::Relation::other_page));
  }
  const auto capacity = graph.narrow<units::Capacity>(graph.published("capacity", claims)).value();
  const auto reserve =
      graph.assumed<units::Share>("reserve", Rational::ratio(15, 100).value(), "a default");
  const auto budget = graph.derive<memory::DeviceBudget>(capacity, reserve);
  const auto need = graph.given<units::Bytes>("required", required, {"--working-memory", ""});
  const auto working = graph.given<units::Bytes>("nothing", 0, {"--working-memory", ""});
  const auto total = graph.sum<units::Bytes>("total", {need, working});
  return graph.derive<memory::DevicesLowerBound>(total, budget).id();
}

TEST_CASE("ranges of a graph: one claim gives none, several hold the answer of each") {
  property::Generator generator(20261203);
  for (int round = 0; round < 200; ++round) {
    const Choice capacities = choice(generator, true);
    const Rational required = number(generator, true) * Rational(7);
    provenance::Graph ranged;
    ranged.carry_ranges();
    const provenance::FigureId bound = bound_of(ranged, capacities.numbers, required);
    for (const Rational& capacity : capacities.numbers) {
      provenance::Graph single;
      single.carry_ranges();
      const provenance::FigureId one = bound_of(single, {capacity}, required);
      REQUIRE_FALSE(single.has_range(one));
      REQUIRE(ranged.interval(bound).holds(single.value(one)));
      if (capacity == capacities.numbers.front()) {
        REQUIRE(ranged.value(bound) == single.value(one));
      }
    }
  }
}

}  // namespace
}  // namespace ullage
