// A page as GitHub-flavoured Markdown, for pull requests and documents.
#pragma once

#include <string>
#include <string_view>

#include "report/page.hpp"

namespace ullage::report {

struct MarkdownStyle {
  int heading_level = 2;  // `##` for section titles, 1 to 6
};

// Titles become headings, tables pipe tables (without any heading: an empty heading line, which the
// format demands), bullets nested lists. Text is escaped so that no name can turn into markup.
// Empty page, empty text; else one final newline.
std::string to_markdown(const Page& page, const MarkdownStyle& style = {});

// Text with every character escaped that Markdown or HTML would act on.
std::string markdown_escaped(std::string_view text);

}  // namespace ullage::report
