// Writes what a person would: plain where plain is safe.
#include "document/yaml_writer.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "document/number_text.hpp"

namespace ullage::document {
namespace {

constexpr std::size_t kWidth = 100;

bool is_plain_character(char letter) {
  constexpr std::string_view kOthers = "_./-+()@=;";
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == ' ' ||
         kOthers.find(letter) != std::string_view::npos;
}

// Whether a string reads as itself without quotes. `comma` where one may stand in it: not inside
// brackets.
bool is_plain(std::string_view text, bool comma) {
  constexpr std::array<std::string_view, 7> kWords{"true", "false", "null", "yes",
                                                   "no",   "on",    "off"};
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  const char first = text.front();
  const bool starts = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                      (first >= '0' && first <= '9') || first == '/' || first == '(';
  if (!starts || number_length(text) == text.size()) return false;
  if (std::find(kWords.begin(), kWords.end(), base::lower(text)) != kWords.end()) return false;
  return std::all_of(text.begin(), text.end(), [comma](char letter) {
    return is_plain_character(letter) || (comma && letter == ',');
  });
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<std::uint8_t>(letter);
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (letter == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\x";
      result += kDigits[byte >> 4];
      result += kDigits[byte & 0xF];
    } else {
      result += letter;
    }
  }
  return result + '"';
}

std::string scalar(const Value& value, bool comma) {
  switch (value.type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return value.boolean ? "true" : "false";
    case Type::number:
      if (number_length(value.text) == value.text.size()) return value.text;
      return quoted(value.text);
    default:
      return is_plain(value.text, comma) ? value.text : quoted(value.text);
  }
}

bool is_scalar(const Value& value) {
  return value.type != Type::array && value.type != Type::object;
}

class Writer {
 public:
  // Behind a key or a dash: on the same line where the value fits there, else below.
  void value(const Value& value, std::size_t indent) {
    if (value.type == Type::object && !value.members.empty()) {
      text_ += '\n';
      object(value, indent);
    } else if (value.type == Type::array && !value.items.empty()) {
      array(value, indent);
    } else {
      text_ += ' ';
      text_ += value.type == Type::object  ? "{}"
               : value.type == Type::array ? "[]"
                                           : scalar(value, true);
      text_ += '\n';
    }
  }

  void object(const Value& object, std::size_t indent) {
    for (const Member& member : object.members) {
      text_.append(indent, ' ');
      text_ += (is_plain(member.key, false) ? member.key : quoted(member.key)) + ':';
      value(member.value, indent + 2);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void array(const Value& array, std::size_t indent) {
    if (!std::all_of(array.items.begin(), array.items.end(), is_scalar)) {
      text_ += '\n';
      for (const Value& item : array.items) {
        text_.append(indent, ' ');
        text_ += '-';
        value(item, indent + 2);
      }
      return;
    }
    text_ += " [";
    std::size_t column = text_.size() - (text_.rfind('\n') + 1);
    for (std::size_t i = 0; i < array.items.size(); ++i) {
      std::string item = scalar(array.items[i], false);
      item += i + 1 < array.items.size() ? "," : "]";
      if (i > 0 && column + item.size() + 1 > kWidth) {
        text_ += '\n';
        text_.append(indent, ' ');
        column = indent;
      } else if (i > 0) {
        text_ += ' ';
        ++column;
      }
      text_ += item;
      column += item.size();
    }
    text_ += '\n';
  }

  std::string text_;
};

}  // namespace

std::string write_yaml(const Value& value) {
  Writer writer;
  if (value.type == Type::object && !value.members.empty()) {
    writer.object(value, 0);
  } else {
    writer.value(value, 0);
  }
  std::string text = writer.take();
  text.erase(0, text.find_first_not_of(" \n"));
  return text;
}

}  // namespace ullage::document
