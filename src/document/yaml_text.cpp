// Checks of a YAML text that need no parser.
#include "document/yaml_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "document/places.hpp"

namespace ullage::document {
namespace {

using base::Code;
using base::Diagnostic;

struct Fault {
  std::size_t at;
  std::string message;
  std::string hint;
};

bool is_printable(std::uint32_t code_point) {
  if (code_point < 0x20) return code_point == '\t' || code_point == '\n' || code_point == '\r';
  const bool is_control = code_point >= 0x7F && code_point < 0xA0 && code_point != 0x85;
  return !is_control && code_point != 0xFFFE && code_point != 0xFFFF;
}

// What is wrong with the character at `at`, or nothing and its `length`.
std::optional<Fault> refuse_character(std::string_view text, std::size_t at, std::size_t& length) {
  const base::Utf8Character character = base::utf8_character(text, at);
  length = character.length;
  if (length == 0) {
    return Fault{at, "the byte " + base::printable(text.substr(at, 1)) + " is not UTF-8",
                 "save the file as UTF-8"};
  }
  if (character.code_point == 0xFEFF) {
    return Fault{at, "an invisible byte order mark stands inside the text", "remove it"};
  }
  if (!is_printable(character.code_point)) {
    return Fault{at,
                 "the text holds the control character " + base::printable(text.substr(at, length)),
                 "remove it, or write it as an escape in a double-quoted string"};
  }
  if (character.code_point == '\r' && !text.substr(at + 1).starts_with('\n')) {
    return Fault{at, "a carriage return stands without a line feed",
                 "end lines with a line feed, with or without a carriage return before it"};
  }
  return std::nullopt;
}

std::optional<Fault> refuse_characters(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return Fault{0, "this is UTF-16 text", "save the file as UTF-8"};
  }
  std::size_t length = 0;
  for (std::size_t at = byte_order_mark(text); at < text.size(); at += length) {
    length = 1;
    if (text[at] >= ' ' && text[at] < '\x7f') continue;
    if (std::optional<Fault> fault = refuse_character(text, at, length)) return fault;
  }
  return std::nullopt;
}

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

// Directives and merge conflict markers, both at the start of a line. The parser would skip the
// first and read the second as text.
std::optional<Fault> refuse_lines(std::string_view text) {
  bool in_prologue = true;
  for (std::size_t at = byte_order_mark(text); at < text.size();) {
    const std::string_view line = line_around(text, at);
    if (line.starts_with('%') && !(in_prologue && line.starts_with("%YAML "))) {
      return Fault{at, "a line starts with '%', which makes it a directive",
                   "remove the directive, or put text that starts so in quotes"};
    }
    if (is_merge_conflict(line)) {
      return Fault{at, "a merge conflict marker stands here",
                   "resolve the conflict and remove the marker lines"};
    }
    in_prologue = in_prologue && (is_blank_or_comment(line) || line.starts_with('%'));
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> refuse_yaml_text(std::string_view text, const std::string& file) {
  std::optional<Fault> fault = refuse_characters(text);
  if (!fault) fault = refuse_lines(text);
  if (!fault) return std::nullopt;
  const Place place = Places(text).at(fault->at);
  return Diagnostic{.code = Code::syntax,
                    .message = std::move(fault->message),
                    .span = {file, place.line, place.column},
                    .hint = std::move(fault->hint)};
}

std::size_t quoted_end(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t at = start + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool is_doubled = quote == '\'' && text.substr(at + 1).starts_with('\'');
      if (!is_doubled) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

bool is_written_null(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
    if (!rest.starts_with(word)) continue;
    return rest.size() == word.size() ||
           std::string_view(" \t\r\n,:]}").find(rest[word.size()]) != std::string_view::npos;
  }
  return false;
}

bool is_indented_by_tab(std::string_view text, std::size_t at) {
  bool has_tab = false;
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) {
    --at;
    has_tab = has_tab || text[at] == '\t';
  }
  return has_tab && (at == 0 || text[at - 1] == '\n');
}

}  // namespace ullage::document
