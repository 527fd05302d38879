// Bounds of each operation, where signs swap them, and where there are none.
#include "exact/interval.hpp"

#include <doctest/doctest.h>

namespace ullage::exact {
namespace {

Interval between(int low, int high) {
  return Interval::between(Rational(low), Rational(high));
}

TEST_SUITE("exact/interval") {
  TEST_CASE("a point is a number") {
    const Interval five(5);
    CHECK(five.is_point());
    CHECK(five.low() == Rational(5));
    CHECK(five.high() == Rational(5));
    CHECK(Interval().is_point());
    CHECK_FALSE(between(1, 2).is_point());
  }

  TEST_CASE("the ends stand in their order") {
    CHECK_THROWS_AS(between(2, 1), base::Defect);
    CHECK(Interval::around(between(3, 4), between(-1, 0)) == between(-1, 4));
    CHECK(between(1, 3).holds(Rational(1)));
    CHECK(between(1, 3).holds(Rational(3)));
    CHECK_FALSE(between(1, 3).holds(Rational(4)));
  }

  TEST_CASE("sums and differences") {
    CHECK(between(1, 2) + between(10, 20) == between(11, 22));
    CHECK(between(1, 2) - between(10, 20) == between(-19, -8));
    CHECK(-between(1, 2) == between(-2, -1));
  }

  TEST_CASE("a negative factor swaps the ends") {
    CHECK(between(2, 3) * between(4, 5) == between(8, 15));
    CHECK(between(-2, 3) * between(4, 5) == between(-10, 15));
    CHECK(between(-2, 3) * between(-5, 4) == between(-15, 12));
    CHECK(between(-3, -2) * between(-5, -4) == between(8, 15));
    CHECK(between(2, 3) * between(-5, -4) == between(-15, -8));
  }

  TEST_CASE("a quotient takes the far ends of its divisor") {
    const Interval quotient = between(6, 12) / between(2, 3);
    CHECK(quotient == between(2, 6));
    CHECK(between(6, 12) / between(-3, -2) == between(-6, -2));
    CHECK((Interval(1) / between(2, 4)).low() == Rational::ratio(1, 4).value());
  }

  TEST_CASE("a divisor that may be zero leaves no bounds, and nor does what follows") {
    for (const Interval& divisor : {between(0, 2), between(-1, 1), between(-2, 0), Interval(0)}) {
      const Interval quotient = between(1, 2) / divisor;
      CHECK_FALSE(quotient.is_bounded());
      CHECK(quotient.holds(Rational(1'000'000)));
      CHECK_FALSE((quotient + Interval(1)).is_bounded());
      CHECK_FALSE((quotient * Interval(0)).is_bounded());
      CHECK_FALSE((Interval(1) / quotient).is_bounded());
      CHECK_FALSE((-quotient).is_bounded());
      CHECK_FALSE(max(Interval(1), quotient.ceil()).is_bounded());
      CHECK_FALSE(min(quotient.floor(), Interval(1)).is_bounded());
      CHECK_FALSE(Interval::around(quotient, Interval(1)).is_bounded());
      CHECK_THROWS_AS(quotient.low(), base::Defect);
      CHECK_THROWS_AS(quotient.high(), base::Defect);
    }
  }

  TEST_CASE("rounding and choosing work end by end") {
    const Interval half =
        Interval::between(Rational::ratio(-1, 2).value(), Rational::ratio(5, 2).value());
    CHECK(half.floor() == between(-1, 2));
    CHECK(half.ceil() == between(0, 3));
    CHECK(max(Interval(1), between(0, 3)) == between(1, 3));
    CHECK(min(Interval(1), between(0, 3)) == between(0, 1));
  }
}

}  // namespace
}  // namespace ullage::exact
