// Division and decimal text.
#include "batch/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "report/value_text.hpp"

namespace ullage::batch {
namespace {

using exact::Int128;
__extension__ using Unsigned128 = unsigned __int128;

constexpr unsigned kSignificantDigits = 17;
constexpr unsigned kLongestDecimal = 40;

// Hardware divides 64 bits several times faster than the library divides 128.
bool fits64(Int128 value) {
  return value >= 0 && value <= std::numeric_limits<std::int64_t>::max();
}

struct Division {
  Int128 quotient;
  Int128 remainder;
};

Division divide(Int128 a, Int128 b) {
  if (fits64(a) && fits64(b)) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return {static_cast<Int128>(x / y), static_cast<Int128>(x % y)};
  }
  return {a / b, a % b};
}

Int128 common_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = divide(a, b).remainder;
    a = b;
    b = rest;
  }
  return a;
}

void append_digits(std::string& text, Unsigned128 value) {
  std::array<char, 40> digits;
  if (value <= std::numeric_limits<std::uint64_t>::max()) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                   static_cast<std::uint64_t>(value));
    text.append(digits.data(), end.ptr);
    return;
  }
  std::size_t at = digits.size();
  for (; value != 0; value /= 10)
    digits[--at] = static_cast<char>('0' + static_cast<int>(value % 10));
  text.append(digits.data() + at, digits.size() - at);
}

unsigned digits_of(Unsigned128 value) {
  unsigned digits = 0;
  for (; value != 0; value /= 10)
    ++digits;
  return digits;
}

bool times_ten(Unsigned128& value, unsigned times) {
  for (; times > 0; --times) {
    if (__builtin_mul_overflow(value, Unsigned128{10}, &value)) return false;
  }
  return true;
}

// The whole part, a point and `digits` decimals that stand for `fraction`.
void append_decimal(std::string& text, Unsigned128 whole, Unsigned128 fraction, unsigned digits) {
  append_digits(text, whole);
  text += '.';
  const std::size_t point = text.size();
  if (fraction != 0) append_digits(text, fraction);
  text.insert(point, digits - std::min<std::size_t>(digits, text.size() - point), '0');
}

// A fraction whose decimals end: its denominator has no factors but 2 and 5.
bool append_finite(std::string& text, Unsigned128 numerator, Unsigned128 denominator,
                   unsigned digits) {
  const Unsigned128 whole = numerator / denominator;
  Unsigned128 rest = numerator % denominator;
  if (!times_ten(rest, digits)) return false;
  append_decimal(text, whole, rest / denominator, digits);
  return true;
}

// 17 significant digits, halves away from zero, trailing zeros cut; for values from 1 to 10^17.
bool append_significant(std::string& text, Unsigned128 numerator, Unsigned128 denominator) {
  const Unsigned128 whole = numerator / denominator;
  const unsigned used = digits_of(whole);
  if (used == 0 || used >= kSignificantDigits) return false;
  unsigned digits = kSignificantDigits - used;
  Unsigned128 rest = numerator % denominator;
  Unsigned128 unit = 1;
  if (!times_ten(rest, digits) || !times_ten(unit, digits)) return false;
  Unsigned128 fraction = rest / denominator;
  const Unsigned128 left = rest % denominator;
  if (left >= denominator - left) ++fraction;
  if (fraction == unit) return false;  // carries into the whole part: rare, and exact elsewhere
  for (; digits > 0 && fraction % 10 == 0; --digits)
    fraction /= 10;
  if (digits == 0) {
    append_digits(text, whole);
  } else {
    append_decimal(text, whole, fraction, digits);
  }
  return true;
}

bool append_fraction(std::string& text, Unsigned128 numerator, Unsigned128 denominator) {
  Unsigned128 rest = denominator;
  unsigned twos = 0;
  unsigned fives = 0;
  for (; rest % 2 == 0; rest /= 2)
    ++twos;
  for (; rest % 5 == 0; rest /= 5)
    ++fives;
  const unsigned digits = std::max(twos, fives);
  if (rest == 1 && digits <= kLongestDecimal) {
    return append_finite(text, numerator, denominator, digits);
  }
  return append_significant(text, numerator, denominator);
}

}  // namespace

std::optional<Number> Number::of(const exact::Rational& value) {
  const auto numerator = value.numerator().to_int64();
  const auto denominator = value.denominator().to_int64();
  if (!numerator || !denominator) return std::nullopt;
  Number number(*numerator);
  number.denominator_ = *denominator;
  return number;
}

Number Number::whole(int up) const {
  Number result = *this;
  if (overflowed_ || denominator_ == 1) return result;
  const Division division = divide(numerator_, denominator_);
  result.numerator_ = division.quotient;
  result.denominator_ = 1;
  // Division cuts towards zero.
  if (division.remainder > 0) result.numerator_ += up;
  if (division.remainder < 0) result.numerator_ -= 1 - up;
  return result;
}

bool Number::append(std::string& text) const {
  if (overflowed_ || numerator_ == std::numeric_limits<Int128>::min()) return false;
  const bool negative = numerator_ < 0;
  const Int128 size = negative ? -numerator_ : numerator_;
  const std::size_t start = text.size();
  if (negative) text += '-';
  if (denominator_ == 1) {
    append_digits(text, static_cast<Unsigned128>(size));
    return true;
  }
  const Division division = divide(size, denominator_);
  if (division.remainder == 0) {
    append_digits(text, static_cast<Unsigned128>(division.quotient));
    return true;
  }
  const Int128 common = common_divisor(denominator_, division.remainder);
  if (append_fraction(text, static_cast<Unsigned128>(size / common),
                      static_cast<Unsigned128>(denominator_ / common))) {
    return true;
  }
  text.resize(start);
  return false;
}

std::string number_text(const exact::Rational& value) {
  const std::string decimal = report::finite_decimal(value);
  return decimal.empty() ? value.to_significant(kSignificantDigits) : decimal;
}

}  // namespace ullage::batch
