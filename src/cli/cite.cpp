// Spells citations.
#include "cli/cite.hpp"

namespace ullage::cli {
namespace {

using provenance::Source;

constexpr std::size_t kTextLimit = 4000;

bool has_address(const Source& source) {
  return source.url != "unknown";
}

std::string text_of(const Source& source) {
  std::string text = source.publisher + ". " + source.title + ". " + source.revision + ". ";
  text += has_address(source) ? source.url : std::string("Address unknown");
  text += " (accessed " + source.checked + ")";
  if (source.tier != provenance::Tier::primary) {
    text += " [" + std::string(name_of(source.tier)) + " source]";
  }
  return base::printable(text, kTextLimit) + "\n";
}

// Characters that TeX acts on, escaped.
std::string tex(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        result += '\\';
        result += c;
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '\\':
        result += "\\textbackslash{}";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Braces would end the field; everything else of an address is taken literally.
std::string tex_address(std::string_view url) {
  std::string result;
  for (const char c : url) {
    if (c == '{') {
      result += "%7B";
    } else if (c == '}') {
      result += "%7D";
    } else {
      result += c;
    }
  }
  return result;
}

// The double braces keep the case of titles and the names of organisations whole.
std::string bibtex_of(const Source& source) {
  std::string text = "@misc{" + source.id + ",\n";
  text += "  author = {{" + tex(source.publisher) + "}},\n";
  text += "  title = {{" + tex(source.title) + "}},\n";
  text += "  version = {" + tex(source.revision) + "},\n";
  if (has_address(source)) text += "  url = {" + tex_address(source.url) + "},\n";
  text += "  urldate = {" + source.checked + "},\n";
  text += "  note = {" + std::string(name_of(source.tier)) + " source, accessed " + source.checked +
          "}\n}\n";
  return text;
}

}  // namespace

base::Result<CitationStyle> citation_style(const std::string& name, Format format) {
  if (format != Format::text) {
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "--cite prints text, whatever the style",
                            .span = {},
                            .hint = "leave -o out",
                            .notes = {}};
  }
  if (name == "text") return CitationStyle::text;
  if (name == "bibtex") return CitationStyle::bibtex;
  return base::Diagnostic{.code = base::Code::usage,
                          .message = "--cite " + base::printable(name) + " is no style",
                          .span = {},
                          .hint = "text or bibtex",
                          .notes = {}};
}

std::string citations(CitationStyle style, const std::vector<const Source*>& sources) {
  std::string text;
  for (const Source* source : sources) {
    if (style == CitationStyle::bibtex && !text.empty()) text += "\n";
    text += style == CitationStyle::bibtex ? bibtex_of(*source) : text_of(*source);
  }
  return text;
}

}  // namespace ullage::cli
