// Fractions of integers of any size: where 128-bit arithmetic continues after an overflow. The only
// file that includes Boost.Multiprecision.
#include "exact/big.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <utility>

namespace ullage::exact {

using boost::multiprecision::cpp_int;

struct Rational::Big {
  cpp_int numerator;
  cpp_int denominator;
};

namespace {

// Whether a 128-bit integer holds the value, the most negative one included.
bool fits(const cpp_int& value) {
  static const cpp_int beyond = cpp_int(1) << 127;
  return value < beyond && value >= -beyond;
}

}  // namespace

BigAccess::Pair BigAccess::widen(const Rational& value) {
  if (value.big_) return *value.big_;
  return Pair{value.numerator_, value.denominator_};
}

// The value of a pair in lowest terms.
Rational BigAccess::settle(Pair pair) {
  if (fits(pair.numerator) && fits(pair.denominator)) {
    return small(static_cast<Int128>(pair.numerator), static_cast<Int128>(pair.denominator));
  }
  Rational value;
  value.big_ = std::make_shared<const Pair>(std::move(pair));
  return value;
}

// The value of any pair with a denominator that is not zero.
Rational BigAccess::reduce(Pair pair) {
  if (pair.denominator < 0) {
    pair.numerator = -pair.numerator;
    pair.denominator = -pair.denominator;
  }
  if (pair.denominator != 1) {
    const cpp_int common = boost::multiprecision::gcd(pair.numerator, pair.denominator);
    if (common != 1) {
      pair.numerator /= common;
      pair.denominator /= common;
    }
  }
  return settle(std::move(pair));
}

Rational BigAccess::add(const Rational& a, const Rational& b) {
  const Pair x = widen(a);
  const Pair y = widen(b);
  return reduce(
      {x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator});
}

Rational BigAccess::subtract(const Rational& a, const Rational& b) {
  const Pair x = widen(a);
  const Pair y = widen(b);
  return reduce(
      {x.numerator * y.denominator - y.numerator * x.denominator, x.denominator * y.denominator});
}

Rational BigAccess::multiply(const Rational& a, const Rational& b) {
  const Pair x = widen(a);
  const Pair y = widen(b);
  return reduce({x.numerator * y.numerator, x.denominator * y.denominator});
}

Rational BigAccess::divide(const Rational& a, const Rational& b) {
  const Pair x = widen(a);
  const Pair y = widen(b);
  return reduce({x.numerator * y.denominator, x.denominator * y.numerator});
}

std::strong_ordering BigAccess::compare(const Rational& a, const Rational& b) {
  const Pair x = widen(a);
  const Pair y = widen(b);
  const cpp_int left = x.numerator * y.denominator;
  const cpp_int right = y.numerator * x.denominator;
  return left.compare(right) <=> 0;
}

Rational BigAccess::floor(const Rational& value) {
  const Pair pair = widen(value);
  cpp_int quotient;
  cpp_int remainder;
  boost::multiprecision::divide_qr(pair.numerator, pair.denominator, quotient, remainder);
  if (remainder < 0) --quotient;  // division cuts towards zero
  return settle({std::move(quotient), 1});
}

bool BigAccess::equal(const Rational& a, const Rational& b) {
  return a.big_->numerator == b.big_->numerator && a.big_->denominator == b.big_->denominator;
}

int BigAccess::sign(const Rational& value) {
  return value.big_->numerator.sign();
}

bool BigAccess::is_whole(const Rational& value) {
  return value.big_->denominator == 1;
}

Rational BigAccess::numerator(const Rational& value) {
  return settle({value.big_->numerator, 1});
}

Rational BigAccess::denominator(const Rational& value) {
  return settle({value.big_->denominator, 1});
}

std::string BigAccess::to_string(const Rational& value) {
  std::string text = value.big_->numerator.str();
  if (value.big_->denominator != 1) text += "/" + value.big_->denominator.str();
  return text;
}

Rational BigAccess::from_digits(std::string_view digits) {
  // Leading zeros would make the library read octal.
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return Rational();
  return settle({cpp_int(std::string(digits.substr(first))), 1});
}

Rational BigAccess::power(unsigned base, unsigned exponent) {
  return settle({boost::multiprecision::pow(cpp_int(base), exponent), 1});
}

}  // namespace ullage::exact
