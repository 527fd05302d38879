// The Markdown form of a page.
#include "report/markdown.hpp"

#include <doctest/doctest.h>

#include "sample_answer.hpp"

namespace {

using namespace ullage::report;

Page page_of(Block block) {
  return {{{"Title", {std::move(block)}}}};
}

TEST_CASE("headings, paragraphs and nested lists") {
  const Bullets bullets{{{"outer", 0, {"= a × b", "more"}}, {"inner", 1, {}}}};
  const Page page{{{"A_b", {Paragraph{"text"}, bullets}}}};
  CHECK(to_markdown({}) == "");
  CHECK(to_markdown(page, {.heading_level = 3}) ==
        "### A_b\n\ntext\n\n- outer\\\n  \\= a × b\\\n  more\n  - inner\n");
}

TEST_CASE("tables keep their alignment and fill short rows") {
  const Table table{{{"name"}, {"value", Align::right}},
                    {{{"a|b", Text("7", Role::emphasis)}}, {{"short"}}}};
  CHECK(to_markdown(page_of(table)) ==
        "## Title\n\n| name | value |\n| --- | ---: |\n| a\\|b | **7** |\n| short | |\n");
}

TEST_CASE("a name cannot turn into markup") {
  CHECK(
      markdown_escaped("kv_per_token _x_ *y* `z` [a](b) <script> a&b #1 ~x~ $m$ \\") ==
      "kv_per_token \\_x\\_ \\*y\\* \\`z\\` \\[a\\](b) &lt;script\\> a&amp;b \\#1 \\~x\\~ \\$m\\$ "
      "\\\\");
  CHECK(to_markdown(page_of(Paragraph{sample::kHostile})) ==
        "## Title\n\na\"b\\\\c \\\\x1b\\[31m\\\\xff\\\\u202e\\|&lt;b\\>\\*x\\*\n");
}

TEST_CASE("a line that would begin a list stays a line") {
  CHECK(to_markdown(page_of(Paragraph{"- x"})) == "## Title\n\n\\- x\n");
  CHECK(to_markdown(page_of(Paragraph{"12. x"})) == "## Title\n\n12\\. x\n");
  CHECK(to_markdown(page_of(Paragraph{"12 x"})) == "## Title\n\n12 x\n");
  CHECK(to_markdown(page_of(Paragraph{"# x"})) == "## Title\n\n\\# x\n");
}

TEST_CASE("addresses and commands") {
  const auto paragraph = [](std::string text, Role role) {
    return to_markdown(page_of(Paragraph{Text(std::move(text), role)})).substr(10);
  };
  CHECK(paragraph("https://example.org/a_b_c", Role::link) == "<https://example.org/a_b_c>\n");
  CHECK(paragraph("javascript:x*y*", Role::link) == "javascript:x\\*y\\*\n");
  CHECK(paragraph("https://x/> <b>", Role::link) == "https://x/\\> &lt;b\\>\n");
  CHECK(paragraph("ullage fit", Role::code) == "`ullage fit`\n");
  CHECK(paragraph("a`b", Role::code) == "a\\`b\n");
}

TEST_CASE("marks touch the text that they set") {
  const Text text = Text("a").add(" b ", Role::bad).add("c");
  CHECK(to_markdown(page_of(Paragraph{text})) == "## Title\n\na **b** c\n");
}

}  // namespace
