// What the language lacks for 128-bit integers: magnitude, greatest common divisor, decimal text.
// Inside this room only.
#pragma once

#include <string>

#include "exact/rational.hpp"

namespace ullage::exact {

__extension__ using Unsigned128 = unsigned __int128;

// The absolute value, also of the most negative number.
constexpr Unsigned128 magnitude(Int128 value) {
  const auto bits = static_cast<Unsigned128>(value);
  return value < 0 ? 0 - bits : bits;
}

// The greatest common divisor; of zero and b it is b.
Unsigned128 greatest_common_divisor(Unsigned128 a, Unsigned128 b);

// The number of that magnitude and sign in `result`; false where it does not fit.
bool from_magnitude(Unsigned128 magnitude, bool negative, Int128& result);

std::string to_text(Int128 value);

}  // namespace ullage::exact
