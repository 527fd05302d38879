// What is said about text that is no JSON, and where.
#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"

using namespace ullage::document;
using ullage::base::Code;

namespace {

// `line:column: message`.
std::string fault(std::string_view text) {
  const auto document = read_json(text, "a.json");
  REQUIRE_MESSAGE(!document.ok(), text);
  const auto& error = document.error();
  CHECK(error.code == Code::syntax);
  CHECK(error.span.file == "a.json");
  return std::to_string(error.span.line) + ':' + std::to_string(error.span.column) + ": " +
         error.message;
}

std::string hint(std::string_view text) {
  const auto document = read_json(text, "a.json");
  REQUIRE_FALSE(document.ok());
  return document.error().hint;
}

}  // namespace

TEST_CASE("empty text says that it is empty") {
  CHECK(fault("") == "1:1: the text is empty");
  CHECK(fault(" \n\t\r\n") == "3:1: the text is empty");
  CHECK(fault("\xEF\xBB\xBF") == "1:1: the text is empty");
}

TEST_CASE("truncated text is reported at its end, with what it lacks") {
  CHECK(fault("{") == "1:2: the text ends too soon: expected a key or '}'");
  CHECK(fault("[") == "1:2: the text ends too soon: expected a value or ']'");
  CHECK(fault("{\"a\"") == "1:5: the text ends too soon: expected ':' after the key");
  CHECK(fault("{\"a\":") == "1:6: the text ends too soon: expected a value after ':'");
  CHECK(fault("{\"a\": 1\n") == "2:1: the text ends too soon: expected ',' or '}' after the value");
  CHECK(fault("{\"a\": 1,") == "1:9: the text ends too soon: expected a key after ','");
  CHECK(fault("[1") == "1:3: the text ends too soon: expected ',' or ']' after the value");
  CHECK(fault("[12, ") == "1:6: the text ends too soon: expected a value after ','");
  CHECK(fault("[[]") == "1:4: the text ends too soon: expected ',' or ']' after the value");
  CHECK(fault("[\n\"abc") ==
        "2:5: the text ends inside the string that starts at line 2, column 1");
  CHECK(fault("{\"a\": \"b\\") ==
        "1:10: the text ends inside the string that starts at line 1, column 7");
}

TEST_CASE("every prefix of a document is refused at or before its end") {
  const std::string whole = "{\"a\": [1, -2.5e3, true, null, NaN], \"b\": {\"c\": \"x\\u00e9\"}}";
  CHECK(read_json(whole, "a").ok());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto document = read_json(whole.substr(0, length), "a");
    REQUIRE_FALSE(document.ok());
    CHECK(document.error().span.column <= length + 1);
  }
}

TEST_CASE("missing punctuation stands at the character that should have been it") {
  CHECK(fault("{\"a\": 1 \"b\": 2}") == "1:9: expected ',' or '}' after the value, found a string");
  CHECK(fault("{\"a\": 1\n \"b\": 2}") ==
        "2:2: expected ',' or '}' after the value, found a string");
  CHECK(fault("[1 2]") == "1:4: expected ',' or ']' after the value, found '2'");
  CHECK(fault("[12 34]") == "1:5: expected ',' or ']' after the value, found '34'");
  CHECK(fault("{\"a\" 1}") == "1:6: expected ':' after the key, found '1'");
  CHECK(fault("{\"a\": }") == "1:7: expected a value after ':', found '}'");
  CHECK(fault("[1}") == "1:3: expected ',' or ']' after the value, found '}'");
  CHECK(fault("{\"a\": 1]") == "1:8: expected ',' or '}' after the value, found ']'");
  CHECK(fault("[,1]") == "1:2: expected a value or ']', found ','");
  CHECK(fault("[1,,2]") == "1:4: expected a value after ',', found ','");
  CHECK(fault("]") == "1:1: expected a JSON value, found ']'");
}

TEST_CASE("trailing commas, comments and single quotes are named") {
  CHECK(fault("[1, ]") == "1:5: expected another entry after the comma, found ']'");
  CHECK(fault("{\"a\": 1,\n}") == "2:1: expected another entry after the comma, found '}'");
  CHECK(hint("[1,]") == "JSON has no trailing commas; remove the one before");
  CHECK(fault("[1, // one\n2]") == "1:5: expected a value after ',', found a comment");
  CHECK(fault("# x\n{}") == "1:1: expected a JSON value, found a comment");
  CHECK(fault("{'a': 1}") == "1:2: expected a key or '}', found a single quote");
}

