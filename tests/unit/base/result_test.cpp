// A Result holds one side, and reading the other is a defect rather than garbage.
#include "base/result.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ullage::base;

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Diagnostic{.code = Code::out_of_range, .message = "odd"};
  return number / 2;
}

Result<void> even(int number) {
  ULLAGE_TRY(const int halved, half(number));
  static_cast<void>(halved);
  return {};
}

Result<int> quarter(int number) {
  ULLAGE_CHECK(even(number));
  ULLAGE_TRY(const int halved, half(number));
  return half(halved);
}

}  // namespace

TEST_CASE("a diagnostic travels up through the macros") {
  CHECK(quarter(12).value() == 3);
  CHECK(quarter(6).error().message == "odd");
  CHECK(quarter(3).error().code == Code::out_of_range);
  CHECK(even(2).ok());
  CHECK_FALSE(even(1).ok());
}

TEST_CASE("the side that is not there cannot be read") {
  CHECK_THROWS_AS(static_cast<void>(half(1).value()), Defect);
  CHECK_THROWS_AS(static_cast<void>(half(2).error()), Defect);
  CHECK_THROWS_AS(even(1).value(), Defect);
  CHECK_THROWS_AS(static_cast<void>(even(2).error()), Defect);
}
