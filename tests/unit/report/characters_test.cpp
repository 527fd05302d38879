// Widths of characters and making text safe.
#include "report/characters.hpp"

#include <doctest/doctest.h>

namespace {

using namespace ullage::report;

TEST_CASE("display width counts columns, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("é × ÷ −") == 7);
  CHECK(display_width("e\xCC\x81") == 1);  // e and a combining acute accent
  CHECK(display_width("模型卡") == 6);
  CHECK(display_width("한글") == 4);
  CHECK(display_width("ｆｕｌｌ") == 8);
  CHECK(display_width("✅ ok") == 5);
  CHECK(display_width("─") == 1);
  CHECK(display_width("\xff") == 1);
}

TEST_CASE("width tables hold at their edges") {
  CHECK(column_width(0x2FF) == 1);
  CHECK(column_width(0x300) == 0);
  CHECK(column_width(0x36F) == 0);
  CHECK(column_width(0x370) == 1);
  CHECK(column_width(0x4E00) == 2);
  CHECK(column_width(0x3FFFD) == 2);
  CHECK(column_width(0xE01EF) == 0);
  CHECK(column_width(0x10FFFF) == 1);
}

TEST_CASE("bytes that are no UTF-8 are replaced one by one") {
  CHECK(well_formed("a\xff"
                    "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(well_formed("\xE2\x82") == "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut short
  CHECK(well_formed("\xED\xA0\x80").size() == 9);                // a surrogate
  CHECK(well_formed("模") == "模");
}

TEST_CASE("one line shows what a terminal would act on") {
  CHECK(one_line("a\nb\tc\rd") == "a b c d");
  CHECK(one_line("\x1b[31m") == "\\x1b[31m");
  CHECK(one_line("\xE2\x80\xAE"
                 "abc") == "\\u202eabc");
  CHECK(one_line("\xff") == "\\xff");
  CHECK(one_line(std::string(5000, '\x01')).size() == 20000);  // never cut
}

}  // namespace
