// What JSON becomes: types, exact text of numbers, positions, repeated keys, limits.
#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"
#include "support/tree_text.hpp"

using namespace ullage::document;
using ullage::base::Code;
using ullage::test::tree_text;

namespace {

std::string tree(std::string_view text) {
  const auto document = read_json(text, "a.json");
  if (!document.ok()) return ullage::base::to_text(document.error());
  CHECK(document->file == "a.json");
  return tree_text(document->root);
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i)
    repeated += text;
  return repeated;
}

}  // namespace

TEST_CASE("every type stands at its first character") {
  CHECK(tree("null") == "null@1:1");
  CHECK(tree(" true") == "true@1:2");
  CHECK(tree("\nfalse ") == "false@2:1");
  CHECK(tree("\"a\"") == "\"a\"@1:1");
  CHECK(tree("[]") == "[]@1:1");
  CHECK(tree("{ }") == "{}@1:1");
  CHECK(tree("7") == "7@1:1");
  CHECK(tree("-7\n") == "-7@1:1");
}

TEST_CASE("keys and values have places of their own") {
  CHECK(tree("{\n  \"layers\": 32,\n  \"sizes\" : [4096 , 1.5e3],\n\t\"tied\":false\n}\n") ==
        "{layers@2:3 32@2:13, sizes@3:3 [4096@3:14, 1.5e3@3:21]@3:13, tied@4:2 false@4:9}@1:1");
  CHECK(tree("{\"a\":{\"b\":[{\"c\":null}]}}") ==
        "{a@1:2 {b@1:7 [{c@1:13 null@1:17}@1:12]@1:11}@1:6}@1:1");
}

TEST_CASE("columns count bytes, also behind escapes and other alphabets") {
  CHECK(tree("[\"\xc3\xa9\", \"\\u00e9\", 5]") ==
        "[\"\xc3\xa9\"@1:2, \"\xc3\xa9\"@1:8, 5@1:18]@1:1");
}

TEST_CASE("a byte order mark and carriage returns move nothing") {
  CHECK(tree("\xEF\xBB\xBF[1,\r\n 22]\r\n") == "[1@1:2, 22@2:2]@1:1");
}

TEST_CASE("numbers keep their text exactly") {
  CHECK(tree("[0, -0, 1e400, 1E-400, 18446744073709551616, 100000000000000000000, 1.10]") ==
        "[0@1:2, -0@1:5, 1e400@1:9, 1E-400@1:16, 18446744073709551616@1:24, "
        "100000000000000000000@1:46, 1.10@1:69]@1:1");
  const std::string digits(5000, '9');
  CHECK(tree(digits) == digits + "@1:1");
}

TEST_CASE("the bare tokens NaN and Infinity are numbers, inside strings they are text") {
  CHECK(tree("[NaN, Infinity,-Infinity]") == "[NaN@1:2, Infinity@1:7, -Infinity@1:16]@1:1");
  CHECK(tree("NaN") == "NaN@1:1");
  CHECK(tree("{\"NaN\": \"-Infinity, NaN 12\"}") == "{NaN@1:2 \"-Infinity, NaN 12\"@1:9}@1:1");
  CHECK(tree("[\"\\\"NaN\", NaN]") == "[\"\"NaN\"@1:2, NaN@1:11]@1:1");
  CHECK(tree("[\"\\\\\", 12]") == "[\"\\\"@1:2, 12@1:8]@1:1");
}

TEST_CASE("escapes are decoded, NUL included") {
  const auto document = read_json("\"\\u0000\\ud83d\\ude00\\n\\/\"", "a");
  CHECK(document->root.text == std::string("\0\xf0\x9f\x98\x80\n/", 7));
}

TEST_CASE("a key that repeats the same content is kept once") {
  CHECK(tree("{\"a\": 1, \"b\": 2, \"a\": 1}") == "{a@1:2 1@1:7, b@1:10 2@1:15}@1:1");
  CHECK(tree("{\"a\": {\"x\": 1, \"y\": [2]}, \"a\": {\"y\": [2], \"x\": 1}}") ==
        "{a@1:2 {x@1:8 1@1:13, y@1:16 [2@1:22]@1:21}@1:7}@1:1");
  CHECK(tree("{\"a\":1,\"a\":1,\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"g\":1}") ==
        "{a@1:2 1@1:6, b@1:20 1@1:24, c@1:26 1@1:30, d@1:32 1@1:36, e@1:38 1@1:42, "
        "f@1:44 1@1:48, g@1:50 1@1:54}@1:1");
}

TEST_CASE("a key that repeats with other content is refused at the second place") {
  const auto document = read_json("{\n  \"tdp\": 700,\n  \"x\": 1,\n  \"tdp\": 1000\n}", "a.json");
  REQUIRE_FALSE(document.ok());
  CHECK(document.error().code == Code::duplicate_key);
  CHECK(document.error().span == ullage::base::Span{"a.json", 4, 3});
  CHECK(document.error().message ==
        "the key \"tdp\" is given twice; first on line 2, with other content");
  CHECK_FALSE(read_json("{\"a\": 1, \"a\": 1.0}", "a").ok());
  CHECK_FALSE(read_json("{\"a\": 1, \"\\u0061\": 2}", "a").ok());
  CHECK_FALSE(read_json("[{\"x\": {\"a\": 1, \"a\": \"1\"}}]", "a").ok());
}

TEST_CASE("an object of ten thousand keys is checked in no time") {
  std::string text = "{";
  for (int i = 0; i < 10'000; ++i)
    text += "\"model.layers." + std::to_string(i) + "\":1,";
  CHECK(read_json(text + "\"last\":1}", "a").ok());
  const auto repeated = read_json(text + "\"model.layers.77\":2}", "a");
  CHECK(repeated.error().code == Code::duplicate_key);
  CHECK(read_json("{" + repeat("\"a\":1,", 10'000) + "\"a\":1}", "a")->root.members.size() == 1);
}

TEST_CASE("nesting is allowed to the limit and refused beyond it, at its place") {
  CHECK(read_json(repeat("[", 64) + repeat("]", 64), "a").ok());
  const auto deep = read_json(repeat("[", 65) + repeat("]", 65), "a.json");
  REQUIRE_FALSE(deep.ok());
  CHECK(deep.error().code == Code::syntax);
  CHECK(deep.error().message == "more than 64 arrays and objects are nested in each other here");
  CHECK(deep.error().span == ullage::base::Span{"a.json", 1, 65});
  CHECK_FALSE(read_json(repeat("[", 200'000), "a").ok());
  CHECK_FALSE(read_json(repeat("{\"a\":", 200'000), "a").ok());
  CHECK(read_json("[[1]]", "a", {.depth = 2}).ok());
  CHECK_FALSE(read_json("[[1]]", "a", {.depth = 1}).ok());
  CHECK(read_json("1", "a", {.depth = 0}).ok());
}

TEST_CASE("values and bytes are limited") {
  CHECK(read_json("[1,2]", "a", {.nodes = 3}).ok());
  const auto many = read_json("[1,\n2]", "a", {.nodes = 2});
  CHECK(many.error().message == "the text holds more than 2 values");
  CHECK(many.error().span.line == 2);
  CHECK(read_json("[1]", "a", {.bytes = 3}).ok());
  const auto large = read_json("[1] ", "a", {.bytes = 3});
  CHECK(large.error().code == Code::file_unreadable);
  CHECK(large.error().message == "the text has 4 bytes, more than the limit of 3");
}
