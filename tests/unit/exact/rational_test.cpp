// Arithmetic and order, on both sides of the 128-bit limit.
#include "exact/rational.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace ullage::exact {
namespace {

Rational number(std::string_view text) {
  return Rational::parse_fraction(text).value();
}

const Rational kMost = number("170141183460469231731687303715884105727");    // 2^127 - 1
const Rational kLeast = number("-170141183460469231731687303715884105728");  // -2^127

static_assert(!std::is_constructible_v<Rational, double>);
static_assert(!std::is_constructible_v<Rational, float>);
static_assert(!std::is_constructible_v<Rational, bool>);
static_assert(!std::is_convertible_v<Rational, double>);

TEST_CASE("sums, differences, products and quotients are in lowest terms") {
  struct Row {
    const char* a;
    const char* b;
    const char* sum;
    const char* difference;
    const char* product;
    const char* quotient;
  };
  const Row rows[] = {
      {"2", "3", "5", "-1", "6", "2/3"},
      {"1/2", "1/3", "5/6", "1/6", "1/6", "3/2"},
      {"1/6", "1/10", "4/15", "1/15", "1/60", "5/3"},
      {"-1/2", "1/2", "0", "-1", "-1/4", "-1"},
      {"0", "-7/3", "-7/3", "7/3", "0", "0"},
      {"5", "1/4", "21/4", "19/4", "5/4", "20"},
      {"-9/4", "-3/2", "-15/4", "-3/4", "27/8", "3/2"},
      {"1/18446744073709551616", "1/18446744073709551616", "1/9223372036854775808", "0",
       "1/340282366920938463463374607431768211456", "1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.a);
    CAPTURE(row.b);
    const Rational a = number(row.a);
    const Rational b = number(row.b);
    CHECK((a + b).to_string() == row.sum);
    CHECK((a - b).to_string() == row.difference);
    CHECK((a * b).to_string() == row.product);
    CHECK((a / b).to_string() == row.quotient);
    CHECK(a + b == number(row.sum));
    CHECK(a * b == number(row.product));
  }
}

TEST_CASE("compound assignment") {
  Rational total = 1;
  total += number("1/2");
  total *= Rational(4);
  CHECK(total == Rational(6));
  total += total;
  CHECK(total == Rational(12));
}

TEST_CASE("values spill at the limits of 128 bits and come back") {
  CHECK((kMost + 1).to_string() == "170141183460469231731687303715884105728");
  CHECK((kMost + 1) - 1 == kMost);
  CHECK((kLeast - 1).to_string() == "-170141183460469231731687303715884105729");
  CHECK((kLeast - 1) + 1 == kLeast);
  CHECK((-kLeast).to_string() == "170141183460469231731687303715884105728");
  CHECK(-(-kLeast) == kLeast);
  // Computed inside 128 bits, and come back from a spill: one value, one representation.
  CHECK(-power_of_two(126) * Rational(2) == (kLeast - 1) + 1);
  CHECK(kLeast * Rational(-1) == kMost + 1);
  CHECK(kLeast / Rational(-1) == kMost + 1);
  CHECK(kLeast / kLeast == Rational(1));
  CHECK(kLeast - kLeast == Rational(0));
  CHECK((kMost * kMost) / kMost == kMost);
  CHECK(Rational(1) / kLeast == number("-1/170141183460469231731687303715884105728"));
  CHECK(Rational(1) / (Rational(1) / kLeast) == kLeast);
  CHECK(kLeast / Rational(2) == -power_of_two(126));
  CHECK(power_of_two(200) / power_of_two(199) == Rational(2));
  CHECK((power_of_two(200) + 1) - power_of_two(200) == Rational(1));
  CHECK((power_of_two(200) - power_of_two(200)).is_zero());
}

TEST_CASE("an intermediate overflow does not spoil a result that fits") {
  // The denominators' product is beyond 128 bits, the reduced sum is not.
  const Rational a = Rational(1) / number("170141183460469231731687303715884105726");
  CHECK((a + a).to_string() == "1/85070591730234615865843651857942052863");
  const Rational big = power_of_two(100) / Rational(3);
  CHECK(big * (Rational(3) / power_of_two(99)) == Rational(2));
}

TEST_CASE("a moved-from or copied spilled value stays whole") {
  Rational big = power_of_two(300);
  const Rational copy = big;
  const Rational moved = std::move(big);
  CHECK(copy == moved);
  big = copy;
  CHECK(big == power_of_two(300));
}

TEST_CASE("order") {
  const Rational ascending[] = {-power_of_two(300),
                                kLeast - 1,
                                kLeast,
                                number("-5/2"),
                                number("-1/3"),
                                -power_of_two(-300),
                                Rational(0),
                                power_of_two(-300),
                                number("1/3"),
                                number("170141183460469231731687303715884105726/"
                                       "170141183460469231731687303715884105727"),
                                Rational(1),
                                number("170141183460469231731687303715884105727/"
                                       "170141183460469231731687303715884105726"),
                                number("5/2"),
                                kMost,
                                kMost + 1,
                                power_of_two(300)};
  const int count = static_cast<int>(std::size(ascending));
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const Rational& a = ascending[i];
      const Rational& b = ascending[j];
      CHECK((a < b) == (i < j));
      CHECK((a == b) == (i == j));
      CHECK((a > b) == (i > j));
      CHECK(min(a, b) == ascending[std::min(i, j)]);
      CHECK(max(a, b) == ascending[std::max(i, j)]);
    }
  }
  CHECK(Rational(3) == 3);
  CHECK(number("1/2") < 1);
}

