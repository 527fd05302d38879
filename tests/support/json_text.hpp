// A document tree as JSON, for tests that write configurations.
#pragma once

#include <string>

#include "document/value.hpp"

namespace ullage::test {

inline std::string json_text(const document::Value& value) {
  std::string text;
  switch (value.type) {
    case document::Type::null:
      return "null";
    case document::Type::boolean:
      return value.boolean ? "true" : "false";
    case document::Type::number:
      return value.text;
    case document::Type::string:
      for (const char c : value.text)
        text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
      return '"' + text + '"';
    case document::Type::array:
      for (const document::Value& item : value.items)
        text += (text.empty() ? "" : ", ") + json_text(item);
      return '[' + text + ']';
    case document::Type::object:
      for (const document::Member& member : value.members) {
        text += (text.empty() ? "\n" : ",\n") + ('"' + member.key + "\": ");
        text += json_text(member.value);
      }
      return '{' + text + '}';
  }
  return text;
}

}  // namespace ullage::test
