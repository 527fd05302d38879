// Typed access: exact numbers, and errors that name key, place and cure.
#include "document/value.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "document/read.hpp"

using namespace ullage::document;
using ullage::base::Code;
using ullage::exact::Rational;

namespace {

Document json(std::string_view text) {
  return read_json(text, "a.json").value();
}

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

std::string integer_fault(std::string_view text, std::int64_t low, std::int64_t high) {
  const Document document = json(text);
  const auto integer = as_integer(document, document.root, "n", low, high);
  REQUIRE_FALSE(integer.ok());
  CHECK(integer.error().code == Code::out_of_range);
  return integer.error().message;
}

}  // namespace

TEST_CASE("numbers of any form are exact") {
  const auto number = [](std::string_view text) {
    const Document document = json(text);
    return as_number(document, document.root, "n").value();
  };
  CHECK(number("0.1") == Rational::ratio(1, 10).value());
  CHECK(number("-2.50") == Rational::ratio(-5, 2).value());
  CHECK(number("6.5e3") == Rational(6500));
  CHECK(number("100000000000000000000") == ullage::exact::power_of_ten(20));
  CHECK(number("1e400") == ullage::exact::power_of_ten(400));
  CHECK(number("18446744073709551616") == ullage::exact::power_of_two(64));
}

TEST_CASE("NaN and Infinity are refused where a number is needed") {
  for (const std::string_view text : {"NaN", "Infinity", "-Infinity"}) {
    const Document document = json("\n " + std::string(text));
    const auto number = as_number(document, document.root, "rope.factor");
    REQUIRE_FALSE(number.ok());
    CHECK(number.error().code == Code::out_of_range);
    CHECK(number.error().message ==
          "rope.factor is " + std::string(text) + ", with which nothing can be computed");
    CHECK(number.error().span == ullage::base::Span{"a.json", 2, 2});
  }
}

TEST_CASE("other types are refused as numbers, and a quoted number gets its hint") {
  const Document document = json("[\"700\", \"700 W\", null, true, [], {}]");
  const auto refusal = [&](std::size_t i) {
    return as_number(document, document.root.items.at(i), "figures.tdp.value").error();
  };
  CHECK(refusal(0).message == "figures.tdp.value must be a number, not the string \"700\"");
  CHECK(refusal(0).code == Code::wrong_type);
  CHECK(refusal(0).span.column == 2);
  CHECK(refusal(0).hint == "write the number without quotes");
  CHECK(refusal(1).hint.empty());
  CHECK(refusal(2).message == "figures.tdp.value must be a number, not null");
  CHECK(refusal(3).message == "figures.tdp.value must be a number, not true");
  CHECK(refusal(4).message == "figures.tdp.value must be a number, not an array");
  CHECK(refusal(5).message == "figures.tdp.value must be a number, not an object");
}

TEST_CASE("a number beyond every limit is refused at its place") {
  const Document document = json("[1e99999]");
  const auto number = as_number(document, document.root.items[0], "n");
  REQUIRE_FALSE(number.ok());
  CHECK(number.error().span == ullage::base::Span{"a.json", 1, 2});
  CHECK(number.error().message.starts_with("n: "));
}

TEST_CASE("whole numbers within their range, however they are written") {
  const auto integer = [](std::string_view text) {
    const Document document = json(text);
    return as_integer(document, document.root, "n", kLowest, kHighest).value();
  };
  CHECK(integer("32") == 32);
  CHECK(integer("1e3") == 1000);
  CHECK(integer("2.0") == 2);
  CHECK(integer("-9223372036854775808") == kLowest);
  CHECK(integer("9223372036854775807") == kHighest);
  CHECK(integer_fault("9223372036854775808", kLowest, kHighest) ==
        "n must be a whole number of at most 64 bits, not 9223372036854775808");
  CHECK(integer_fault("0", 1, 64) == "n must be a whole number from 1 to 64, not 0");
  CHECK(integer_fault("65", 1, 64) == "n must be a whole number from 1 to 64, not 65");
  CHECK(integer_fault("3.5", 1, 64) == "n must be a whole number from 1 to 64, not 3.5");
  CHECK(integer_fault("-1", 0, kHighest) == "n must be a whole number of at least 0, not -1");
  CHECK(integer_fault("1", kLowest, 0) == "n must be a whole number of at most 0, not 1");
}

