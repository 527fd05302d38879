// Width tables. The ranges are the main blocks of Unicode 15's EastAsianWidth.txt (W and F) and of
// the marks in UnicodeData.txt (Mn, Me, Cf) that model and source titles may hold.
#include "report/characters.hpp"

#include <algorithm>
#include <array>

#include "base/diagnostic.hpp"
#include "base/utf8.hpp"

namespace ullage::report {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array<Range, 21> kCombining{
    {{0x0300, 0x036F},  {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
     {0x06D6, 0x06DC},  {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
     {0x0E31, 0x0E31},  {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
     {0x200B, 0x200F},  {0x20D0, 0x20FF}, {0x302A, 0x302D}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
     {0xE0100, 0xE01EF}}};

constexpr std::array<Range, 24> kWide{
    {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x23E9, 0x23EC},   {0x2614, 0x2615},  {0x2648, 0x2653},
     {0x26A1, 0x26A1}, {0x2705, 0x2705}, {0x274C, 0x274C},   {0x2753, 0x2755},  {0x2795, 0x2797},
     {0x2B1B, 0x2B1C}, {0x2E80, 0x3029}, {0x302E, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
     {0x4E00, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
     {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool holds(const std::array<Range, N>& ranges, std::uint32_t code_point) {
  const auto range = std::lower_bound(
      ranges.begin(), ranges.end(), code_point,
      [](const Range& candidate, std::uint32_t wanted) { return candidate.last < wanted; });
  return range != ranges.end() && range->first <= code_point;
}

}  // namespace

std::string well_formed(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = base::utf8_character(text, at).length;
    result += length == 0 ? kReplacement : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string spaced(text);
  for (char& character : spaced) {
    if (character == '\n' || character == '\r' || character == '\t') character = ' ';
  }
  // An escape takes at most six bytes for each byte of the text.
  return base::printable(spaced, 6 * spaced.size());
}

std::size_t column_width(std::uint32_t code_point) {
  if (code_point < 0x300) return 1;
  if (holds(kCombining, code_point)) return 0;
  return holds(kWide, code_point) ? 2 : 1;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Character character = base::utf8_character(text, at);
    width += character.length == 0 ? 1 : column_width(character.code_point);
    at += character.length == 0 ? 1 : character.length;
  }
  return width;
}

}  // namespace ullage::report
