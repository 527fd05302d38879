// The terminal form of a page.
#include "report/text.hpp"

#include <doctest/doctest.h>

#include "base/result.hpp"
#include "sample_answer.hpp"

namespace {

using namespace ullage;
using namespace ullage::report;

Page page_of(Block block) {
  return {{{"Title", {std::move(block)}}}};
}

TEST_CASE("an empty page is empty text") {
  CHECK(to_text({}) == "");
}

TEST_CASE("sections and blocks are set apart by empty lines") {
  const Page page{{{"First", {Paragraph{"one"}, Paragraph{"two"}}}, {"", {Paragraph{"three"}}}}};
  CHECK(to_text(page) == "First\n  one\n\n  two\n\nthree\n");
}

TEST_CASE("columns are aligned by display width") {
  const Table table{{{"name"}, {"value", Align::right}, {"note"}},
                    {{{"模型", "7", "×"}}, {{"weights", "1,234", ""}}, {{"sum", "1,241"}, true}}};
  CHECK(to_text(page_of(table)) ==
        "Title\n"
        "  name     value  note\n"
        "  ────────────────────\n"
        "  模型         7  ×\n"
        "  weights  1,234\n"
        "  ────────────────────\n"
        "  sum      1,241\n");
}

TEST_CASE("a table without headings has no heading line") {
  const Table table{{{""}, {""}}, {{{"a", "b"}}}};
  CHECK(to_text(page_of(table)) == "Title\n  a  b\n");
}

TEST_CASE("the last column wraps, addresses stay whole") {
  const Table table{{{"k"}, {"v"}},
                    {{{"a", "words that go on beyond the end of the line"}},
                     {{"b", "https://example.org/a/very/long/address"}}}};
  CHECK(to_text(page_of(table), {.colour = false, .width = 32}) ==
        "Title\n"
        "  k  v\n"
        "  ──────────────────────────────\n"
        "  a  words that go on beyond the\n"
        "     end of the line\n"
        "  b  https://example.org/a/very/long/address\n");
}

TEST_CASE("a table wider than a terminal goes on below, with its first columns again") {
  Table table{{{"k"}, {"one", Align::right, true}, {"two", Align::right, true}, {"of two"}},
              {{{"a", "1", "22222222", "x"}}, {{"b", "3"}}}};
  const TextStyle narrow{.colour = false, .width = 18, .breaks_tables = true};
  CHECK(to_text(page_of(table), narrow) ==
        "Title\n"
        "  k  one\n"
        "  ──────\n"
        "  a    1\n"
        "  b    3\n"
        "\n"
        "  k       two  of two\n"
        "  ───────────────────\n"
        "  a  22222222  x\n"
        "  b\n");
  const TextStyle piped{.colour = false, .width = 18};
  CHECK(to_text(page_of(table), piped).find("\n\n") == std::string::npos);
  table.columns[1].breaks = table.columns[2].breaks = false;
  CHECK(to_text(page_of(table), narrow).find("\n\n") == std::string::npos);
}

TEST_CASE("a table row longer than its columns is a defect") {
  CHECK_THROWS_AS(to_text(page_of(Table{{{"a"}}, {{{"1", "2"}}}})), base::Defect);
}

TEST_CASE("bullets nest, wrap under their text and carry details") {
  const Bullets bullets{
      {{"first item that wraps at the width", 0, {"a detail"}}, {"inner", 1, {}}}};
  CHECK(to_text(page_of(bullets), {.colour = false, .width = 28}) ==
        "Title\n"
        "  - first item that wraps at\n"
        "    the width\n"
        "    a detail\n"
        "    - inner\n");
}

TEST_CASE("colour only where asked, and always switched off again") {
  const Page page = page_of(Paragraph{Text("it ").add("fits", Role::good)});
  CHECK(to_text(page).find('\x1b') == std::string::npos);
  CHECK(to_text(page, {.colour = true, .width = 80}) == "Title\n  it \x1b[32mfits\x1b[0m\n");
}

TEST_CASE("hostile text cannot reach the terminal") {
  const std::string text = to_text(page_of(Paragraph{sample::kHostile}));
  CHECK(text == "Title\n  a\"b\\c \\x1b[31m\\xff\\u202e|<b>*x*\n");
}

}  // namespace