TEST_CASE("strings and booleans are taken only as such") {
  const Document document = json("[\"bf16\", 16, true, \"yes\", null]");
  const auto item = [&](std::size_t i) -> const Value& { return document.root.items.at(i); };
  CHECK(as_string(document, item(0), "dtype").value() == "bf16");
  CHECK(as_string(document, item(1), "dtype").error().message ==
        "dtype must be a string, not the number 16");
  CHECK(as_string(document, item(1), "dtype").error().hint == "put it in quotes");
  CHECK(as_string(document, item(4), "dtype").error().hint.empty());
  CHECK(as_boolean(document, item(2), "tied").value());
  CHECK(as_boolean(document, item(3), "tied").error().message ==
        "tied must be a boolean, not the string \"yes\"");
  CHECK(expect(document, document.root, Type::array, "x").ok());
  CHECK(expect(document, document.root, Type::object, "").error().message ==
        "the document must be an object, not an array");
}

TEST_CASE("a missing member is reported at its object, with the key that may be meant") {
  const Document document = json("{\"x\": {\n\"hiden_size\": 1}}");
  const Value& inner = *member(document, document.root, "x", "").value();
  CHECK(inner.find("hiden_size") != nullptr);
  CHECK(inner.find("x") == nullptr);
  const auto missing = member(document, inner, "hidden_size", "x");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().code == Code::missing_key);
  CHECK(missing.error().message == "x lacks the key \"hidden_size\"");
  CHECK(missing.error().hint == "is \"hiden_size\" meant to be it?");
  CHECK(missing.error().span == ullage::base::Span{"a.json", 1, 7});
  const Document list = json("[]");
  CHECK(member(list, list.root, "a", "").error().code == Code::wrong_type);
  CHECK(list.root.find("a") == nullptr);
}

TEST_CASE("an unknown member is reported at its key") {
  const Document document = json("{\"value\": 1,\n \"sorce\": 2}");
  CHECK(only_keys(document, document.root, {"value", "sorce"}, "f").ok());
  const auto unknown = only_keys(document, document.root, {"value", "source", "note"}, "f");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().code == Code::unknown_key);
  CHECK(unknown.error().message == "f has the unknown key \"sorce\"");
  CHECK(unknown.error().span == ullage::base::Span{"a.json", 2, 2});
  CHECK(unknown.error().hint == "did you mean source?");
  CHECK(only_keys(document, document.root, {"value", "locator"}, "f").error().hint ==
        "the keys here are value, locator");
  CHECK_FALSE(only_keys(json("1"), json("1").root, {}, "f").ok());
}

TEST_CASE("hostile text in a value is shown escaped and cut") {
  const Document document = json("\"\\u001b[2J" + std::string(1000, 'x') + "\"");
  const std::string message = as_number(document, document.root, "n").error().message;
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.size() < 120);
}

TEST_CASE("content is compared without places and without the order of members") {
  const auto same = [](std::string_view a, std::string_view b) {
    return same_content(json(a).root, json(b).root) && same_content(json(b).root, json(a).root);
  };
  CHECK(same("{\"a\": [1, null, \"x\"], \"b\": true}", "\n{\"b\":true,\n\"a\":[1,null,\"x\"]}"));
  CHECK_FALSE(same("[1, 2]", "[2, 1]"));
  CHECK_FALSE(same("[1]", "[1, 1]"));
  CHECK_FALSE(same("{\"a\": 1}", "{\"a\": 1, \"b\": 1}"));
  CHECK_FALSE(same("{\"a\": 1}", "{\"b\": 1}"));
  CHECK_FALSE(same("{\"a\": 1}", "{\"a\": 2}"));
  CHECK_FALSE(same("1", "\"1\""));
  CHECK_FALSE(same("true", "false"));
  CHECK_FALSE(same("null", "false"));
  CHECK_FALSE(same("1", "1.0"));
}

TEST_CASE("large objects in another order are compared in no time") {
  std::string forwards = "{\"first\": 0";
  std::string backwards = "\"first\": 0}";
  for (int i = 0; i < 8'000; ++i) {
    const std::string member = "\"k" + std::to_string(i) + "\":" + std::to_string(i);
    forwards += "," + member;
    backwards.insert(0, member + ",");
  }
  CHECK(same_content(json(forwards + "}").root, json("{" + backwards).root));
}
