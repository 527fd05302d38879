// How a diagnostic is spelled as text, safely for a terminal.
#include "base/diagnostic.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace ullage::base {
namespace {

// Long enough for every honest message; the parts that quote input are cut where they are quoted.
constexpr std::size_t kMessageLimit = 4000;
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

std::string hexadecimal(std::uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += kDigits[(value >> shift) & 0xF];
  return text;
}

// Characters that a terminal acts on, reorders text for, or does not show at all.
bool is_invisible(std::uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0xAD ||
         code_point == 0x61C || (code_point >= 0x200B && code_point <= 0x200F) ||
         (code_point >= 0x2028 && code_point <= 0x202E) ||
         (code_point >= 0x2060 && code_point <= 0x206F) || code_point == 0xFEFF;
}

std::string escape(std::uint32_t code_point) {
  switch (code_point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code_point < 0x80 ? "\\x" + hexadecimal(code_point, 2)
                               : "\\u" + hexadecimal(code_point, 4);
  }
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

}  // namespace

std::string_view name_of(Code code) {
  switch (code) {
    case Code::usage:
      return "usage";
    case Code::unknown_name:
      return "unknown-name";
    case Code::ambiguous_name:
      return "ambiguous-name";
    case Code::file_unreadable:
      return "file-unreadable";
    case Code::syntax:
      return "syntax";
    case Code::duplicate_key:
      return "duplicate-key";
    case Code::missing_key:
      return "missing-key";
    case Code::unsourced:
      return "unsourced";
    case Code::unknown_key:
      return "unknown-key";
    case Code::wrong_type:
      return "wrong-type";
    case Code::out_of_range:
      return "out-of-range";
    case Code::unit:
      return "unit";
    case Code::kind_mismatch:
      return "kind-mismatch";
    case Code::arithmetic:
      return "arithmetic";
    case Code::reference:
      return "reference";
    case Code::conflict:
      return "conflict";
    case Code::unsupported_architecture:
      return "unsupported-architecture";
    case Code::unknown_figure:
      return "unknown-figure";
    case Code::internal:
      return "internal";
  }
  return "internal";
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text;
  const Span& span = diagnostic.span;
  if (!span.file.empty()) {
    text += printable(span.file, kMessageLimit);
    if (span.line != 0) {
      text += ':' + std::to_string(span.line);
      if (span.column != 0) text += ':' + std::to_string(span.column);
    }
    text += ": ";
  }
  text += name_of(diagnostic.severity);
  text += '[';
  text += name_of(diagnostic.code);
  text += "]: ";
  text += printable(diagnostic.message, kMessageLimit);
  for (const std::string& note : diagnostic.notes) {
    text += "\n  note: " + printable(note, kMessageLimit);
  }
  if (!diagnostic.hint.empty()) text += "\n  hint: " + printable(diagnostic.hint, kMessageLimit);
  return text;
}

std::string printable(std::string_view text, std::size_t limit) {
  // Nearly all text is plain ASCII and is shown as it is.
  const bool is_plain = text.size() <= limit && std::all_of(text.begin(), text.end(), [](char c) {
                          return c >= ' ' && c < '\x7f';
                        });
  if (is_plain) return std::string(text);
  std::string shown;
  std::size_t cut = 0;  // where the ellipsis goes if the text turns out too long
  for (std::size_t at = 0; at < text.size();) {
    if (shown.size() + kEllipsis.size() <= limit) cut = shown.size();
    const Utf8Character character = utf8_character(text, at);
    if (character.length == 0) {
      shown += "\\x" + hexadecimal(static_cast<std::uint8_t>(text[at]), 2);
      ++at;
      continue;
    }
    if (is_invisible(character.code_point)) {
      shown += escape(character.code_point);
    } else {
      shown += text.substr(at, character.length);
    }
    at += character.length;
    if (shown.size() > limit) break;
  }
  if (shown.size() <= limit) return shown;
  shown.resize(cut);
  shown += kEllipsis;
  return shown;
}

}  // namespace ullage::base
