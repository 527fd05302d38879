// Lays a page out as Markdown.
#include "report/markdown.hpp"

#include "base/result.hpp"
#include "report/characters.hpp"

namespace ullage::report {
namespace {

bool is_word(char character) {
  return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
         (character >= 'a' && character <= 'z');
}

// An underscore inside a word (`kv_per_token`) is no markup in GitHub's dialect.
bool is_inner_underscore(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]);
}

// Whether an address can stand between angle brackets.
bool is_plain_address(std::string_view text) {
  return (text.starts_with("https://") || text.starts_with("http://")) &&
         text.find_first_of(" <>|\\") == std::string_view::npos;
}

// Marks must touch the text that they set: spaces stay outside.
std::string bold(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::string(text);
  const std::size_t last = text.find_last_not_of(' ') + 1;
  return std::string(text.substr(0, first)) + "**" +
         markdown_escaped(text.substr(first, last - first)) + "**" + std::string(text.substr(last));
}

// A code span; text that holds a backtick or a stroke would end it or its table cell.
std::string code(std::string_view text) {
  if (text.find_first_of("`|") != std::string_view::npos) return markdown_escaped(text);
  return "`" + std::string(text) + "`";
}

std::string inline_text(const Text& text) {
  std::string result;
  for (const Run& run : text.runs()) {
    const std::string safe = one_line(run.text);
    switch (run.role) {
      case Role::emphasis:
      case Role::bad:
        result += bold(safe);
        break;
      case Role::link:
        result += is_plain_address(safe) ? "<" + safe + ">" : markdown_escaped(safe);
        break;
      case Role::code:
        result += code(safe);
        break;
      default:
        result += markdown_escaped(safe);
    }
  }
  return result;
}

// At the start of a line `1.`, `-`, `+` and `#` would begin a list or a heading.
std::string line_text(const Text& text) {
  std::string line = inline_text(text);
  line.erase(0, line.find_first_not_of(' '));
  if (line.starts_with('-') || line.starts_with('+') || line.starts_with('=')) {
    return "\\" + line;
  }
  const std::size_t after_digits = line.find_first_not_of("0123456789");
  const bool is_numbered = after_digits != std::string::npos && after_digits > 0 &&
                           (line[after_digits] == '.' || line[after_digits] == ')');
  if (is_numbered) line.insert(after_digits, "\\");
  return line;
}

std::string block_text(const Paragraph& paragraph) {
  return line_text(paragraph.text) + "\n";
}

std::string block_text(const Bullets& bullets) {
  std::string text;
  for (const Bullet& bullet : bullets.items) {
    text.append(2 * bullet.depth, ' ');
    text += "- " + line_text(bullet.text);
    for (const Text& detail : bullet.details) {
      text += "\\\n";  // a hard line break
      text.append(2 * bullet.depth + 2, ' ');
      text += line_text(detail);
    }
    text += '\n';
  }
  return text;
}

void add_row(std::string& text, const std::vector<Text>& cells, std::size_t columns) {
  base::require(cells.size() <= columns, "a table row with more cells than columns");
  text += '|';
  for (std::size_t at = 0; at < columns; ++at) {
    const std::string cell = at < cells.size() ? inline_text(cells[at]) : std::string();
    text += cell.empty() ? " |" : " " + cell + " |";
  }
  text += '\n';
}

std::string block_text(const Table& table) {
  std::vector<Text> headings;
  std::string rule = "|";
  for (const Column& column : table.columns) {
    headings.push_back(column.heading);
    rule += column.align == Align::right ? " ---: |" : " --- |";
  }
  std::string text;
  add_row(text, headings, table.columns.size());
  text += rule + "\n";
  for (const TableRow& row : table.rows)
    add_row(text, row.cells, table.columns.size());
  return text;
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char character = text[at];
    if (character == '<') {
      result += "&lt;";
    } else if (character == '&') {
      result += "&amp;";
    } else if (character == '_' && is_inner_underscore(text, at)) {
      result += character;
    } else {
      if (std::string_view("\\`*_[]|~#>$").find(character) != std::string_view::npos) {
        result += '\\';
      }
      result += character;
    }
  }
  return result;
}

std::string to_markdown(const Page& page, const MarkdownStyle& style) {
  std::string text;
  const auto part = [&](const std::string& content) {
    if (!text.empty()) text += '\n';
    text += content;
  };
  const std::string hashes(static_cast<std::size_t>(style.heading_level), '#');
  for (const Section& section : page.sections) {
    if (!section.title.empty()) part(hashes + " " + inline_text(section.title) + "\n");
    for (const Block& block : section.blocks) {
      part(std::visit([](const auto& content) { return block_text(content); }, block));
    }
  }
  return text;
}

}  // namespace ullage::report
