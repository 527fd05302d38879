// IEEE 754 round to nearest, ties to even.
#include "engine/binary64.hpp"

namespace ullage::engine {

using exact::Rational;

Rational to_binary64(const Rational& value) {
  if (value.sign() <= 0) return value;
  constexpr int kBits = 53;
  int exponent = 0;  // of the last place
  const Rational top = exact::power_of_two(kBits);
  const Rational bottom = exact::power_of_two(kBits - 1);
  while (value * exact::power_of_two(-exponent) >= top)
    ++exponent;
  while (value * exact::power_of_two(-exponent) < bottom)
    --exponent;
  const Rational scaled = value * exact::power_of_two(-exponent);
  Rational digits = scaled.floor();
  const Rational rest = scaled - digits;
  const Rational half = Rational(1) / Rational(2);
  const bool odd = !(digits / Rational(2)).is_whole();
  if (rest > half || (rest == half && odd)) digits += Rational(1);
  return digits * exact::power_of_two(exponent);
}

}  // namespace ullage::engine
