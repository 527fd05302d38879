// Plain numbers against exact ones.
#include "batch/number.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

using ullage::batch::Number;
using ullage::batch::number_text;
using ullage::exact::Rational;

namespace {

std::string text_of(const Number& number) {
  std::string text;
  return number.append(text) ? text : number_text(number.rational());
}

}  // namespace

TEST_CASE("plain numbers agree with exact ones, value and text") {
  std::mt19937_64 random(20261201);
  const auto draw = [&] {
    const auto size = static_cast<std::int64_t>(random() >> (19 + random() % 45));
    return random() % 2 == 0 ? size : -size;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = draw();
    const std::int64_t b = draw() | 1;
    const std::int64_t c = draw();
    const std::int64_t d = (draw() & 1023) | 1;
    const Number plain = Number(a) / Number(b) + Number(c) / Number(d);
    const Rational exact = Rational(a) / Rational(b) + Rational(c) / Rational(d);
    REQUIRE_FALSE(plain.overflowed());
    CHECK(plain.rational() == exact);
    CHECK(plain.ceil().rational() == exact.ceil());
    CHECK(plain.floor().rational() == exact.floor());
    CHECK(text_of(plain) == number_text(exact));
    CHECK(plain.sign() == exact.sign());
    CHECK(max(Number(a), Number(c)).rational() == max(Rational(a), Rational(c)));
  }
}

TEST_CASE("texts at the edges") {
  CHECK(text_of(Number(1) / Number(8)) == "0.125");
  CHECK(text_of(Number(-1) / Number(20)) == "-0.05");
  CHECK(text_of(Number(2) / Number(3)) == number_text(Rational(2) / Rational(3)));
  CHECK(text_of(Number(0)) == "0");
  // 0.99… in the 17th digit carries into the whole part.
  const Number near = Number(std::int64_t{2'999'999'999'999'999'999}) /
                      Number(std::int64_t{300'000'000'000'000'000});
  CHECK(text_of(near) == number_text(near.rational()));
}

TEST_CASE("what does not fit says so, and stays so") {
  Number large(std::int64_t{1} << 62);
  large = large * large;
  CHECK_FALSE(large.overflowed());
  const Number over = large * large;
  CHECK(over.overflowed());
  CHECK((over - over).overflowed());
  CHECK(max(Number(1), over).overflowed());
  CHECK((Number(1) / Number(0)).overflowed());
  CHECK_FALSE(
      Number::of(Rational(1) / (Rational(std::int64_t{1} << 62) * Rational(4))).has_value());
}
