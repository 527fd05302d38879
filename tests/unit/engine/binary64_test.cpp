// Binary rounding as engines do it.
#include "engine/binary64.hpp"

#include <doctest/doctest.h>

using namespace ullage;
using exact::Rational;

TEST_SUITE("engine/binary64") {
  TEST_CASE("what binary64 holds is kept") {
    for (const std::int64_t value : {0, 1, 3, 1 << 20}) {
      CHECK(engine::to_binary64(Rational(value)) == Rational(value));
    }
    CHECK(engine::to_binary64(Rational(1) / Rational(8)) == Rational(1) / Rational(8));
  }

  TEST_CASE("a third is the binary64 number below it, a tenth the one above") {
    // 1/3 = 0x1.5555555555555p-2, 1/10 = 0x1.999999999999ap-4.
    CHECK(engine::to_binary64(Rational(1) / Rational(3)) ==
          Rational(6004799503160661) * exact::power_of_two(-54));
    CHECK(engine::to_binary64(Rational(1) / Rational(10)) ==
          Rational(3602879701896397) * exact::power_of_two(-55));
  }

  TEST_CASE("halves go to the even neighbour") {
    const Rational top = exact::power_of_two(53);
    CHECK(engine::to_binary64(top + Rational(1)) == top);
    CHECK(engine::to_binary64(top + Rational(3)) == top + Rational(4));
  }
}
