// What YAML becomes: types of plain scalars, positions, nulls, limits.
#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"
#include "support/tree_text.hpp"

using namespace ullage::document;
using ullage::test::tree_text;

namespace {

std::string tree(std::string_view text) {
  const auto document = read_yaml(text, "a.yaml");
  if (!document.ok()) return ullage::base::to_text(document.error());
  CHECK(document->file == "a.yaml");
  return tree_text(document->root);
}

// The type that a plain scalar gets.
std::string type(std::string_view scalar) {
  const auto document = read_yaml("a: " + std::string(scalar), "a.yaml");
  if (!document.ok()) return ullage::base::to_text(document.error());
  const Value& value = document->root.members.at(0).value;
  if (value.type == Type::number || value.type == Type::string) CHECK(value.text == scalar);
  return std::string(name_of(value.type));
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i)
    repeated += text;
  return repeated;
}

}  // namespace

TEST_CASE("block style: keys and values stand at their first character") {
  CHECK(tree("id: trainium2\nfigures:\n  chips:\n    value: 16\n    source: [a, b]\n") ==
        "{id@1:1 \"trainium2\"@1:5, figures@2:1 {chips@3:3 {value@4:5 16@4:12, source@5:5 "
        "[\"a\"@5:14, \"b\"@5:17]@5:13}@4:5}@3:3}@1:1");
  CHECK(tree("- a\n-   b: 1\n    c: 2\n- - x\n") ==
        "[\"a\"@1:3, {b@2:5 1@2:8, c@3:5 2@3:8}@2:5, [\"x\"@4:5]@4:3]@1:1");
  CHECK(tree("a:\n- b\n- c\nd: e\n") == "{a@1:1 [\"b\"@2:3, \"c\"@3:3]@2:1, d@4:1 \"e\"@4:4}@1:1");
}

TEST_CASE("flow style, comments and explicit keys") {
  CHECK(tree("{a: 1, \"b\":[2, {c: true}]}  # end\n") ==
        "{a@1:2 1@1:5, b@1:8 [2@1:13, {c@1:17 true@1:20}@1:16]@1:12}@1:1");
  CHECK(tree("# first\n\na: 1 # one\nb: x#y\n") == "{a@3:1 1@3:4, b@4:1 \"x#y\"@4:4}@3:1");
  CHECK(tree("? a\n: b\n") == "{a@1:3 \"b\"@2:3}@1:1");
  CHECK(tree("a: [x: 1, y]\n") == "{a@1:1 [{x@1:5 1@1:8}@1:5, \"y\"@1:11]@1:4}@1:1");
  CHECK(tree("{\n\ta: 1,\n\tb: [2]\n}") == "{a@2:2 1@2:5, b@3:2 [2@3:6]@3:5}@1:1");
}

TEST_CASE("a byte order mark and carriage returns move nothing, columns count bytes") {
  CHECK(tree("\xEF\xBB\xBF"
             "a: 1\r\nb: 2\r\n") == "{a@1:1 1@1:4, b@2:1 2@2:4}@1:1");
  CHECK(tree("{\xc3\xa9: \"\xc3\xbc\", b: 2}") ==
        "{\xc3\xa9@1:2 \"\xc3\xbc\"@1:6, b@1:12 2@1:15}@1:1");
  CHECK(tree("a: x\r\n  y\r\nb: |\r\n  z\r\n") == "{a@1:1 \"x y\"@1:4, b@3:1 \"z\n\"@3:4}@1:1");
}

TEST_CASE("plain scalars: only JSON's words and decimal numbers are more than text") {
  for (const std::string_view text :
       {"0", "-1", "1.50", "1e6", "6.5e-3", "100000000000000000000", "1e400"}) {
    CHECK_MESSAGE(type(text) == "number", text);
  }
  CHECK(type("true") == "boolean");
  CHECK(type("false") == "boolean");
  for (const std::string_view text : {"null", "~", "Null", "NULL", ""}) {
    CHECK_MESSAGE(type(text) == "null", text);
  }
  for (const std::string_view text :
       {"yes",  "no",       "on",         "off",   "True",  "TRUE",   "nULL", "None",  "010",
        "0x10", "0o17",     "1_000",      "+1",    ".5",    "5.",     ".inf", "-.inf", ".nan",
        "NaN",  "Infinity", "2026-11-30", "12:30", "1.2.3", "96 GiB", "a:b",  "-x"}) {
    CHECK_MESSAGE(type(text) == "string", text);
  }
}

