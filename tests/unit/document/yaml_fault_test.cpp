// What YAML is refused, why and where.
#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"

using namespace ullage::document;
using ullage::base::Code;

namespace {

// `line:column: message`. Every refusal says what would be right.
std::string fault(std::string_view text, Code code = Code::syntax) {
  const auto document = read_yaml(text, "a.yaml");
  REQUIRE_MESSAGE(!document.ok(), text);
  const auto& error = document.error();
  CHECK(error.code == code);
  CHECK(error.span.file == "a.yaml");
  CHECK_MESSAGE(!error.hint.empty(), text);
  return std::to_string(error.span.line) + ':' + std::to_string(error.span.column) + ": " +
         error.message;
}

}  // namespace

TEST_CASE("text without a value says so") {
  CHECK(fault("") == "1:1: the text is empty");
  CHECK(fault(" \n\n") == "1:1: the text is empty");
  CHECK(fault("# only\n  # comments\n") == "1:1: the text holds comments only");
}

TEST_CASE("anchors and aliases") {
  const std::string message = "anchors and aliases are not accepted here";
  CHECK(fault("a: &x 1") == "1:4: " + message);
  CHECK(fault("&x a: 1") == "1:1: " + message);
  CHECK(fault("a: &x\n  b: 1\nc: *x") == "1:4: " + message);
  CHECK(fault("a: &x [1]") == "1:4: " + message);
  CHECK(fault("a: &x") == "1:4: " + message);
  CHECK(fault("- &x") == "1:3: " + message);
  CHECK(fault("a: *x") == "1:4: " + message);
  CHECK(fault("a: &") == "1:5: " + message);
  CHECK(fault("*x : 1") == "1:1: " + message);
}

TEST_CASE("tags") {
  const std::string message = "tags are not accepted here";
  CHECK(fault("a: !!str 1") == "1:4: " + message);
  CHECK(fault("a: ! 1") == "1:4: " + message);
  CHECK(fault("a: !") == "1:4: " + message);
  CHECK(fault("a: !x {b: 1}") == "1:4: " + message);
  CHECK(fault("!x a: 1") == "1:1: " + message);
  CHECK(fault("a: !<tag:x> b") == "1:4: " + message);
  CHECK(fault("a: !!!").ends_with(message));
  CHECK(read_yaml("a: '!x'\nb: x!y\n", "a").ok());
}

TEST_CASE("merge keys") {
  CHECK(fault("<<: {a: 1}") == "1:1: merge keys are not accepted here");
  CHECK(fault("x:\n  <<: 1\n") == "2:3: merge keys are not accepted here");
}

TEST_CASE("duplicate keys, even with the same content") {
  CHECK(fault("a: 1\nb: 2\na: 3\n", Code::duplicate_key) ==
        "3:1: the key \"a\" is given twice; first on line 1, with other content");
  CHECK(fault("x:\n  {a: 1, a: 1}\n", Code::duplicate_key) ==
        "2:10: the key \"a\" is given twice; first on line 2, with the same content");
  CHECK(fault("a: 1\n\"a\": 2\n", Code::duplicate_key).starts_with("2:1: "));
}

TEST_CASE("keys that are no word") {
  const std::string message = "a key must be a word, not an array or an object";
  CHECK(fault("? [a]\n: 1") == "1:3: " + message);
  CHECK(fault("{[a]: 1}") == "1:2: " + message);
  CHECK(fault("{{a: b}: 1}") == "1:2: " + message);
  CHECK(fault("? - x\n: 1") == "1:3: " + message);
  CHECK(fault("null: 1") == "1:1: null cannot be a key");
  CHECK(fault("~: 1") == "1:1: null cannot be a key");
  CHECK(fault(": 1") == "1:1: a key is missing here");
  CHECK(fault("{a: 1,, b: 2}") == "1:7: a key is missing here");
}

TEST_CASE("empty entries between commas") {
  CHECK(fault("[a,,b]") == "1:4: an entry is missing here");
  CHECK(fault("[,a]") == "1:2: an entry is missing here");
}

TEST_CASE("more than one document") {
  CHECK(fault("a: 1\n---\nb: 2\n") == "2:1: a second document starts here");
  CHECK(fault("---\na: 1\n---\n") == "3:1: a second document starts here");
  CHECK(fault("a: 1\n...\nb: 2\n") == "3:1: the document has ended before this");
  CHECK(fault("[1, 2] x") == "1:8: the document has ended before this");
  CHECK(fault("- a\nb: 1\n") == "2:1: the document has ended before this");
  CHECK(fault("- a\n-b\n") == "2:1: the document has ended before this");
}

TEST_CASE("a text that the parser reports as endlessly many documents is refused") {
  CHECK(fault(",") == "1:1: the document has ended before this");
  CHECK(fault("{[a]: 1}\n,") == "1:2: a key must be a word, not an array or an object");
}

