// Punctuation and escapes of the JSON writer.
#include "report/json_writer.hpp"

#include <doctest/doctest.h>

#include "sample_answer.hpp"

namespace {

using namespace ullage;
using report::JsonWriter;
using report::quoted;
using Layout = JsonWriter::Layout;

TEST_CASE("layout of nested containers") {
  JsonWriter json;
  json.begin_object();
  json.member("text", "x");
  json.member("whole", exact::Rational(7));
  json.member("flag", true);
  json.member_unless_empty("absent", "");
  json.member_or_null("none", "");
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("line");
  json.begin_array(Layout::one_line);
  json.number(exact::Rational(1));
  json.begin_object();
  json.member("a", exact::Rational(2));
  json.end_object();
  json.end_array();
  json.key("lines");
  json.begin_array();
  json.null();
  json.boolean(false);
  json.end_array();
  json.end_object();
  CHECK(std::move(json).finish() ==
        "{\n"
        "  \"text\": \"x\",\n"
        "  \"whole\": 7,\n"
        "  \"flag\": true,\n"
        "  \"none\": null,\n"
        "  \"empty\": [],\n"
        "  \"line\": [1, {\"a\": 2}],\n"
        "  \"lines\": [\n"
        "    null,\n"
        "    false\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("strings are escaped and sound") {
  CHECK(quoted("a\"b\\c") == R"("a\"b\\c")");
  CHECK(quoted("\b\f\n\r\t\x01\x1b\x7f") == R"("\b\f\n\r\t\u0001\u001b\u007f")");
  CHECK(quoted(std::string_view("\0", 1)) == R"("\u0000")");
  CHECK(quoted("模型 ×") == "\"模型 ×\"");
  CHECK(quoted("\xff/") == "\"\xEF\xBF\xBD/\"");
}

TEST_CASE("numbers keep every digit of a whole number") {
  JsonWriter whole;
  whole.number(report::sample::number("123456789012345678901234567890"));
  CHECK(std::move(whole).finish() == "123456789012345678901234567890\n");
  JsonWriter third;
  third.number(report::sample::number("1/3"));
  CHECK(std::move(third).finish() == "0.33333333333333333\n");
}

TEST_CASE("calls that make no JSON are a defect") {
  const auto refused = [](auto calls) {
    JsonWriter json;
    CHECK_THROWS_AS(calls(json), base::Defect);
  };
  refused([](JsonWriter& json) { std::move(json).finish(); });
  refused([](JsonWriter& json) { json.key("x"); });
  refused([](JsonWriter& json) { json.end_object(); });
  refused([](JsonWriter& json) {
    json.begin_object();
    json.string("no key");
  });
  refused([](JsonWriter& json) {
    json.begin_object();
    json.key("a");
    json.end_object();
  });
  refused([](JsonWriter& json) {
    json.begin_array();
    json.end_object();
  });
  refused([](JsonWriter& json) {
    json.null();
    json.null();
  });
  refused([](JsonWriter& json) {
    json.begin_array();
    std::move(json).finish();
  });
}

}  // namespace
