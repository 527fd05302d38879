// The longest JSON number at the start of a text.
#include "document/number_text.hpp"

#include <doctest/doctest.h>

using ullage::document::number_length;

TEST_CASE("whole numbers, fractions and exponents are numbers to their last character") {
  for (const std::string_view text : {"0", "-0", "7", "320", "-12", "0.5", "1.50", "1e6", "1E+6",
                                      "6.5e-3", "123456789012345678901234567890"}) {
    CHECK_MESSAGE(number_length(text) == text.size(), text);
  }
}

TEST_CASE("what looks like a number but is none is taken only as far as it is one") {
  CHECK(number_length("") == 0);
  CHECK(number_length("-") == 0);
  CHECK(number_length("+1") == 0);
  CHECK(number_length(".5") == 0);
  CHECK(number_length("e5") == 0);
  CHECK(number_length("NaN") == 0);
  CHECK(number_length("5.") == 1);
  CHECK(number_length("5.e3") == 1);
  CHECK(number_length("010") == 1);
  CHECK(number_length("-01") == 2);
  CHECK(number_length("0x10") == 1);
  CHECK(number_length("1_000") == 1);
  CHECK(number_length("1e") == 1);
  CHECK(number_length("1e+") == 1);
  CHECK(number_length("1.5e-") == 3);
  CHECK(number_length("1.2.3") == 3);
  CHECK(number_length("96 GiB") == 2);
}
