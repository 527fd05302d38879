// The 128-bit helpers at their limits.
#include "exact/int128.hpp"

#include <doctest/doctest.h>

namespace ullage::exact {
namespace {

constexpr Unsigned128 kTop = Unsigned128{1} << 127;

TEST_CASE("greatest common divisor") {
  const auto divisor = [](Unsigned128 a, Unsigned128 b) {
    const Unsigned128 found = greatest_common_divisor(a, b);
    CHECK(greatest_common_divisor(b, a) == found);
    return found;
  };
  CHECK(divisor(0, 0) == 0);
  CHECK(divisor(0, 5) == 5);
  CHECK(divisor(1, kTop) == 1);
  CHECK(divisor(12, 18) == 6);
  CHECK(divisor(kTop, kTop) == kTop);
  CHECK(divisor(kTop, 3) == 1);
  CHECK(divisor(kTop, kTop - 1) == 1);
  CHECK(divisor(kTop, 96) == 32);
  const Unsigned128 prime = (Unsigned128{1} << 61) - 1;
  CHECK(divisor(prime * 6, prime * 10) == prime * 2);
  CHECK(divisor(prime * prime, prime * 7) == prime);
  CHECK(divisor((Unsigned128{1} << 100) * 9, (Unsigned128{1} << 90) * 15) ==
        (Unsigned128{1} << 90) * 3);
}

TEST_CASE("magnitude and back") {
  Int128 least = 0;
  REQUIRE(from_magnitude(kTop, true, least));
  CHECK(magnitude(least) == kTop);
  CHECK(to_text(least) == "-170141183460469231731687303715884105728");
  Int128 unused = 7;
  CHECK_FALSE(from_magnitude(kTop, false, unused));
  CHECK_FALSE(from_magnitude(kTop + 1, true, unused));
  CHECK(unused == 7);
  Int128 most = 0;
  REQUIRE(from_magnitude(kTop - 1, false, most));
  CHECK(to_text(most) == "170141183460469231731687303715884105727");
}

TEST_CASE("decimal text keeps the zeros inside") {
  CHECK(to_text(0) == "0");
  CHECK(to_text(-1) == "-1");
  const Int128 chunk = static_cast<Int128>(10'000'000'000'000'000'000U);
  CHECK(to_text(chunk) == "10000000000000000000");
  CHECK(to_text(chunk * chunk) == "100000000000000000000000000000000000000");
  CHECK(to_text(-(chunk * 3 + 5)) == "-30000000000000000005");
  CHECK(to_text(chunk * 17 + 1) == "170000000000000000001");
}

}  // namespace
}  // namespace ullage::exact
