// 128-bit integers: greatest common divisor and decimal text.
#include "exact/int128.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace ullage::exact {

namespace {

constexpr Unsigned128 kMost64 = UINT64_MAX;

std::uint64_t low_half(Unsigned128 value) {
  return static_cast<std::uint64_t>(value);
}

int trailing_zeros(Unsigned128 value) {
  const std::uint64_t low = low_half(value);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(low_half(value >> 64));
}

// Stein's algorithm on odd numbers: no division, which costs most on this machine word.
std::uint64_t odd_divisor(std::uint64_t a, std::uint64_t b) {
  while (a != b) {
    if (a < b) std::swap(a, b);
    a -= b;
    a >>= std::countr_zero(a);
  }
  return a;
}

// The same on 128 bits, until both numbers fit in 64.
Unsigned128 odd_divisor(Unsigned128 a, Unsigned128 b) {
  while (a != b) {
    if ((a | b) <= kMost64) return odd_divisor(low_half(a), low_half(b));
    if (a < b) std::swap(a, b);
    a -= b;
    a >>= trailing_zeros(a);
  }
  return a;
}

}  // namespace

Unsigned128 greatest_common_divisor(Unsigned128 a, Unsigned128 b) {
  if (a < b) std::swap(a, b);
  if (b <= 1) return b == 0 ? a : 1;
  // One step of Euclid's first: numbers of unlike length would take a subtraction a bit.
  a %= b;
  if (a <= 1) return a == 0 ? b : 1;
  const int twos = trailing_zeros(a | b);
  return odd_divisor(a >> trailing_zeros(a), b >> trailing_zeros(b)) << twos;
}

bool from_magnitude(Unsigned128 magnitude, bool negative, Int128& result) {
  const Unsigned128 limit = (Unsigned128{1} << 127) - (negative ? 0 : 1);
  if (magnitude > limit) return false;
  result = static_cast<Int128>(negative ? 0 - magnitude : magnitude);
  return true;
}

std::string to_text(Int128 value) {
  constexpr std::uint64_t chunk = 10'000'000'000'000'000'000U;  // nineteen digits a division
  Unsigned128 rest = magnitude(value);
  std::string text;
  while (rest > kMost64) {
    const std::string digits = std::to_string(low_half(rest % chunk));
    text.insert(0, std::string(19 - digits.size(), '0') + digits);
    rest /= chunk;
  }
  text.insert(0, std::to_string(low_half(rest)));
  return value < 0 ? "-" + text : text;
}

}  // namespace ullage::exact
