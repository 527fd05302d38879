// Text to exact numbers and back.
#include <doctest/doctest.h>

#include <string>

#include "exact/rational.hpp"

namespace ullage::exact {
namespace {

Rational number(std::string_view text) {
  return Rational::parse_fraction(text).value();
}

TEST_CASE("decimal text is read exactly") {
  struct Row {
    const char* text;
    const char* value;
  };
  const Row rows[] = {
      {"0", "0"},
      {"-0", "0"},
      {"-0.000", "0"},
      {"0e4096", "0"},
      {"320", "320"},
      {"-0.5", "-1/2"},
      {"6.5e3", "6500"},
      {"6.5E+3", "6500"},
      {"1e-3", "1/1000"},
      {"1.50", "3/2"},
      {"2.9e12", "2900000000000"},
      {"010", "10"},
      {"0.1", "1/10"},
      {"18446744073709551616", "18446744073709551616"},
      {"99999999999999999999999999999999999999", "99999999999999999999999999999999999999"},
      {"100000000000000000000000000000000000000000000",
       "100000000000000000000000000000000000000000000"},
      {"000000000000000000000000000000000000000000077", "77"},
      {"123456789012345678901234567890123456789012.5",
       "246913578024691357802469135780246913578025/2"},
      {"1e0000000000000000000000000000000002", "100"},
      {"1000000000000000000000000000000000000000000000e-45", "1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = Rational::parse(row.text);
    REQUIRE(value.ok());
    CHECK(value->to_string() == row.value);
  }
}

TEST_CASE("what is no decimal number is refused") {
  const char* rows[] = {"",     "-",   "+5",   ".5",       "5.",  "1_000", "1,299", "1'000",
                        "0x10", "1e",  "1e+",  "1e5.0",    "--5", " 5",    "5 ",    "5\n",
                        "NaN",  "inf", "-inf", "Infinity", "1/2", "1.2.3", "1e5e5", "5-",
                        "١٢",   "e5",  "-.5",  "1e- 5",    "0b1", "1f",    "TRUE"};
  for (const char* text : rows) {
    CAPTURE(text);
    const auto value = Rational::parse(text);
    REQUIRE_FALSE(value.ok());
    CHECK(value.error().code == base::Code::syntax);
    CHECK_FALSE(value.error().message.empty());
    CHECK_FALSE(value.error().hint.empty());
  }
  CHECK_FALSE(Rational::parse(std::string_view("5\0", 2)).ok());
  CHECK(Rational::parse("1_000").error().message == "`1_000` is not a decimal number");
  CHECK(Rational::parse("1_000").error().hint == "write the digits without separators");
}

TEST_CASE("numbers beyond every use are refused before they are computed") {
  const std::string longest(4096, '7');
  CHECK(Rational::parse(longest).value().to_string() == longest);
  for (const std::string& text :
       {longest + "7", "0." + longest, std::string("1e4097"), std::string("1e-4097"),
        std::string("0e99999999999999999999"), std::string("1e-99999999999999999999")}) {
    const auto value = Rational::parse(text);
    REQUIRE_FALSE(value.ok());
    CHECK(value.error().code == base::Code::out_of_range);
    CHECK(value.error().message.size() < 200);
  }
  CHECK(Rational::parse("1e4096").ok());
  CHECK(Rational::parse("1e-4096").value() == power_of_ten(-4096));
}

TEST_CASE("fractions") {
  CHECK(number("3/4").to_string() == "3/4");
  CHECK(number("-6/8").to_string() == "-3/4");
  CHECK(number("8/4").to_string() == "2");
  CHECK(number("1.25") == number("5/4"));
  CHECK(Rational::parse_fraction("1/0").error().code == base::Code::arithmetic);
  for (const char* text : {"/", "1/", "/2", "1/-2", "1.5/2", "1/2/3", "1 / 2", "a/b", "+1/2"}) {
    CAPTURE(text);
    const auto value = Rational::parse_fraction(text);
    REQUIRE_FALSE(value.ok());
    CHECK(value.error().code == base::Code::syntax);
  }
  const std::string longer(4097, '9');
  CHECK(Rational::parse_fraction("1/" + longer).error().code == base::Code::out_of_range);
}

TEST_CASE("to_decimal has exactly the digits asked for") {
  struct Row {
    const char* value;
    unsigned digits;
    const char* down;
    const char* up;
    const char* nearest;
  };
  const Row rows[] = {
      {"0", 0, "0", "0", "0"},
      {"0", 2, "0.00", "0.00", "0.00"},
      {"103079215104/1000000000", 2, "103.07", "103.08", "103.08"},
      {"1/3", 3, "0.333", "0.334", "0.333"},
      {"-1/3", 3, "-0.334", "-0.333", "-0.333"},
      {"1/2", 0, "0", "1", "1"},
      {"-1/2", 0, "-1", "0", "-1"},
      {"5/2", 0, "2", "3", "3"},
      {"-5/2", 0, "-3", "-2", "-3"},
      {"1/8", 2, "0.12", "0.13", "0.13"},
      {"-1/8", 2, "-0.13", "-0.12", "-0.13"},
      {"1/1000", 2, "0.00", "0.01", "0.00"},
      {"-1/1000", 2, "-0.01", "0.00", "0.00"},
      {"999/1000", 2, "0.99", "1.00", "1.00"},
      {"96", 2, "96.00", "96.00", "96.00"},
      {"-96", 1, "-96.0", "-96.0", "-96.0"},
      {"123456789012345678901234567890123456789012345/7", 1,
       "17636684144620811271604938270017636684144620.7",
       "17636684144620811271604938270017636684144620.8",
       "17636684144620811271604938270017636684144620.7"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CAPTURE(row.digits);
    const Rational value = number(row.value);
    CHECK(value.to_decimal(row.digits, Rounding::down) == row.down);
    CHECK(value.to_decimal(row.digits, Rounding::up) == row.up);
    CHECK(value.to_decimal(row.digits, Rounding::nearest) == row.nearest);
  }
}

TEST_CASE("to_significant prints a correctly rounded JSON number") {
  struct Row {
    const char* value;
    unsigned digits;
    const char* text;
  };
  const Row rows[] = {
      {"0", 17, "0"},
      {"438086664192/5", 17, "87617332838.4"},
      {"1/3", 17, "0.33333333333333333"},
      {"2/3", 17, "0.66666666666666667"},
      {"-2/3", 3, "-0.667"},
      {"1/10", 17, "0.1"},
      {"320000000000", 17, "320000000000"},
      {"12345", 3, "12300"},
      {"12355", 4, "12360"},
      {"12345", 4, "12350"},
      {"-12345", 4, "-12350"},
      {"99999", 3, "100000"},
      {"999/1000", 2, "1"},
      {"19/2", 1, "10"},
      {"1/1000000", 17, "0.000001"},
      {"3/20000000", 17, "1.5e-07"},
      {"-3/20000000", 17, "-1.5e-07"},
      {"999999/1000000000000", 17, "9.99999e-07"},
      {"9999999999/10000000000000000", 3, "0.000001"},
      {"1/10000000", 17, "1e-07"},
      {"999999999999999999999", 21, "999999999999999999999"},
      {"999999999999999999999", 20, "1e+21"},
      {"100000000000000000000", 17, "100000000000000000000"},
      {"1000000000000000000000", 17, "1e+21"},
      {"1234567890123456789012345", 17, "1.2345678901234568e+24"},
      {"1/3", 40, "0.3333333333333333333333333333333333333333"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CAPTURE(row.digits);
    CHECK(number(row.value).to_significant(row.digits) == row.text);
  }
  CHECK(power_of_ten(120).to_significant(5) == "1e+120");
  CHECK(power_of_ten(-120).to_significant(5) == "1e-120");
  CHECK(power_of_two(-1).to_significant(1) == "0.5");
  CHECK_THROWS_AS(Rational(1).to_significant(0), base::Defect);
}

TEST_CASE("to_string of a spilled value") {
  CHECK((-power_of_ten(40)).to_string() == "-10000000000000000000000000000000000000000");
  CHECK((power_of_ten(40) / 7).to_string() == "10000000000000000000000000000000000000000/7");
}

}  // namespace
}  // namespace ullage::exact
