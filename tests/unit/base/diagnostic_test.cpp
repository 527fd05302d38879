// The text form of a diagnostic, and that hostile input cannot reach the terminal through it.
#include "base/diagnostic.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace ullage::base;

TEST_CASE("a diagnostic shows place, code, message, notes and hint") {
  Diagnostic diagnostic{.code = Code::duplicate_key,
                        .message = "key 'tdp' is given twice",
                        .span = {"chips/a.yaml", 12, 3},
                        .hint = "remove one of them",
                        .notes = {"first on line 4", "entries are reviewed by hand"}};
  CHECK(to_text(diagnostic) ==
        "chips/a.yaml:12:3: error[duplicate-key]: key 'tdp' is given twice\n"
        "  note: first on line 4\n"
        "  note: entries are reviewed by hand\n"
        "  hint: remove one of them");
  diagnostic.notes.clear();
  diagnostic.hint.clear();
  diagnostic.severity = Severity::warning;
  diagnostic.span = {"a.yaml", 0, 0};
  CHECK(to_text(diagnostic) == "a.yaml: warning[duplicate-key]: key 'tdp' is given twice");
  diagnostic.span = {"a.yaml", 7, 0};
  CHECK(to_text(diagnostic) == "a.yaml:7: warning[duplicate-key]: key 'tdp' is given twice");
  diagnostic.span = {};
  diagnostic.severity = Severity::note;
  CHECK(to_text(diagnostic) == "note[duplicate-key]: key 'tdp' is given twice");
}

TEST_CASE("each code has a name of its own, in lower case with hyphens") {
  std::set<std::string> names;
  const int last = static_cast<int>(Code::internal);
  for (int code = 0; code <= last; ++code) {
    const std::string name(name_of(static_cast<Code>(code)));
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
    CHECK(names.insert(name).second);
  }
}

TEST_CASE("control characters, bidirectional overrides and broken UTF-8 are escaped") {
  CHECK(printable("tdp: 700 W") == "tdp: 700 W");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\x1b[2J\x7f") == "\\x1b[2J\\x7f");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xc2\x9b\xe2\x80\xae") == "\\u009b\\u202e");
  CHECK(printable("Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x98\x80") ==
        "Z\xc3\xbcrich \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK(printable("\xff\xc3(\xe2\x82") == "\\xff\\xc3(\\xe2\\x82");
}

TEST_CASE("long text is cut on a character, never above the limit") {
  const std::string cut = printable(std::string(300, 'a'), 20);
  CHECK(cut == std::string(17, 'a') + "\xe2\x80\xa6");
  CHECK(printable(std::string(20, 'a'), 20) == std::string(20, 'a'));
  for (std::size_t limit = 3; limit < 40; ++limit) {
    const std::string text =
        printable("abc\xc3\xbc\x1b\xe2\x82\xac\xf0\x9f\x98\x80\xff\xff long", limit);
    CHECK(text.size() <= limit);
    CHECK(printable(text, limit) == text);
  }
}

TEST_CASE("text that was made printable once stays as it is") {
  const std::string once = printable("\x1b]0;title\x07\xff");
  CHECK(printable(once) == once);
}

TEST_CASE("a hostile file name or message stays on its line") {
  const Diagnostic diagnostic{.code = Code::syntax, .message = "a\nb", .span = {"x\ny", 1, 2}};
  CHECK(to_text(diagnostic) == "x\\ny:1:2: error[syntax]: a\\nb");
}

TEST_CASE("docs/errors.md has a section for each code") {
  std::ifstream file("docs/errors.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (int i = 0; i <= static_cast<int>(Code::internal); ++i) {
    const std::string code(name_of(static_cast<Code>(i)));
    CAPTURE(code);
    CHECK(page.str().find("### `" + code + "`") != std::string::npos);
  }
}
