// Conditions on rows.
#include "batch/expression.hpp"

#include <doctest/doctest.h>

using ullage::batch::Expression;
using ullage::batch::Operand;
using ullage::exact::Rational;

namespace {

Operand row(std::string_view name) {
  if (name == "devices_min") return {Operand::Kind::number, Rational(6), {}};
  if (name == "headroom") return {Operand::Kind::number, Rational(-20'000'000'000), {}};
  if (name == "verdict") return {Operand::Kind::text, {}, "fits"};
  if (name == "context") return {Operand::Kind::text, {}, "8k"};
  if (name == "payload") return {Operand::Kind::unknown, {}, {}};
  return {};
}

bool holds(std::string_view text) {
  const auto expression = Expression::parse(text);
  REQUIRE(expression.ok());
  return expression->holds(row);
}

}  // namespace

TEST_CASE("comparisons and their joining") {
  CHECK(holds("devices_min <= 6"));
  CHECK_FALSE(holds("devices_min<6"));
  CHECK(holds("verdict == fits and devices_min == 6"));
  CHECK(holds("verdict = \"fits\""));
  CHECK(holds("verdict != lower-bound"));
  CHECK(holds("devices_min > 6 or verdict == fits and devices_min >= 2"));
  CHECK_FALSE(holds("(devices_min > 6 or verdict == fits) and devices_min >= 7"));
  CHECK(holds("not (devices_min > 6)"));
  CHECK(holds("headroom < 10GB"));
  CHECK(holds("context == 8192"));
  CHECK(holds("context >= 8k && !(context > 8k)"));
}

TEST_CASE("what is unknown is neither true nor false") {
  CHECK_FALSE(holds("payload > 1"));
  CHECK_FALSE(holds("not (payload > 1)"));
  CHECK(holds("payload > 1 or verdict == fits"));
  CHECK(holds("payload == unknown"));
  CHECK_FALSE(holds("payload != unknown"));
  CHECK_FALSE(holds("absent == 1"));
  CHECK(holds("verdict != unknown"));
}

TEST_CASE("faults name their character") {
  const auto fault = [](std::string_view text) {
    const auto expression = Expression::parse(text);
    REQUIRE_FALSE(expression.ok());
    return expression.error().message;
  };
  CHECK(fault("devices_min <=").find("character 15") != std::string::npos);
  CHECK(fault("devices_min").find("comparison was expected") != std::string::npos);
  CHECK(fault("(a == 1").find("not closed") != std::string::npos);
  CHECK(fault("a == 1 b").find("nothing was expected") != std::string::npos);
  CHECK(fault("a < many").find("is no number") != std::string::npos);
  CHECK(fault("a == 'x").find("not closed") != std::string::npos);
  const std::string deep(5000, '(');
  CHECK(fault(deep).find("too many") != std::string::npos);
}
