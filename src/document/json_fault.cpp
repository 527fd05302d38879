// Reads on from the last good token by JSON's grammar until the first character that breaks it.
#include "document/json_fault.hpp"

#include <optional>

#include "base/utf8.hpp"
#include "document/number_text.hpp"
#include "document/places.hpp"

namespace ullage::document {
namespace {

struct Fault {
  std::size_t at;
  std::string message;
  std::string hint;
};

bool is_word_character(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '.' || letter == '+' ||
         letter == '-';
}

bool is_hexadecimal(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') ||
         (letter >= 'A' && letter <= 'F');
}

class Explainer {
 public:
  explicit Explainer(std::string_view text) : text_(text) {}

  Fault explain(JsonSpot spot, std::size_t offset) const;

 private:
  bool ended(std::size_t at) const { return at >= text_.size(); }
  std::size_t skip(std::size_t at) const { return skip_json_space(text_, at); }

  std::string found(std::size_t at) const;
  Fault expected(std::size_t at, const std::string& what) const;
  Fault in_value(std::size_t at, const std::string& what) const;
  Fault in_word(std::size_t at, const std::string& what) const;
  Fault in_key(std::size_t at, const std::string& what) const;
  Fault behind_comma(std::size_t comma, char closing) const;
  Fault behind_value(std::size_t at, char closing) const;
  Fault in_string(std::size_t start) const;
  std::optional<Fault> in_escape(std::size_t at, std::size_t& length) const;
  std::optional<std::uint32_t> unit_at(std::size_t at) const;

  std::string_view text_;
};

// What stands at `at`, short enough for a message.
std::string Explainer::found(std::size_t at) const {
  std::size_t end = at;
  while (!ended(end) && is_word_character(text_[end]))
    ++end;
  if (end == at) {
    const base::Utf8Character character = base::utf8_character(text_, at);
    end = at + (character.length == 0 ? 1 : character.length);
  }
  return "'" + base::printable(text_.substr(at, end - at), 40) + "'";
}

Fault Explainer::expected(std::size_t at, const std::string& what) const {
  if (ended(at)) {
    return {text_.size(), "the text ends too soon: expected " + what,
            "the file is cut short or a closing bracket is missing"};
  }
  if (text_[at] == '/' || text_[at] == '#') {
    return {at, "expected " + what + ", found a comment", "JSON has no comments; remove it"};
  }
  if (text_[at] == '\'') {
    return {at, "expected " + what + ", found a single quote",
            "JSON writes strings in double quotes"};
  }
  return {at, "expected " + what + ", found " + found(at), {}};
}

// A word that is neither a number nor one of JSON's own.
Fault Explainer::in_word(std::size_t at, const std::string& what) const {
  Fault fault = expected(at, what);
  const std::string word = found(at);
  const char first = text_[at];
  if (word == "'True'" || word == "'False'" || word == "'None'") {
    fault.hint = "JSON writes true, false and null";
  } else if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
    fault.message = "expected " + what + ", found " + word + ", which is no JSON number";
    fault.hint = "a number has digits on both sides of its point, no leading zero and no plus sign";
  } else {
    fault.hint = "a string needs double quotes";
  }
  return fault;
}

Fault Explainer::in_value(std::size_t at, const std::string& what) const {
  if (ended(at)) return expected(at, what);
  if (text_[at] == '"') return in_string(at);
  return is_word_character(text_[at]) ? in_word(at, what) : expected(at, what);
}

Fault Explainer::in_key(std::size_t at, const std::string& what) const {
  if (ended(at)) return expected(at, what);
  if (text_[at] == '"') return in_string(at);
  Fault fault = expected(at, what);
  if (is_word_character(text_[at])) fault.hint = "a key needs double quotes";
  return fault;
}

Fault Explainer::behind_comma(std::size_t comma, char closing) const {
  const std::size_t at = skip(comma + 1);
  if (!ended(at) && text_[at] == closing) {
    return {at, std::string("expected another entry after the comma, found '") + closing + "'",
            "JSON has no trailing commas; remove the one before"};
  }
  return closing == '}' ? in_key(at, "a key after ','") : in_value(at, "a value after ','");
}

Fault Explainer::behind_value(std::size_t at, char closing) const {
  if (!ended(at) && text_[at] == ',') return behind_comma(at, closing);
  Fault fault = expected(at, std::string("',' or '") + closing + "' after the value");
  if (!ended(at) && text_[at] == '"') {
    fault.message =
        std::string("expected ',' or '") + closing + "' after the value, found a string";
    fault.hint = "is a comma missing before it?";
  }
  return fault;
}

Fault Explainer::explain(JsonSpot spot, std::size_t offset) const {
  // The parser takes the 0 of 010 for a number and the true of truest for a word.
  if (offset > 0 && !ended(offset) && is_word_character(text_[offset])) {
    std::size_t start = offset;
    while (start > 0 && is_word_character(text_[start - 1]))
      --start;
    if (start != offset) return in_word(start, "a value");
  }
  const std::size_t at = skip(offset);
  switch (spot) {
    case JsonSpot::start:
      if (ended(at)) return {text_.size(), "the text is empty", "it should hold JSON"};
      return in_value(at, "a JSON value");
    case JsonSpot::object_opened:
      return in_key(at, "a key or '}'");
    case JsonSpot::array_opened:
      return in_value(at, "a value or ']'");
    case JsonSpot::key:
      if (ended(at) || text_[at] != ':') return expected(at, "':' after the key");
      return in_value(skip(at + 1), "a value after ':'");
    case JsonSpot::object_value:
      return behind_value(at, '}');
    case JsonSpot::array_value:
      return behind_value(at, ']');
    case JsonSpot::whole:
      break;
  }
  return expected(at, "the end of the text");
}

// The 16 bits of the escape `\uXXXX` at `at`, or nothing.
std::optional<std::uint32_t> Explainer::unit_at(std::size_t at) const {
  if (text_.size() - at < 6 || text_[at] != '\\' || text_[at + 1] != 'u') return std::nullopt;
  std::uint32_t unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const char digit = text_[i];
    if (!is_hexadecimal(digit)) return std::nullopt;
    unit = unit * 16 +
           static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
  }
  return unit;
}

