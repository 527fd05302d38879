// Token by token: the same language and the same faults as the tree's reader.
#include "document/json_cursor.hpp"

#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"

using namespace ullage::document;

namespace {

// The tokens of a text as letters with their texts, or the fault.
std::string tokens(std::string_view text) {
  JsonCursor cursor(text, "a.json", 8);
  std::string result;
  for (;;) {
    const auto token = cursor.next();
    if (!token.ok()) return ullage::base::to_text(token.error());
    switch (*token) {
      case JsonToken::object:
        result += '{';
        break;
      case JsonToken::object_end:
        result += '}';
        break;
      case JsonToken::array:
        result += '[';
        break;
      case JsonToken::array_end:
        result += ']';
        break;
      case JsonToken::key:
        result += "k(" + std::string(cursor.text()) + ")";
        break;
      case JsonToken::string:
        result += "s(" + std::string(cursor.text()) + ")";
        break;
      case JsonToken::number:
        result += "n(" + std::string(cursor.text()) + ")";
        break;
      case JsonToken::boolean:
        result += cursor.truth() ? 't' : 'f';
        break;
      case JsonToken::null:
        result += '0';
        break;
      case JsonToken::end:
        return result;
    }
  }
}

}  // namespace

TEST_CASE("a cursor gives every token with its text") {
  CHECK(tokens(" {\"a\" : [1, -2.5e+3 ,true,false,null,\"x\"], \"b\":{}} ") ==
        "{k(a)[n(1)n(-2.5e+3)tf0s(x)]k(b){}}");
  CHECK(tokens("7") == "n(7)");
  CHECK(tokens("[]") == "[]");
  CHECK(tokens("\"\\u00e9\\ud83d\\ude00\\n\\/\"") == "s(\xc3\xa9\xf0\x9f\x98\x80\n/)");
}

TEST_CASE("what breaks the grammar is refused in the words of the tree's reader") {
  for (const char* text : {"",
                           "{",
                           "[1",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1,}",
                           "[1,]",
                           "{,}",
                           "{\"a\" 1}",
                           "[1 2]",
                           "tru",
                           "nul",
                           "truee",
                           "01",
                           "1.",
                           "-",
                           "+1",
                           ".5",
                           "1e",
                           "\"a",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"\t\"",
                           "\"\xff\"",
                           "{} {}",
                           "'a'",
                           "{a:1}",
                           "[1,,2]",
                           "{\"a\":1 \"b\":2}",
                           "]",
                           "}",
                           "[}",
                           "{]",
                           "// x\n1",
                           "\"\\"}) {
    const auto tree = read_json(text, "a.json");
    REQUIRE_FALSE(tree.ok());
    CHECK_MESSAGE(tokens(text) == ullage::base::to_text(tree.error()), text);
  }
}

TEST_CASE("nesting is bounded") {
  CHECK(tokens("[[[[[[[[1]]]]]]]]") == "[[[[[[[[n(1)]]]]]]]]");
  CHECK(tokens("[[[[[[[[[1]]]]]]]]]").find("a.json:1:9: error[syntax]: more than 8") == 0);
}

TEST_CASE("a value is passed over whole") {
  JsonCursor cursor("{\"a\": {\"b\": [1, {}]}, \"c\": 2}", "a.json");
  CHECK(*cursor.next() == JsonToken::object);
  CHECK(*cursor.next() == JsonToken::key);
  const auto first = cursor.next();
  REQUIRE(*first == JsonToken::object);
  CHECK(cursor.offset() == 6);
  REQUIRE(cursor.skip(*first).ok());
  CHECK(*cursor.next() == JsonToken::key);
  CHECK(cursor.text() == "c");
  CHECK(cursor.text_is_borrowed());
  CHECK(*cursor.next() == JsonToken::number);
  CHECK(*cursor.next() == JsonToken::object_end);
  CHECK(*cursor.next() == JsonToken::end);
}
