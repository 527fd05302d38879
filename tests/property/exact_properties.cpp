// Exact arithmetic against Boost's: every operation, on both sides of every limit.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <vector>

#include "exact/rational.hpp"
#include "generate.hpp"

namespace ullage::exact {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

// A value in both representations, carried over as text.
struct Twin {
  Rational ours;
  cpp_rational theirs;
};

cpp_int whole_number(property::Generator& generator) {
  cpp_int value = 0;
  for (const char bit : generator.bits())
    value = value * 2 + (bit - '0');
  if (generator.one_in(12)) value = 0;
  return generator.one_in(2) ? value : -value;
}

Twin twin_of(const cpp_rational& value) {
  return {Rational::parse_fraction(value.str()).value(), value};
}

Twin generate(property::Generator& generator) {
  const cpp_int above = whole_number(generator);
  if (generator.one_in(3)) return twin_of(cpp_rational(above));
  cpp_int below = abs(whole_number(generator)) + 1;
  if (generator.one_in(4)) below *= abs(above) + 1;  // a factor to cut
  return twin_of(cpp_rational(above, below));
}

cpp_int floor_of(const cpp_rational& value) {
  cpp_int quotient = numerator(value) / denominator(value);
  if (quotient * denominator(value) > numerator(value)) --quotient;
  return quotient;
}

int direction(std::strong_ordering order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

TEST_CASE("+ - * / and order agree with Boost") {
  property::Generator generator(20261130);
  for (int round = 0; round < 2000; ++round) {
    const Twin a = generate(generator);
    const Twin b = generator.one_in(20) ? a : generate(generator);
    CAPTURE(a.theirs.str());
    CAPTURE(b.theirs.str());
    REQUIRE((a.ours + b.ours).to_string() == cpp_rational(a.theirs + b.theirs).str());
    REQUIRE((a.ours - b.ours).to_string() == cpp_rational(a.theirs - b.theirs).str());
    REQUIRE((a.ours * b.ours).to_string() == cpp_rational(a.theirs * b.theirs).str());
    if (!b.ours.is_zero()) {
      REQUIRE((a.ours / b.ours).to_string() == cpp_rational(a.theirs / b.theirs).str());
    }
    const int order = a.theirs < b.theirs ? -1 : a.theirs > b.theirs ? 1 : 0;
    REQUIRE(direction(a.ours <=> b.ours) == order);
    REQUIRE((a.ours == b.ours) == (order == 0));
    REQUIRE(min(a.ours, b.ours) == (order <= 0 ? a.ours : b.ours));
    REQUIRE(max(a.ours, b.ours) == (order >= 0 ? a.ours : b.ours));
  }
}

TEST_CASE("the way back from a spill leads to the same value") {
  property::Generator generator(7);
  for (int round = 0; round < 1500; ++round) {
    const Rational a = generate(generator).ours;
    const Rational b = generate(generator).ours;
    CAPTURE(a.to_string());
    CAPTURE(b.to_string());
    REQUIRE((a + b) - b == a);
    REQUIRE((a - b) + b == a);
    REQUIRE(a - b == -(b - a));
    REQUIRE(a + b == b + a);
    REQUIRE(a * b == b * a);
    if (!b.is_zero()) {
      REQUIRE((a * b) / b == a);
      REQUIRE(Rational::ratio(a, b).value() * b == a);
    }
  }
}

TEST_CASE("sums distribute over products") {
  property::Generator generator(11);
  for (int round = 0; round < 500; ++round) {
    const Rational a = generate(generator).ours;
    const Rational b = generate(generator).ours;
    const Rational c = generate(generator).ours;
    REQUIRE(a * (b + c) == a * b + a * c);
    REQUIRE((a + b) + c == a + (b + c));
    REQUIRE((a * b) * c == a * (b * c));
  }
}

TEST_CASE("floor, ceil, sign and parts agree with Boost") {
  property::Generator generator(13);
  for (int round = 0; round < 1500; ++round) {
    const Twin value = generate(generator);
    CAPTURE(value.theirs.str());
    const cpp_int below = floor_of(value.theirs);
    REQUIRE(value.ours.floor().to_string() == below.str());
    REQUIRE(value.ours.ceil().to_string() == cpp_int(-floor_of(-value.theirs)).str());
    REQUIRE(value.ours.sign() == value.theirs.sign());
    REQUIRE(value.ours.is_zero() == value.theirs.is_zero());
    REQUIRE(value.ours.is_whole() == (denominator(value.theirs) == 1));
    REQUIRE(value.ours.numerator().to_string() == numerator(value.theirs).str());
    REQUIRE(value.ours.denominator().to_string() == denominator(value.theirs).str());
    const bool fits = denominator(value.theirs) == 1 && numerator(value.theirs) <= INT64_MAX &&
                      numerator(value.theirs) >= INT64_MIN;
    REQUIRE(value.ours.to_int64().has_value() == fits);
  }
}

TEST_CASE("what is printed reads back as the same value") {
  property::Generator generator(17);
  for (int round = 0; round < 1500; ++round) {
    const Rational value = generate(generator).ours;
    const std::string text = value.to_string();
    CAPTURE(text);
    REQUIRE(Rational::parse_fraction(text).value() == value);
    REQUIRE(Rational::parse_fraction(text).value().to_string() == text);
    if (value.is_whole()) REQUIRE(Rational::parse(text).value() == value);
  }
}

TEST_CASE("fixed decimals bracket the value by one unit of the last place") {
  property::Generator generator(19);
  for (int round = 0; round < 700; ++round) {
    const Rational value = generate(generator).ours;
    const auto digits = static_cast<unsigned>(generator.below(24));
    CAPTURE(value.to_string());
    CAPTURE(digits);
    const Rational place = power_of_ten(-static_cast<int>(digits));
    const Rational down = Rational::parse(value.to_decimal(digits, Rounding::down)).value();
    const Rational up = Rational::parse(value.to_decimal(digits, Rounding::up)).value();
    const Rational near = Rational::parse(value.to_decimal(digits, Rounding::nearest)).value();
    REQUIRE(down <= value);
    REQUIRE(value <= up);
    REQUIRE(up - down == ((value / place).is_whole() ? Rational(0) : place));
    REQUIRE((near == down || near == up));
    const Rational away = near < value ? value - near : near - value;
    REQUIRE(away * Rational(2) <= place);
  }
}

TEST_CASE("significant decimals are within half a unit of the last digit") {
  property::Generator generator(23);
  for (int round = 0; round < 700; ++round) {
    const Rational value = generate(generator).ours;
    const auto digits = static_cast<unsigned>(1 + generator.below(20));
    const std::string text = value.to_significant(digits);
    CAPTURE(value.to_string());
    CAPTURE(text);
    const Rational printed = Rational::parse(text).value();
    const Rational away = printed < value ? value - printed : printed - value;
    const Rational size = value.sign() < 0 ? -value : value;
    // Half a unit of the last digit is at most size × 10^(1 - digits) ÷ 2.
    REQUIRE(away * Rational(2) <= size * power_of_ten(1 - static_cast<int>(digits)));
    std::string mantissa = text.substr(0, text.find('e'));
    std::erase(mantissa, '-');
    const bool has_point = mantissa.find('.') != std::string::npos;
    REQUIRE_FALSE((has_point && mantissa.back() == '0'));
    std::erase(mantissa, '.');
    mantissa.erase(0, mantissa.find_first_not_of('0'));
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    REQUIRE(mantissa.size() <= digits);
    REQUIRE(printed.to_significant(digits) == text);
  }
}

TEST_CASE("a long sum equals Boost's") {
  Rational ours;
  cpp_rational theirs;
  for (int term = 1; term <= 200; ++term) {
    ours += Rational(1) / Rational(term);
    theirs += cpp_rational(1, term);
    REQUIRE(ours.to_string() == theirs.str());
  }
  for (int term = 200; term >= 1; --term)
    ours = ours - Rational(1) / Rational(term);
  CHECK(ours == Rational(0));
  CHECK(ours.to_int64() == 0);
}

}  // namespace
}  // namespace ullage::exact
