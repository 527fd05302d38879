// A tree as one line of text with every position, so that a test compares it at a glance.
#pragma once

#include <string>

#include "document/value.hpp"

namespace ullage::test {

inline std::string place_text(std::uint32_t line, std::uint32_t column) {
  return '@' + std::to_string(line) + ':' + std::to_string(column);
}

// `{key@1:2 3@1:7, list@2:1 ["a"@2:7, null@2:12]@2:6}@1:1`; numbers as written.
inline std::string tree_text(const document::Value& value) {
  std::string text;
  switch (value.type) {
    case document::Type::null:
      text = "null";
      break;
    case document::Type::boolean:
      text = value.boolean ? "true" : "false";
      break;
    case document::Type::number:
      text = value.text;
      break;
    case document::Type::string:
      text = '"' + value.text + '"';
      break;
    case document::Type::array:
      for (const document::Value& item : value.items) {
        text += (text.empty() ? "" : ", ") + tree_text(item);
      }
      text = '[' + text + ']';
      break;
    case document::Type::object:
      for (const document::Member& member : value.members) {
        text += (text.empty() ? "" : ", ") + member.key + place_text(member.line, member.column) +
                ' ' + tree_text(member.value);
      }
      text = '{' + text + '}';
      break;
  }
  return text + place_text(value.line, value.column);
}

}  // namespace ullage::test
