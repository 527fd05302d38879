// Characters of shown text: which bytes are sound, and how many columns they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ullage::report {

// The text with each byte that is no UTF-8 replaced by U+FFFD.
std::string well_formed(std::string_view text);

// One line that a terminal shows as it stands: line breaks and tabs become spaces, other control
// characters, invisible and direction-changing ones and bytes that are no UTF-8 visible escapes.
std::string one_line(std::string_view text);

// Columns of one character in a terminal: 0 for combining marks and joiners, 2 for East Asian wide
// and emoji characters, else 1.
std::size_t column_width(std::uint32_t code_point);

// Columns of well-formed text.
std::size_t display_width(std::string_view text);

}  // namespace ullage::report
