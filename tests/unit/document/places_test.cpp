// Lines and columns as an editor counts them.
#include "document/places.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ullage::document;

namespace {

std::string at(Places& places, std::size_t offset) {
  const Place place = places.at(offset);
  return std::to_string(place.line) + ':' + std::to_string(place.column);
}

}  // namespace

TEST_CASE("places are found forwards, backwards and at the end") {
  Places places("ab\ncd\r\n\nx");
  CHECK(at(places, 0) == "1:1");
  CHECK(at(places, 1) == "1:2");
  CHECK(at(places, 2) == "1:3");
  CHECK(at(places, 3) == "2:1");
  CHECK(at(places, 7) == "3:1");
  CHECK(at(places, 8) == "4:1");
  CHECK(at(places, 9) == "4:2");
  CHECK(at(places, 4) == "2:2");
  CHECK(at(places, 0) == "1:1");
  CHECK(at(places, 1000) == "4:2");
}

TEST_CASE("a byte order mark takes no column") {
  Places places(
      "\xEF\xBB\xBF"
      "ab\ncd");
  CHECK(at(places, 0) == "1:1");
  CHECK(at(places, 3) == "1:1");
  CHECK(at(places, 4) == "1:2");
  CHECK(at(places, 6) == "2:1");
}

TEST_CASE("an empty text has one place, and a final line break opens a line") {
  Places empty("");
  CHECK(at(empty, 0) == "1:1");
  Places ended("a\n");
  CHECK(at(ended, 2) == "2:1");
}

TEST_CASE("the line around an offset excludes its break") {
  CHECK(line_around("ab\ncd\r\nef", 0) == "ab");
  CHECK(line_around("ab\ncd\r\nef", 2) == "ab");
  CHECK(line_around("ab\ncd\r\nef", 3) == "cd");
  CHECK(line_around("ab\ncd\r\nef", 8) == "ef");
  CHECK(line_around("ab\ncd\r\nef", 99) == "ef");
  CHECK(line_around("", 0).empty());
}

TEST_CASE("merge conflict markers are told from text") {
  CHECK(is_merge_conflict("<<<<<<< HEAD"));
  CHECK(is_merge_conflict("======="));
  CHECK(is_merge_conflict(">>>>>>> feature"));
  CHECK(is_merge_conflict("||||||| base"));
  CHECK_FALSE(is_merge_conflict("========"));
  CHECK_FALSE(is_merge_conflict(" <<<<<<< HEAD"));
  CHECK_FALSE(is_merge_conflict("<<<<<<"));
}