// What is wrong with the escape at `at`; otherwise nothing, and its `length`.
std::optional<Fault> Explainer::in_escape(std::size_t at, std::size_t& length) const {
  length = 2;
  if (ended(at + 1)) return std::nullopt;  // the string is not closed
  if (std::string_view("\"\\/bfnrt").find(text_[at + 1]) != std::string_view::npos) {
    return std::nullopt;
  }
  if (text_[at + 1] != 'u') {
    return Fault{at, "the string holds an unknown escape, a backslash before " + found(at + 1),
                 "write a backslash itself as \\\\"};
  }
  const std::optional<std::uint32_t> unit = unit_at(at);
  if (!unit) {
    return Fault{at, "the string holds \\u without four hexadecimal digits",
                 "write a backslash itself as \\\\"};
  }
  length = 6;
  if (*unit < 0xD800 || *unit > 0xDFFF) return std::nullopt;
  const std::optional<std::uint32_t> second = ended(at + 6) ? std::nullopt : unit_at(at + 6);
  if (*unit < 0xDC00 && second && *second >= 0xDC00 && *second <= 0xDFFF) {
    length = 12;
    return std::nullopt;
  }
  return Fault{at, "the string holds half of a surrogate pair, " + std::string(text_.substr(at, 6)),
               "a character beyond U+FFFF takes two such escapes, high half first"};
}

Fault Explainer::in_string(std::size_t start) const {
  for (std::size_t at = start + 1; !ended(at);) {
    const auto byte = static_cast<std::uint8_t>(text_[at]);
    if (byte == '"') return {start, "this string cannot stand here", {}};
    if (byte == '\n' || byte == '\r') {
      return {at, "the string is not closed before the end of its line",
              "close it with a double quote; a line break inside is written \\n"};
    }
    if (byte < 0x20) {
      return {at, "the string holds the control character " + found(at),
              "write it as an escape such as \\t or \\u0000"};
    }
    std::size_t length = 0;
    if (byte == '\\') {
      if (std::optional<Fault> fault = in_escape(at, length)) return *std::move(fault);
    } else {
      length = base::utf8_character(text_, at).length;
      if (length == 0) {
        return {at, "the string holds the byte " + found(at) + ", which is not UTF-8",
                "save the file as UTF-8"};
      }
    }
    at += length;
  }
  const Place opened = Places(text_).at(start);
  return {text_.size(),
          "the text ends inside the string that starts at line " + std::to_string(opened.line) +
              ", column " + std::to_string(opened.column),
          "the file is cut short or a closing quote is missing"};
}

// Files that are something else altogether deserve that name instead of a comma's.
void name_other_content(std::string_view text, Fault& fault) {
  if (is_merge_conflict(line_around(text, fault.at))) {
    fault.message = "a merge conflict marker stands here";
    fault.hint = "resolve the conflict and remove the marker lines";
  } else if (text.starts_with("version https://git-lfs")) {
    fault.message = "this is a Git LFS pointer, not the file itself";
    fault.hint = "fetch the content with `git lfs pull`";
  } else if (text.substr(skip_json_space(text, 0)).starts_with('<')) {
    fault.message += ": this looks like a web page, not JSON";
    fault.hint = "download the raw file";
  } else if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fault.message = "this is UTF-16 text";
    fault.hint = "save the file as UTF-8";
  }
}

}  // namespace

std::size_t skip_json_space(std::string_view text, std::size_t at) {
  const std::size_t found = text.find_first_not_of(" \t\r\n", at);
  return found == std::string_view::npos ? text.size() : found;
}

base::Diagnostic explain_json_fault(std::string_view text, const std::string& file, JsonSpot spot,
                                    std::size_t offset) {
  Fault fault = Explainer(text).explain(spot, offset);
  name_other_content(text, fault);
  const Place place = Places(text).at(fault.at);
  return {.code = base::Code::syntax,
          .message = std::move(fault.message),
          .span = {file, place.line, place.column},
          .hint = std::move(fault.hint)};
}

}  // namespace ullage::document
