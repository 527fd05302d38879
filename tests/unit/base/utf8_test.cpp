// The borders of each length of UTF-8, and what must not be taken for a character.
#include "base/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

using ullage::base::utf8_character;

namespace {

std::uint32_t code_point(const std::string& bytes) {
  const auto character = utf8_character(bytes, 0);
  CHECK(character.length == bytes.size());
  return character.code_point;
}

bool broken(const std::string& bytes) {
  return utf8_character(bytes, 0).length == 0;
}

}  // namespace

TEST_CASE("the first and last character of each length") {
  CHECK(code_point(std::string(1, '\0')) == 0);
  CHECK(code_point("\x7f") == 0x7F);
  CHECK(code_point("\xc2\x80") == 0x80);
  CHECK(code_point("\xdf\xbf") == 0x7FF);
  CHECK(code_point("\xe0\xa0\x80") == 0x800);
  CHECK(code_point("\xed\x9f\xbf") == 0xD7FF);
  CHECK(code_point("\xee\x80\x80") == 0xE000);
  CHECK(code_point("\xef\xbf\xbf") == 0xFFFF);
  CHECK(code_point("\xf0\x90\x80\x80") == 0x10000);
  CHECK(code_point("\xf4\x8f\xbf\xbf") == 0x10FFFF);
}

TEST_CASE("overlong forms, surrogates, stray and missing bytes are no characters") {
  CHECK(broken("\x80"));
  CHECK(broken("\xbf"));
  CHECK(broken("\xc0\x80"));
  CHECK(broken("\xc1\xbf"));
  CHECK(broken("\xe0\x9f\xbf"));
  CHECK(broken("\xed\xa0\x80"));
  CHECK(broken("\xf0\x8f\xbf\xbf"));
  CHECK(broken("\xf4\x90\x80\x80"));
  CHECK(broken("\xf5\x80\x80\x80"));
  CHECK(broken("\xff"));
  CHECK(broken("\xe2\x82"));
  CHECK(broken("\xe2(\xac"));
  CHECK(broken("\xf0\x9f\x98"));
}
