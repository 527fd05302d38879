// Arithmetic and order of exact fractions while they fit in 128 bits; what overflows goes to
// big.cpp.
#include "exact/rational.hpp"

#include <limits>

#include "exact/big.hpp"
#include "exact/int128.hpp"

namespace ullage::exact {

namespace {

// A fraction of two 128-bit integers in lowest terms, the denominator positive.
struct Small {
  Int128 numerator;
  Int128 denominator;
};

enum class Sum : bool { plus, minus };

bool combine(Sum sum, Int128 a, Int128 b, Int128& result) {
  return sum == Sum::plus ? !__builtin_add_overflow(a, b, &result)
                          : !__builtin_sub_overflow(a, b, &result);
}

// a ± b by Knuth's method (The Art of Computer Programming, volume 2, 4.5.1), which keeps the
// intermediate values small. False on overflow.
bool add_fractions(Sum sum, const Small& a, const Small& b, Small& result) {
  const auto common = static_cast<Int128>(
      greatest_common_divisor(magnitude(a.denominator), magnitude(b.denominator)));
  const Int128 a_rest = common == 1 ? a.denominator : a.denominator / common;
  const Int128 b_rest = common == 1 ? b.denominator : b.denominator / common;
  Int128 left = 0;
  Int128 right = 0;
  if (__builtin_mul_overflow(a.numerator, b_rest, &left)) return false;
  if (__builtin_mul_overflow(b.numerator, a_rest, &right)) return false;
  if (!combine(sum, left, right, result.numerator)) return false;
  if (common == 1) return !__builtin_mul_overflow(a_rest, b.denominator, &result.denominator);
  const auto cut =
      static_cast<Int128>(greatest_common_divisor(magnitude(result.numerator), magnitude(common)));
  result.numerator /= cut;
  return !__builtin_mul_overflow(a_rest, b.denominator / cut, &result.denominator);
}

// A fraction by magnitudes, as multiplication and division see it.
struct Magnitudes {
  Unsigned128 numerator;
  Unsigned128 denominator;
};

// The product of two fractions in lowest terms, with common factors cut before multiplying so that
// the product is in lowest terms too. False on overflow.
bool multiply_fractions(Magnitudes a, Magnitudes b, bool negative, Small& result) {
  const Unsigned128 across = greatest_common_divisor(a.numerator, b.denominator);
  if (across > 1) {
    a.numerator /= across;
    b.denominator /= across;
  }
  const Unsigned128 back = greatest_common_divisor(b.numerator, a.denominator);
  if (back > 1) {
    b.numerator /= back;
    a.denominator /= back;
  }
  Unsigned128 numerator = 0;
  Unsigned128 denominator = 0;
  if (__builtin_mul_overflow(a.numerator, b.numerator, &numerator)) return false;
  if (__builtin_mul_overflow(a.denominator, b.denominator, &denominator)) return false;
  return from_magnitude(numerator, negative, result.numerator) &&
         from_magnitude(denominator, false, result.denominator);
}

}  // namespace

base::Result<Rational> Rational::ratio(const Rational& numerator, const Rational& denominator) {
  if (denominator.is_zero()) {
    base::Diagnostic fault;
    fault.code = base::Code::arithmetic;
    fault.message = "division by zero: " + base::printable(numerator.to_string(), 60) + " ÷ 0";
    return fault;
  }
  return numerator / denominator;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    if (a.denominator_ == 1 && b.denominator_ == 1) {
      Int128 sum = 0;
      if (!__builtin_add_overflow(a.numerator_, b.numerator_, &sum)) return Rational(sum);
    } else {
      Small sum{};
      if (add_fractions(Sum::plus, {a.numerator_, a.denominator_}, {b.numerator_, b.denominator_},
                        sum)) {
        return BigAccess::small(sum.numerator, sum.denominator);
      }
    }
  }
  return BigAccess::add(a, b);
}

Rational operator-(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    if (a.denominator_ == 1 && b.denominator_ == 1) {
      Int128 difference = 0;
      if (!__builtin_sub_overflow(a.numerator_, b.numerator_, &difference)) {
        return Rational(difference);
      }
    } else {
      Small difference{};
      if (add_fractions(Sum::minus, {a.numerator_, a.denominator_}, {b.numerator_, b.denominator_},
                        difference)) {
        return BigAccess::small(difference.numerator, difference.denominator);
      }
    }
  }
  return BigAccess::subtract(a, b);
}

