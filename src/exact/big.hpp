// What the 128-bit arithmetic hands over when a value does not fit: the same operations on integers
// of any size. Inside this room only; the library behind it shows in big.cpp alone.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "exact/rational.hpp"

namespace ullage::exact {

struct BigAccess {
  using Pair = Rational::Big;  // numerator and denominator, complete in big.cpp only

  // A value of two 128-bit parts that are in lowest terms already, `denominator` positive.
  static Rational small(Int128 numerator, Int128 denominator) {
    Rational value;
    value.numerator_ = numerator;
    value.denominator_ = denominator;
    return value;
  }

  // The operations for operands of any size. Each result is in lowest terms and comes back to
  // 128 bits where it fits. The divisor of `divide` is not zero.
  static Rational add(const Rational& a, const Rational& b);
  static Rational subtract(const Rational& a, const Rational& b);
  static Rational multiply(const Rational& a, const Rational& b);
  static Rational divide(const Rational& a, const Rational& b);
  static std::strong_ordering compare(const Rational& a, const Rational& b);
  static Rational floor(const Rational& value);

  // For values that have spilled (`big_` is set).
  static bool equal(const Rational& a, const Rational& b);
  static int sign(const Rational& value);
  static bool is_whole(const Rational& value);
  static Rational numerator(const Rational& value);
  static Rational denominator(const Rational& value);
  static std::string to_string(const Rational& value);

  // The whole number that decimal digits spell; `digits` holds nothing else and is not empty.
  static Rational from_digits(std::string_view digits);
  // base to the power of `exponent`, as a whole number.
  static Rational power(unsigned base, unsigned exponent);

 private:
  static Pair widen(const Rational& value);
  static Rational settle(Pair pair);
  static Rational reduce(Pair pair);
};

}  // namespace ullage::exact
