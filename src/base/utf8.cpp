// Decodes one UTF-8 character; the ranges of second bytes are those of Unicode's table 3-7.
#include "base/utf8.hpp"

namespace ullage::base {
namespace {

struct Lead {
  std::size_t length;
  std::uint32_t bits;       // what the first byte contributes
  std::uint8_t second_low;  // permitted range of the second byte
  std::uint8_t second_high;
};

Lead lead_of(std::uint8_t first) {
  if (first < 0x80) return {1, first, 0, 0};
  if (first < 0xC2) return {0, 0, 0, 0};
  if (first < 0xE0) return {2, first & 0x1Fu, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0xD, 0x80, 0x9F};
  if (first < 0xF0) return {3, first & 0x0Fu, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0, 0x90, 0xBF};
  if (first < 0xF4) return {4, first & 0x07u, 0x80, 0xBF};
  if (first == 0xF4) return {4, 4, 0x80, 0x8F};
  return {0, 0, 0, 0};
}

}  // namespace

Utf8Character utf8_character(std::string_view text, std::size_t at) {
  const Lead lead = lead_of(static_cast<std::uint8_t>(text[at]));
  if (lead.length == 0 || lead.length > text.size() - at) return {};
  std::uint32_t code_point = lead.bits;
  for (std::size_t i = 1; i < lead.length; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[at + i]);
    const std::uint8_t low = i == 1 ? lead.second_low : std::uint8_t{0x80};
    const std::uint8_t high = i == 1 ? lead.second_high : std::uint8_t{0xBF};
    if (byte < low || byte > high) return {};
    code_point = (code_point << 6) | (byte & 0x3Fu);
  }
  return {code_point, lead.length};
}

}  // namespace ullage::base
