// Generated numbers that crowd where exact arithmetic changes its ways: around 64 and 128 bits.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

namespace ullage::property {

// The same values in every run and on every platform: std::mt19937_64 is fixed by the standard, the
// standard distributions are not, so there are none here.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool one_in(std::uint64_t bound) { return below(bound) == 0; }

  // Bits of a whole number, most significant first: the width is small, near 32, 64, 127 or 128,
  // or anything up to 300, and the bits are random, all ones, or a power of two and its neighbours.
  std::string bits() {
    constexpr std::array<std::uint64_t, 14> widths{31,  32,  33,  62,  63,  64,  65,
                                                   126, 127, 128, 129, 130, 190, 256};
    const std::uint64_t draw = below(4);
    const std::uint64_t width = draw == 0   ? 1 + below(16)
                                : draw == 1 ? 1 + below(300)
                                            : widths[below(widths.size())];
    const std::uint64_t shape = below(5);
    std::string text = "1";
    while (text.size() < width) {
      text += shape == 0 ? '1' : shape == 1 ? '0' : one_in(2) ? '1' : '0';
    }
    if (shape == 1 && one_in(2)) text.back() = '1';
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ullage::property
