// Numbers of rows that nobody asks to explain: fractions of two 128-bit integers that say when they
// overflow, in the form that the templates of formulas take, and their text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exact/rational.hpp"

namespace ullage::batch {

// A fraction that is not reduced, with a positive denominator. What does not fit in 128 bits makes
// it and everything computed from it `overflowed`: the caller then asks the exact way.
class Number {
 public:
  using Int128 = exact::Int128;

  Number() = default;
  Number(int value) : numerator_(value) {}
  Number(std::int64_t value) : numerator_(value) {}
  // Nothing where numerator or denominator does not fit in 64 bits.
  static std::optional<Number> of(const exact::Rational& value);

  friend Number operator+(const Number& a, const Number& b) { return sum(a, b, false); }
  friend Number operator-(const Number& a, const Number& b) { return sum(a, b, true); }
  friend Number operator*(const Number& a, const Number& b) {
    Number result;
    result.overflowed_ =
        a.overflowed_ || b.overflowed_ ||
        __builtin_mul_overflow(a.numerator_, b.numerator_, &result.numerator_) ||
        __builtin_mul_overflow(a.denominator_, b.denominator_, &result.denominator_);
    return result;
  }
  // Division by zero overflows.
  friend Number operator/(const Number& a, const Number& b) {
    Number inverse;
    inverse.overflowed_ = b.overflowed_ || b.numerator_ == 0;
    inverse.numerator_ = b.numerator_ < 0 ? -b.denominator_ : b.denominator_;
    inverse.denominator_ = inverse.overflowed_ ? 1
                           : b.numerator_ < 0  ? -b.numerator_
                                               : b.numerator_;
    return a * inverse;
  }
  friend Number min(const Number& a, const Number& b) { return lesser(a, b, a - b); }
  friend Number max(const Number& a, const Number& b) { return lesser(b, a, a - b); }

  Number ceil() const { return whole(1); }
  Number floor() const { return whole(0); }
  // Means nothing where the number has overflowed.
  int sign() const { return (numerator_ > 0 ? 1 : 0) - (numerator_ < 0 ? 1 : 0); }
  bool overflowed() const { return overflowed_; }

  exact::Rational rational() const {
    return exact::Rational(numerator_) / exact::Rational(denominator_);
  }

  // Appends the value as CSV and JSON rows have it: what ends within 40 digits whole, else 17
  // significant digits. False, with nothing appended, where this form cannot hold it.
  bool append(std::string& text) const;

 private:
  static Number sum(const Number& a, const Number& b, bool minus) {
    Number result;
    Int128 right = b.numerator_;
    result.numerator_ = a.numerator_;
    result.denominator_ = a.denominator_;
    result.overflowed_ = a.overflowed_ || b.overflowed_;
    if (a.denominator_ != b.denominator_) {
      result.overflowed_ =
          result.overflowed_ ||
          __builtin_mul_overflow(a.numerator_, b.denominator_, &result.numerator_) ||
          __builtin_mul_overflow(b.numerator_, a.denominator_, &right) ||
          __builtin_mul_overflow(a.denominator_, b.denominator_, &result.denominator_);
    }
    const bool over = minus ? __builtin_sub_overflow(result.numerator_, right, &result.numerator_)
                            : __builtin_add_overflow(result.numerator_, right, &result.numerator_);
    result.overflowed_ = result.overflowed_ || over;
    return result;
  }
  // `low` where the difference says so, else `high`; overflowed where nothing can be said.
  static Number lesser(const Number& low, const Number& high, const Number& difference) {
    Number result = difference.sign() < 0 ? low : high;
    result.overflowed_ = difference.overflowed_;
    return result;
  }
  // The quotient rounded to -inf, or to +inf by `up` where it leaves a remainder.
  Number whole(int up) const;

  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
  bool overflowed_ = false;
};

// The text of an exact value in the same form.
std::string number_text(const exact::Rational& value);

}  // namespace ullage::batch
