// Exact numbers from text and to text, without a detour over floating point.
#include <algorithm>
#include <string>

#include "exact/big.hpp"
#include "exact/int128.hpp"

namespace ullage::exact {

namespace {

constexpr std::size_t kMostDigits = 4096;
constexpr int kMostExponent = 4096;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Cuts the leading digits off `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count]))
    ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

base::Diagnostic malformed(std::string_view text, std::string_view wanted) {
  base::Diagnostic fault;
  fault.code = base::Code::syntax;
  fault.message = text.empty()
                      ? "a number is missing"
                      : "`" + base::printable(text, 60) + "` is not a " + std::string(wanted);
  if (text.find_first_of("_,'") != std::string_view::npos) {
    fault.hint = "write the digits without separators";
  } else {
    fault.hint = "write digits, with digits on both sides of a decimal point: 320, -0.5, 6.5e3";
  }
  return fault;
}

base::Diagnostic beyond_limit(std::string_view text, std::string_view message) {
  base::Diagnostic fault;
  fault.code = base::Code::out_of_range;
  fault.message = "the number `" + base::printable(text, 60) + "` " + std::string(message);
  return fault;
}

// Decimal text taken apart.
struct Decimal {
  bool negative = false;
  std::string_view whole;     // digits before the point
  std::string_view fraction;  // digits after it
  int exponent = 0;           // beyond the limit: one past it
};

// False where `text` is not decimal text.
bool split_decimal(std::string_view text, Decimal& parts) {
  parts.negative = take(text, '-');
  parts.whole = take_digits(text);
  if (parts.whole.empty()) return false;
  if (take(text, '.')) {
    parts.fraction = take_digits(text);
    if (parts.fraction.empty()) return false;
  }
  if (take(text, 'e') || take(text, 'E')) {
    const bool negative = take(text, '-');
    if (!negative) take(text, '+');
    const std::string_view digits = take_digits(text);
    if (digits.empty()) return false;
    for (const char digit : digits) {
      parts.exponent = std::min(parts.exponent * 10 + (digit - '0'), kMostExponent + 1);
    }
    if (negative) parts.exponent = -parts.exponent;
  }
  return text.empty();
}

// The whole number that `digits` spell.
Rational from_digits(std::string_view digits) {
  if (digits.size() > 38) return BigAccess::from_digits(digits);  // 10^38 is below 2^127
  Int128 value = 0;
  for (const char digit : digits)
    value = value * 10 + (digit - '0');
  return value;
}

// |value| × 10^shift as a whole number, half rounded up.
Rational rounded_magnitude(const Rational& value, int shift) {
  const Rational size = value.sign() < 0 ? -value : value;
  return (size * power_of_ten(shift) + Rational(1) / Rational(2)).floor();
}

// The exponent of the first digit: 3 for 1000 … 9999, -1 for 0.1 … 0.99. `value` is not zero.
int leading_exponent(const Rational& value) {
  const Rational size = value.sign() < 0 ? -value : value;
  const auto exponent = static_cast<int>(size.numerator().to_string().size()) -
                        static_cast<int>(size.denominator().to_string().size());
  return size < power_of_ten(exponent) ? exponent - 1 : exponent;
}

// `digits` (the first one not zero, none at the end zero) with the first at 10^exponent.
std::string plain_layout(const std::string& digits, int exponent) {
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0');
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string exponent_layout(const std::string& digits, int exponent) {
  std::string text = digits.substr(0, 1);
  if (digits.size() > 1) text += "." + digits.substr(1);
  const std::string size = std::to_string(exponent < 0 ? -exponent : exponent);
  text += exponent < 0 ? "e-" : "e+";
  if (size.size() < 2) text += '0';
  return text + size;
}

}  // namespace

base::Result<Rational> Rational::parse(std::string_view decimal) {
  Decimal parts;
  if (!split_decimal(decimal, parts)) return malformed(decimal, "decimal number");
  if (parts.whole.size() + parts.fraction.size() > kMostDigits) {
    return beyond_limit(decimal, "has more than 4096 digits");
  }
  if (parts.exponent < -kMostExponent || parts.exponent > kMostExponent) {
    return beyond_limit(decimal, "has an exponent beyond ±4096");
  }
  Rational value =
      from_digits(parts.fraction.empty() ? std::string(parts.whole)
                                         : std::string(parts.whole) + std::string(parts.fraction));
  const int shift = parts.exponent - static_cast<int>(parts.fraction.size());
  if (shift > 0) value *= power_of_ten(shift);
  if (shift < 0) value = value / power_of_ten(-shift);
  return parts.negative ? -value : value;
}

base::Result<Rational> Rational::parse_fraction(std::string_view text) {
  if (text.find('/') == std::string_view::npos) return parse(text);
  std::string_view rest = text;
  const bool negative = take(rest, '-');
  const std::string_view above = take_digits(rest);
  const bool slash = take(rest, '/');
  const std::string_view below = take_digits(rest);
  if (above.empty() || !slash || below.empty() || !rest.empty()) {
    return malformed(text, "fraction of two whole numbers");
  }
  if (above.size() > kMostDigits || below.size() > kMostDigits) {
    return beyond_limit(text, "has more than 4096 digits");
  }
  const Rational numerator = from_digits(above);
  return ratio(negative ? -numerator : numerator, from_digits(below));
}

std::string Rational::to_string() const {
  if (big_) return BigAccess::to_string(*this);
  if (denominator_ == 1) return to_text(numerator_);
  return to_text(numerator_) + "/" + to_text(denominator_);
}

std::string Rational::to_decimal(unsigned digits, Rounding rounding) const {
  base::require(digits <= kMostDigits, "decimal text of more than 4096 digits after the point");
  const auto places = static_cast<int>(digits);
  Rational scaled;
  switch (rounding) {
    case Rounding::down:
      scaled = (*this * power_of_ten(places)).floor();
      break;
    case Rounding::up:
      scaled = (*this * power_of_ten(places)).ceil();
      break;
    case Rounding::nearest:
      scaled = rounded_magnitude(*this, places);
      if (sign() < 0) scaled = -scaled;
      break;
  }
  const bool negative = scaled.sign() < 0;  // a value that rounds to zero loses its sign
  std::string text = (negative ? -scaled : scaled).to_string();
  if (digits > 0) {
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, ".");
  }
  return negative ? "-" + text : text;
}

std::string Rational::to_significant(unsigned digits) const {
  base::require(digits >= 1 && digits <= kMostDigits, "significant digits outside 1 … 4096");
  if (is_zero()) return "0";
  int exponent = leading_exponent(*this);
  std::string text = rounded_magnitude(*this, static_cast<int>(digits) - 1 - exponent).to_string();
  if (text.size() > digits) ++exponent;  // 9.99 became 10.0
  text.erase(text.find_last_not_of('0') + 1);
  const bool plain = exponent >= -6 && exponent < 21;
  const std::string layout = plain ? plain_layout(text, exponent) : exponent_layout(text, exponent);
  return sign() < 0 ? "-" + layout : layout;
}

}  // namespace ullage::exact