TEST_CASE("directives, which the parser would skip") {
  CHECK(fault("%FOO\n---\na: 1").starts_with("1:1: a line starts with '%'"));
  CHECK(fault("%TAG ! x\n---\na: 1").starts_with("1:1: a line starts with '%'"));
  CHECK(fault("a: 1\n%b: 2\n").starts_with("2:1: a line starts with '%'"));
  CHECK(fault("%YAML 3.0\n---\na: 1") == "1:1: this YAML version is not accepted");
}

TEST_CASE("tabs in indentation") {
  CHECK(fault("a:\n\tb: 1\n") == "2:2: a tab indents this line");
  CHECK(fault("a:\n\tb\n") == "2:2: a tab indents this line");
  CHECK(fault("\ta: 1") == "1:2: a tab indents this line");
  CHECK(fault("a:\n  b: 1\n \tc: 2\n") == "3:2: a tab indents this line");
  CHECK(fault("a: b\n\tc\n") == "2:1: a tab indents this line");
  CHECK(fault("a: |\n\tx\n") == "2:1: a tab indents this line");
  CHECK(fault("a:\n\t~\n") == "2:2: a tab indents this line");
  CHECK(fault("a:\n\t- b\n") == "2:2: a tab indents this line");
  CHECK(read_yaml("a:\tb\nc: d\t# e\n", "a").ok());
}

TEST_CASE("unclosed quotes and brackets are reported at the end") {
  CHECK(fault("a: \"x\nb: 2\nc: 3\n") ==
        "4:1: the text ends inside the string that starts at line 1, column 4");
  CHECK(fault("a: 'x\n") == "2:1: the text ends inside the string that starts at line 1, column 4");
  CHECK(fault("a: 'it''\n") ==
        "2:1: the text ends inside the string that starts at line 1, column 4");
  CHECK(fault("a: \"x\\\"\n") ==
        "2:1: the text ends inside the string that starts at line 1, column 4");
  CHECK(fault("a: 'x") == "1:6: the text ends inside a quoted string");
  CHECK(fault("{a: 1") ==
        "1:6: the text ends too soon: expected ',' or '}' after the entry of '{'");
  CHECK(fault("[a, b\n") ==
        "2:1: the text ends too soon: expected ',' or ']' after the entry of '['");
}

TEST_CASE("broken structure") {
  CHECK(fault("a: b: c") == "1:5: a ':' cannot stand here");
  CHECK(fault("a: 1\n  b: 2\n") == "2:4: a ':' cannot stand here");
  CHECK(fault("a:\n  b: 1\n c: 2\n") == "3:2: expected the next key of the mapping");
  CHECK(fault("a: 1\n- b\n") == "2:1: expected the next key of the mapping");
  CHECK(fault("a: \"b\" c\n") == "1:8: expected the next key of the mapping");
  CHECK(fault("a: - b\n") == "1:4: a '- ' cannot stand here");
  CHECK(fault("a: }\n") == "1:4: a closing bracket stands here without its opening one");
  CHECK(fault("{a: 1 b: 2}") == "1:8: expected ',' or '}' after the entry of '{'");
  CHECK(fault("a: @x\n") == "1:4: plain text cannot start with this character");
  CHECK(fault("a: `x`\n") == "1:4: plain text cannot start with this character");
  CHECK(fault("a: \"\\q\"\n") == "1:7: the string holds an unknown escape");
  CHECK(fault("a: \"\\ud83d\\ude00\"\n").ends_with("a code point that is no character"));
}

TEST_CASE("bytes that no YAML may hold") {
  CHECK(fault(std::string_view("a: b\0c\n", 7)) ==
        "1:5: the text holds the control character \\x00");
  // The parser takes this byte for the end of the text.
  CHECK(fault("a: 1\n\x04"
              "b: 2\n") == "2:1: the text holds the control character \\x04");
  CHECK(fault("a: \x1b[2J\n") == "1:4: the text holds the control character \\x1b");
  CHECK(fault("a: \xc2\x9b\n") == "1:4: the text holds the control character \\u009b");
  CHECK(fault("a: \"\xff\"\n") == "1:5: the byte \\xff is not UTF-8");
  CHECK(fault("a: \xed\xa0\x80\n") == "1:4: the byte \\xed is not UTF-8");
  CHECK(fault("a: 1\rb: 2\n") == "1:5: a carriage return stands without a line feed");
  CHECK(fault("a: \xEF\xBB\xBF"
              "b\n") == "1:4: an invisible byte order mark stands inside the text");
  CHECK(fault("\xff\xfe"
              "a") == "1:1: this is UTF-16 text");
}

TEST_CASE("merge conflict markers") {
  CHECK(fault("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n") ==
        "2:1: a merge conflict marker stands here");
  CHECK(fault("a: x\n=======\n") == "2:1: a merge conflict marker stands here");
}

TEST_CASE("every prefix of a document is read or refused, never more") {
  const std::string whole =
      "a: {b: [1, \"x\\u00e9\", 'it''s'], c: ~}\nd:\n  - e: |\n      text\n    f: >-\n      more\n"
      "  - \"g\"\n";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto document = read_yaml(whole.substr(0, length), "a");
    if (!document.ok()) CHECK(document.error().code == Code::syntax);
  }
}
