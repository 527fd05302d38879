// Spells findings as lines.
#include "report/annotations.hpp"

namespace ullage::report {
namespace {

constexpr std::size_t kTextLimit = 4000;

// Workflow commands end at a line break and read `%` as an escape; properties end at `,` and `:`.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (const char c : text) {
    if (c == '%') {
      result += "%25";
    } else if (c == '\r') {
      result += "%0D";
    } else if (c == '\n') {
      result += "%0A";
    } else if (property && c == ':') {
      result += "%3A";
    } else if (property && c == ',') {
      result += "%2C";
    } else {
      result += c;
    }
  }
  return result;
}

std::string_view name_of(base::Severity level) {
  switch (level) {
    case base::Severity::note:
      return "note";
    case base::Severity::warning:
      return "warning";
    case base::Severity::error:
      return "error";
  }
  return "error";
}

}  // namespace

std::string finding_text(const base::Finding& finding) {
  std::string text;
  const base::Span& span = finding.span;
  if (!span.file.empty()) {
    text += base::printable(span.file, kTextLimit);
    if (span.line != 0) text += ":" + std::to_string(span.line);
    if (span.column != 0) text += ":" + std::to_string(span.column);
    text += ": ";
  }
  text += std::string(name_of(finding.level)) + "[" + finding.rule +
          "]: " + base::printable(finding.message, kTextLimit);
  if (!finding.hint.empty()) text += "\n  hint: " + base::printable(finding.hint, kTextLimit);
  return text;
}

std::string to_github(std::span<const base::Finding> findings) {
  std::string text;
  for (const base::Finding& finding : findings) {
    const base::Span& span = finding.span;
    text += finding.level == base::Severity::note
                ? "::notice "
                : "::" + std::string(name_of(finding.level)) + " ";
    if (!span.file.empty()) {
      text += "file=" + escaped(span.file, true) + ",";
      if (span.line != 0) text += "line=" + std::to_string(span.line) + ",";
      if (span.column != 0) text += "col=" + std::to_string(span.column) + ",";
    }
    text += "title=" + escaped(finding.rule, true) + "::" + escaped(finding.message, false);
    if (!finding.hint.empty()) text += " (" + escaped(finding.hint, false) + ")";
    text += "\n";
  }
  return text;
}

}  // namespace ullage::report