TEST_CASE("words and numbers of other languages are named") {
  CHECK(fault("[True]") == "1:2: expected a value or ']', found 'True'");
  CHECK(hint("[True]") == "JSON writes true, false and null");
  CHECK(hint("{\"a\": None}") == "JSON writes true, false and null");
  CHECK(fault("{\"a\": bf16}") == "1:7: expected a value after ':', found 'bf16'");
  CHECK(hint("{\"a\": bf16}") == "a string needs double quotes");
  CHECK(fault("{a: 1}") == "1:2: expected a key or '}', found 'a'");
  CHECK(hint("{a: 1}") == "a key needs double quotes");
  CHECK(fault("[010]") == "1:2: expected a value, found '010', which is no JSON number");
  for (const std::string_view text :
       {"[+1]",  "[.5]",       "[5.]",        "[1e]",   "[0x10]",      "[1_000]",    "[--1]",
        "[-]",   "[1.2.3]",    "[1e5.5]",     "[-NaN]", "[NaN1]",      "[1NaN]",     "[nan]",
        "[Inf]", "[infinity]", "[+Infinity]", "[nul]",  "[truefalse]", "[nullnull]", "[- 1]"}) {
    CHECK_MESSAGE(fault(text).starts_with("1:"), text);
  }
}

TEST_CASE("a number is no key, whatever the parser was shown") {
  CHECK(fault("{NaN: 1}") == "1:2: a number cannot be a key");
  CHECK(fault("{12: 1}") == "1:2: a number cannot be a key");
  CHECK(fault("{\"a\": 1, -Infinity: 1}") == "1:10: a number cannot be a key");
  CHECK(fault("{1: 1}") == "1:2: expected a key or '}', found '1'");
}

TEST_CASE("text behind the value is refused, a NUL byte and what it hides too") {
  CHECK(fault("{} x") == "1:4: expected the end of the text, found 'x'");
  CHECK(fault("1 2") == "1:3: expected the end of the text, found '2'");
  CHECK(fault("[1]]") == "1:4: expected the end of the text, found ']'");
  CHECK(fault("{}{}") == "1:3: expected the end of the text, found '{'");
  CHECK(fault(std::string_view("[1]\0", 4)) == "1:4: expected the end of the text, found '\\x00'");
  CHECK(fault(std::string_view("[1]\0[2]", 7)) ==
        "1:4: expected the end of the text, found '\\x00'");
  CHECK(fault(std::string_view("[1,\0 2]", 7)) == "1:4: expected a value after ',', found '\\x00'");
  CHECK(fault(std::string_view("\0", 1)) == "1:1: expected a JSON value, found '\\x00'");
}

TEST_CASE("faults inside strings stand at their character") {
  CHECK(fault("[\"a\nb\"]") == "1:4: the string is not closed before the end of its line");
  CHECK(fault("{\"a: 1,\r\n\"b\": 2}") ==
        "1:8: the string is not closed before the end of its line");
  CHECK(fault("[\"a\tb\"]") == "1:4: the string holds the control character '\\t'");
  CHECK(fault("[\"a\x01\"]") == "1:4: the string holds the control character '\\x01'");
  CHECK(fault(std::string_view("[\"a\0\"]", 6)) ==
        "1:4: the string holds the control character '\\x00'");
  CHECK(fault("[\"C:\\dir\"]").starts_with("1:5: the string holds an unknown escape"));
  CHECK(fault("[\"\\u12g4\"]") == "1:3: the string holds \\u without four hexadecimal digits");
  CHECK(fault("[\"ok\", \"\\ud83d\"]") ==
        "1:9: the string holds half of a surrogate pair, \\ud83d");
  CHECK(fault("[\"\\ude00\\ud83d\"]") == "1:3: the string holds half of a surrogate pair, \\ude00");
  CHECK(fault("[\"\\ud83d\\u0041\"]") == "1:3: the string holds half of a surrogate pair, \\ud83d");
  CHECK(fault("[\"\xff\"]") == "1:3: the string holds the byte '\\xff', which is not UTF-8");
  CHECK(fault("[\"\xed\xa0\x80\"]") ==
        "1:3: the string holds the byte '\\xed', which is not UTF-8");
  CHECK(fault("{\"\\q\": 1}").starts_with("1:3: the string holds an unknown escape"));
}

TEST_CASE("files that are something else are called by their name") {
  CHECK(fault("{\n<<<<<<< HEAD\n\"a\": 1\n=======\n") ==
        "2:1: a merge conflict marker stands here");
  CHECK(fault("{\"a\": 1,\n=======\n\"b\": 2}") == "2:1: a merge conflict marker stands here");
  CHECK(fault("version https://git-lfs.github.com/spec/v1\noid sha256:0\n") ==
        "1:1: this is a Git LFS pointer, not the file itself");
  CHECK(fault("<!doctype html>\n<html>") ==
        "1:1: expected a JSON value, found '<': this looks like a web page, not JSON");
  CHECK(fault(std::string_view("\xff\xfe{\0}\0", 6)) == "1:1: this is UTF-16 text");
}

TEST_CASE("hostile text cannot reach the terminal through a message") {
  const std::string text = fault("[\x1b[2J]");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(fault("[" + std::string(100'000, 'x') + "]").size() < 200);
  CHECK(fault("[1" + std::string(100'000, '.') + "]").size() < 200);
}

TEST_CASE("malformed numbers in bulk cost no more than their length") {
  CHECK_FALSE(read_json("[" + std::string(200'000, '1') + "x]", "a").ok());
  CHECK_FALSE(read_json("[" + std::string(200'000, '-') + "]", "a").ok());
}
