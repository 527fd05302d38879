// What is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ullage::base {

// A character and the number of its bytes; `length` 0 where the bytes are not well-formed.
struct Utf8Character {
  std::uint32_t code_point = 0;
  std::size_t length = 0;
};

// The character that starts at byte `at` of `text`; `at` must lie inside the text.
Utf8Character utf8_character(std::string_view text, std::size_t at);

}  // namespace ullage::base