Rational operator*(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    if (a.denominator_ == 1 && b.denominator_ == 1) {
      Int128 product = 0;
      if (!__builtin_mul_overflow(a.numerator_, b.numerator_, &product)) return Rational(product);
    } else {
      Small product{};
      if (multiply_fractions({magnitude(a.numerator_), magnitude(a.denominator_)},
                             {magnitude(b.numerator_), magnitude(b.denominator_)},
                             (a.numerator_ < 0) != (b.numerator_ < 0), product)) {
        return BigAccess::small(product.numerator, product.denominator);
      }
    }
  }
  return BigAccess::multiply(a, b);
}

Rational operator/(const Rational& a, const Rational& b) {
  base::require(!b.is_zero(), "an exact number divided by zero");
  if (!a.big_ && !b.big_) {
    if (a.numerator_ == 0) return Rational();
    Small quotient{};
    if (multiply_fractions({magnitude(a.numerator_), magnitude(a.denominator_)},
                           {magnitude(b.denominator_), magnitude(b.numerator_)},
                           (a.numerator_ < 0) != (b.numerator_ < 0), quotient)) {
      return BigAccess::small(quotient.numerator, quotient.denominator);
    }
  }
  return BigAccess::divide(a, b);
}

Rational Rational::operator-() const {
  return Rational() - *this;
}

bool operator==(const Rational& a, const Rational& b) {
  // Lowest terms make equal values equal member by member, and what fits is never spilled.
  if (a.big_ || b.big_) return a.big_ && b.big_ && BigAccess::equal(a, b);
  return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
    Int128 left = 0;
    Int128 right = 0;
    if (!__builtin_mul_overflow(a.numerator_, b.denominator_, &left) &&
        !__builtin_mul_overflow(b.numerator_, a.denominator_, &right)) {
      return left <=> right;
    }
  }
  return BigAccess::compare(a, b);
}

bool Rational::is_zero() const {
  return !big_ && numerator_ == 0;
}

bool Rational::is_whole() const {
  return big_ ? BigAccess::is_whole(*this) : denominator_ == 1;
}

int Rational::sign() const {
  if (big_) return BigAccess::sign(*this);
  return (numerator_ > 0 ? 1 : 0) - (numerator_ < 0 ? 1 : 0);
}

Rational Rational::floor() const {
  if (big_) return BigAccess::floor(*this);
  if (denominator_ == 1) return *this;
  const Int128 quotient = numerator_ / denominator_;
  // Division cuts towards zero, and a fraction in lowest terms leaves a remainder.
  return numerator_ < 0 ? quotient - 1 : quotient;
}

Rational Rational::ceil() const {
  const Rational below = floor();
  return below == *this ? below : below + Rational(1);
}

Rational Rational::numerator() const {
  return big_ ? BigAccess::numerator(*this) : numerator_;
}

Rational Rational::denominator() const {
  return big_ ? BigAccess::denominator(*this) : denominator_;
}

std::optional<std::int64_t> Rational::to_int64() const {
  if (big_ || denominator_ != 1) return std::nullopt;
  if (numerator_ < std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  if (numerator_ > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(numerator_);
}

Rational min(const Rational& a, const Rational& b) {
  return b < a ? b : a;
}

Rational max(const Rational& a, const Rational& b) {
  return a < b ? b : a;
}

Rational power_of_two(int exponent) {
  const unsigned size =
      exponent < 0 ? 0U - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
  const Rational power = size < 127 ? Rational(Int128{1} << size) : BigAccess::power(2, size);
  return exponent < 0 ? Rational(1) / power : power;
}

Rational power_of_ten(int exponent) {
  const unsigned size =
      exponent < 0 ? 0U - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
  Int128 small = 1;
  for (unsigned step = 0; step < size && step < 38; ++step)
    small *= 10;
  const Rational power = size <= 38 ? Rational(small) : BigAccess::power(10, size);
  return exponent < 0 ? Rational(1) / power : power;
}

}  // namespace ullage::exact