TEST_CASE("floor and ceil go towards their infinity") {
  struct Row {
    const char* value;
    const char* floor;
    const char* ceil;
  };
  const Row rows[] = {
      {"0", "0", "0"},
      {"7", "7", "7"},
      {"-7", "-7", "-7"},
      {"1/2", "0", "1"},
      {"-1/2", "-1", "0"},
      {"7/3", "2", "3"},
      {"-7/3", "-3", "-2"},
      {"-170141183460469231731687303715884105728/3", "-56713727820156410577229101238628035243",
       "-56713727820156410577229101238628035242"},
      {"1000000000000000000000000000000000000000001/10",
       "100000000000000000000000000000000000000000", "100000000000000000000000000000000000000001"},
      {"-1000000000000000000000000000000000000000001/10",
       "-100000000000000000000000000000000000000001",
       "-100000000000000000000000000000000000000000"},
      {"1/1000000000000000000000000000000000000000001", "0", "1"},
      {"-1/1000000000000000000000000000000000000000001", "-1", "0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(number(row.value).floor().to_string() == row.floor);
    CHECK(number(row.value).ceil().to_string() == row.ceil);
  }
}

TEST_CASE("sign, zero, wholeness, parts") {
  CHECK(Rational().is_zero());
  CHECK(Rational().sign() == 0);
  CHECK(number("-1/3").sign() == -1);
  CHECK(power_of_two(300).sign() == 1);
  CHECK((-power_of_two(300)).sign() == -1);
  CHECK(power_of_two(300).is_whole());
  CHECK_FALSE(power_of_two(-300).is_whole());
  CHECK_FALSE(power_of_two(-300).is_zero());
  CHECK_FALSE(number("3/2").is_whole());
}

TEST_CASE("numerator and denominator") {
  CHECK(number("-6/4").numerator() == -3);
  CHECK(number("-6/4").denominator() == 2);
  CHECK((power_of_two(300) / 3).numerator() == power_of_two(300));
  CHECK((power_of_two(300) / 3).denominator() == 3);
  CHECK(power_of_two(-300).numerator() == 1);
}

TEST_CASE("64-bit integers come out only where they are exact") {
  CHECK(Rational(std::numeric_limits<std::int64_t>::max()).to_int64() ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(Rational(std::numeric_limits<std::int64_t>::min()).to_int64() ==
        std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE((Rational(std::numeric_limits<std::int64_t>::max()) + 1).to_int64().has_value());
  CHECK_FALSE((Rational(std::numeric_limits<std::int64_t>::min()) - 1).to_int64().has_value());
  CHECK_FALSE(number("1/2").to_int64().has_value());
  CHECK_FALSE(power_of_two(300).to_int64().has_value());
  CHECK(Rational(std::numeric_limits<std::uint64_t>::max()).to_string() == "18446744073709551615");
}

TEST_CASE("division by zero is a diagnostic for inputs and a defect for formulas") {
  const auto result = Rational::ratio(5, 0);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == base::Code::arithmetic);
  CHECK(result.error().message == "division by zero: 5 ÷ 0");
  CHECK_THROWS_AS(Rational(5) / Rational(0), base::Defect);
  CHECK_THROWS_AS(power_of_two(300) / Rational(0), base::Defect);
  CHECK(Rational::ratio(6, -4).value() == number("-3/2"));
}

TEST_CASE("powers") {
  CHECK(power_of_two(0) == 1);
  CHECK(power_of_two(40).to_string() == "1099511627776");
  CHECK(power_of_two(126) * 2 == kMost + 1);
  CHECK(power_of_two(127) == kMost + 1);
  CHECK(power_of_two(-3) == number("1/8"));
  CHECK(power_of_ten(0) == 1);
  CHECK(power_of_ten(38).to_string() == "100000000000000000000000000000000000000");
  CHECK(power_of_ten(39) == power_of_ten(38) * 10);
  CHECK(power_of_ten(-2) == number("1/100"));
  CHECK(power_of_ten(-60) * power_of_ten(60) == 1);
}

}  // namespace
}  // namespace ullage::exact
