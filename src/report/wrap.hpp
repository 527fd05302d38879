// Breaks styled text into lines of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/page.hpp"

namespace ullage::report {

// One line: its stretches in order and their columns in all.
struct StyledLine {
  std::vector<Run> runs;
  std::size_t width = 0;
};

// The text on lines of at most `width` columns (0: one line), broken at spaces and beside wide
// characters; a longer word stands alone on a line of its own. Characters are made safe for a
// terminal, spaces run together. At least one line, empty for empty text.
std::vector<StyledLine> wrap(const Text& text, std::size_t width);

// The columns of the text on one line, as `wrap` with width 0 lays it out.
std::size_t one_line_width(const Text& text);

}  // namespace ullage::report
