// Breaking text into lines.
#include "report/wrap.hpp"

#include <doctest/doctest.h>

#include "report/characters.hpp"

namespace {

using namespace ullage::report;

std::vector<std::string> lines_of(const Text& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const StyledLine& line : wrap(text, width)) {
    std::string joined;
    for (const Run& run : line.runs)
      joined += run.text;
    CHECK(display_width(joined) == line.width);
    lines.push_back(joined);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("text breaks between words") {
  CHECK(lines_of("one two three", 7) == Lines{"one two", "three"});
  CHECK(lines_of("one two three", 0) == Lines{"one two three"});
  CHECK(lines_of("  one \n\t two  ", 80) == Lines{"one two"});
  CHECK(lines_of("", 10) == Lines{""});
}

TEST_CASE("a word longer than the line is never cut") {
  CHECK(lines_of("see https://example.org/long/address now", 10) ==
        Lines{"see", "https://example.org/long/address", "now"});
}

TEST_CASE("wide characters break anywhere and count twice") {
  CHECK(lines_of("模型卡片", 5) == Lines{"模型", "卡片"});
  CHECK(lines_of("ab模型", 4) == Lines{"ab模", "型"});
}

TEST_CASE("a combining mark stays with its letter") {
  CHECK(lines_of("模\xCC\x81型", 2) == Lines{"模\xCC\x81", "型"});
}

TEST_CASE("roles survive, and a word of two roles stays together") {
  const Text text = Text("value ").add("87", Role::emphasis).add("GB");
  CHECK(lines_of(text, 6) == Lines{"value", "87GB"});
  const std::vector<StyledLine> lines = wrap(text, 80);
  REQUIRE(lines.front().runs.size() == 3);
  CHECK(lines.front().runs[1].role == Role::emphasis);
  CHECK(lines.front().runs[1].text == "87");
}

TEST_CASE("control characters are shown, not sent") {
  CHECK(lines_of("\x1b[2J\xff", 80) == Lines{"\\x1b[2J\\xff"});
}

}  // namespace
