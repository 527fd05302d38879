// A page for a terminal or a plain text file.
#pragma once

#include <cstddef>
#include <string>

#include "report/page.hpp"

namespace ullage::report {

struct TextStyle {
  bool colour = false;         // ANSI colours; never decided here (cli knows the terminal)
  std::size_t width = 100;     // columns at which text is wrapped; 0 never wraps
  bool breaks_tables = false;  // whether tables that are wider go on below where they may
};

// Sections are set apart by an empty line and their blocks are indented under the title. Paragraphs
// and bullets are wrapped between words; a word longer than the line (an address) is never cut.
// Table columns are as wide as their widest cell; only the last, left-aligned one wraps. Hostile
// text is shown with visible escapes, no line ends in spaces, the text ends in one newline. An
// empty page is empty text.
std::string to_text(const Page& page, const TextStyle& style = {});

}  // namespace ullage::report
