// Exact numbers: a fraction of integers of any size. There is no way in from, or out to, floating
// point.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace ullage::exact {

__extension__ using Int128 = __int128;

// Which way a value goes where it must be cut to a number of digits.
enum class Rounding : std::uint8_t {
  down,
  up,
  nearest
};  // towards -inf, +inf, half away from zero

// A fraction in lowest terms with a positive denominator. Numerator and denominator are two 128-bit
// integers; what does not fit spills to arbitrary size (exact/big.cpp) and comes back when it fits.
// A whole number is a Rational with denominator 1, and its operations skip the gcd.
class Rational {
 public:
  Rational() = default;  // zero
  template <std::integral T>
  requires(!std::same_as<T, bool>) Rational(T value) : numerator_(static_cast<Int128>(value)) {}
  Rational(Int128 value) : numerator_(value) {}
  Rational(double) = delete;
  Rational(float) = delete;
  Rational(long double) = delete;
  Rational(bool) = delete;

  // numerator ÷ denominator. Error `arithmetic` on a zero denominator.
  static base::Result<Rational> ratio(const Rational& numerator, const Rational& denominator);

  // The exact value of decimal text: `320`, `-0.5`, `6.5e3`; `.5`, `5.` and `1_000` are refused,
  // zeros in front mean nothing (`010` is ten).
  // Error `syntax` on anything else, `out_of_range` where the exponent is beyond ±4096 or the text
  // is longer than 4,096 digits.
  static base::Result<Rational> parse(std::string_view decimal);

  // The exact value of `p/q` or of decimal text.
  static base::Result<Rational> parse_fraction(std::string_view text);

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  // Division by zero is a broken invariant (Defect); use `ratio` where the divisor is an input.
  friend Rational operator/(const Rational& a, const Rational& b);
  Rational operator-() const;
  Rational& operator+=(const Rational& other) { return *this = *this + other; }
  Rational& operator*=(const Rational& other) { return *this = *this * other; }

  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  bool is_zero() const;
  bool is_whole() const;
  int sign() const;  // -1, 0, 1

  Rational floor() const;  // the largest whole number not above
  Rational ceil() const;   // the smallest whole number not below
  Rational numerator() const;
  Rational denominator() const;

  // The value as a 64-bit integer, or nothing where it is no whole number or does not fit.
  std::optional<std::int64_t> to_int64() const;

  // `p` for a whole number, else `p/q`.
  std::string to_string() const;
  // Decimal text with exactly `digits` digits after the point, rounded as asked. No exponent.
  std::string to_decimal(unsigned digits, Rounding rounding) const;
  // Decimal text of at most `digits` significant digits, rounded to nearest, trailing zeros cut,
  // with an exponent (`1.5e-07`) outside 1e-6 … 1e21. Exactly what a JSON number needs.
  std::string to_significant(unsigned digits) const;

 private:
  struct Big;  // exact/big.cpp: the arbitrary-size pair
  friend struct BigAccess;

  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
  std::shared_ptr<const Big> big_;  // set only while the value does not fit in 128 bits
};

Rational min(const Rational& a, const Rational& b);
Rational max(const Rational& a, const Rational& b);
// 2 to the power of `exponent`, 10 to the power of `exponent` (negative ones are fractions).
Rational power_of_two(int exponent);
Rational power_of_ten(int exponent);

}  // namespace ullage::exact