TEST_CASE("quoted scalars and blocks of text are strings") {
  CHECK(tree("[\"1\", 'true', \"null\", '']") ==
        "[\"1\"@1:2, \"true\"@1:7, \"null\"@1:15, \"\"@1:23]@1:1");
  CHECK(tree("a: |\n  1\nb: >-\n  x\n  y\n") == "{a@1:1 \"1\n\"@1:4, b@3:1 \"x y\"@3:4}@1:1");
  CHECK(tree("a: 'it''s'\nb: \"\\u00e9\\t\\\"\"\n") ==
        "{a@1:1 \"it's\"@1:4, b@2:1 \"\xc3\xa9\t\"\"@2:4}@1:1");
  CHECK(tree("a: \"one\n  two\"\nb: one\n  two\n") ==
        "{a@1:1 \"one two\"@1:4, b@3:1 \"one two\"@3:4}@1:1");
  CHECK(tree("a: |\n  x\n  \ty\n") == "{a@1:1 \"x\n\ty\n\"@1:4}@1:1");
  CHECK(tree("\"<<\": 1") == "{<<@1:1 1@1:7}@1:1");
}

TEST_CASE("keys are text, whatever they look like") {
  CHECK(tree("1: a\ntrue: b\n\"null\": c\n") ==
        "{1@1:1 \"a\"@1:4, true@2:1 \"b\"@2:7, null@3:1 \"c\"@3:9}@1:1");
}

TEST_CASE("a value that is left out is a null at its key or array") {
  CHECK(tree("a:\nb: ~\n") == "{a@1:1 null@1:1, b@2:1 null@2:4}@1:1");
  CHECK(tree("x:\n  a: # nothing\n") == "{x@1:1 {a@2:3 null@2:3}@2:3}@1:1");
  CHECK(tree("- \n- b\n-\n") == "[null@1:1, \"b\"@2:3, null@1:1]@1:1");
  CHECK(tree("{a, b: }") == "{a@1:2 null@1:2, b@1:5 null@1:5}@1:1");
  CHECK(tree("a: null # why\n") == "{a@1:1 null@1:4}@1:1");
}

TEST_CASE("markers around one document and a version directive are accepted") {
  CHECK(tree("--- a\n...\n") == "\"a\"@1:5");
  CHECK(tree("---\na: 1\n...\n# end\n") == "{a@2:1 1@2:4}@2:1");
  CHECK(tree("# top\n%YAML 1.2\n---\na: 1\n") == "{a@4:1 1@4:4}@4:1");
}

TEST_CASE("trailing commas in flow style are YAML") {
  CHECK(tree("[a,]") == "[\"a\"@1:2]@1:1");
}

TEST_CASE("nesting, values and bytes are limited") {
  CHECK(read_yaml(repeat("[", 64) + repeat("]", 64), "a").ok());
  const auto deep = read_yaml(repeat("[", 65) + repeat("]", 65), "a");
  REQUIRE_FALSE(deep.ok());
  CHECK(deep.error().message == "more than 64 arrays and objects are nested in each other here");
  CHECK(deep.error().span.column == 65);
  for (const std::string_view unit : {"[", "{", "- ", "? ", "{a: ", "[\n"}) {
    CHECK_MESSAGE(!read_yaml(repeat(unit, 20'000), "a").ok(), unit);
  }
  std::string staircase;
  for (std::size_t i = 0; i < 1000; ++i)
    staircase += std::string(i, ' ') + "a:\n";
  CHECK(read_yaml(staircase, "a").error().span.line == 65);
  // The parser has a limit of its own, which a caller's cannot lift.
  const auto deeper = read_yaml(repeat("[", 5000), "a", {.depth = 100'000});
  CHECK(deeper.error().code == ullage::base::Code::syntax);
  CHECK(read_yaml("[1, 2]", "a", {.nodes = 3}).ok());
  CHECK(read_yaml("[1, 2]", "a", {.nodes = 2}).error().message ==
        "the text holds more than 2 values");
  CHECK(read_yaml("[1]", "a", {.bytes = 3}).ok());
  CHECK(read_yaml("[1]\n", "a", {.bytes = 3}).error().code == ullage::base::Code::file_unreadable);
}

TEST_CASE("long texts are read in linear time") {
  CHECK(read_yaml("[" + repeat("{a: 1},", 8'000) + "]", "a").ok());
  CHECK(read_yaml(repeat("- x\n", 20'000), "a").ok());
  CHECK(read_yaml("a: \"" + repeat("\\n ", 30'000) + "\"", "a").ok());
}
