// Punctuation, indentation and escapes of JSON.
#include "report/json_writer.hpp"

#include "report/characters.hpp"

namespace ullage::report {
namespace {

// Enough to tell any two doubles apart.
constexpr unsigned kSignificantDigits = 17;

std::string escape(char character) {
  switch (character) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(character);
      return std::string("\\u00") + kDigits[code >> 4] + kDigits[code & 0xF];
  }
}

bool needs_escape(char character) {
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 || code == 0x7F || character == '"' || character == '\\';
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char character : well_formed(text)) {
    if (needs_escape(character)) {
      result += escape(character);
    } else {
      result += character;
    }
  }
  result += '"';
  return result;
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::separate(Level& level) {
  if (!level.empty) text_ += level.one_line ? ", " : ",";
  if (!level.one_line) new_line();
  level.empty = false;
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) {
    base::require(text_.empty(), "JSON: a second value at the top");
    return;
  }
  base::require(levels_.back().closing == ']', "JSON: a member without a key");
  separate(levels_.back());
}

void JsonWriter::begin(char opening, char closing, Layout layout) {
  before_value();
  const bool inside_line = !levels_.empty() && levels_.back().one_line;
  text_ += opening;
  levels_.push_back({closing, inside_line || layout == Layout::one_line});
}

void JsonWriter::end(char closing) {
  base::require(!levels_.empty() && levels_.back().closing == closing && !after_key_,
                "JSON: a bracket that does not match");
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) new_line();
  text_ += closing;
}

void JsonWriter::begin_object(Layout layout) {
  begin('{', '}', layout);
}
void JsonWriter::end_object() {
  end('}');
}
void JsonWriter::begin_array(Layout layout) {
  begin('[', ']', layout);
}
void JsonWriter::end_array() {
  end(']');
}

void JsonWriter::key(std::string_view name) {
  base::require(!levels_.empty() && levels_.back().closing == '}' && !after_key_,
                "JSON: a key outside an object");
  separate(levels_.back());
  text_ += quoted(name) + ": ";
  after_key_ = true;
}

void JsonWriter::string(std::string_view text) {
  before_value();
  text_ += quoted(text);
}

void JsonWriter::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  text_ += "null";
}

void JsonWriter::number(const exact::Rational& value) {
  before_value();
  text_ += value.is_whole() ? value.to_string() : value.to_significant(kSignificantDigits);
}

void JsonWriter::member(std::string_view name, std::string_view text) {
  key(name);
  string(text);
}

void JsonWriter::member(std::string_view name, const exact::Rational& value) {
  key(name);
  number(value);
}

void JsonWriter::member_unless_empty(std::string_view name, std::string_view text) {
  if (!text.empty()) member(name, text);
}

void JsonWriter::member_or_null(std::string_view name, std::string_view text) {
  key(name);
  text.empty() ? null() : string(text);
}

std::string JsonWriter::finish() && {
  base::require(levels_.empty() && !text_.empty(), "JSON: an unfinished value");
  text_ += '\n';
  return std::move(text_);
}

}  // namespace ullage::report
