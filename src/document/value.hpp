// One tree for everything that people write: JSON and YAML end here, with positions and raw number
// text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "exact/rational.hpp"

namespace ullage::document {

enum class Type : std::uint8_t { null, boolean, number, string, array, object };
std::string_view name_of(Type type);

struct Member;

// A node. `text` holds a string's characters or a number's text exactly as written; `line` and
// `column` count from 1 (0 where the value has no place).
struct Value {
  Type type = Type::null;
  bool boolean = false;
  std::string text;
  std::vector<Value> items;     // of an array
  std::vector<Member> members;  // of an object, in the order written, keys unique
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  // The member with that key, or nullptr. Only for objects; other types have none.
  const Value* find(std::string_view key) const;
};

struct Member {
  std::string key;
  Value value;
  std::uint32_t line = 0;  // of the key
  std::uint32_t column = 0;
};

// A parsed file. `file` is the name for messages (`-` for standard input).
struct Document {
  std::string file;
  Value root;

  base::Span span(const Value& value) const { return {file, value.line, value.column}; }
  base::Span span(const Member& member) const { return {file, member.line, member.column}; }
};

// Typed access. Each error names `what` (the key as a reader would write it, `figures.tdp.value`)
// and stands at the value's place.
// A number of any form, exactly. JSON's NaN and Infinity are numbers in the tree but refused here.
base::Result<exact::Rational> as_number(const Document& document, const Value& value,
                                        std::string_view what);
// A whole number in [low, high].
base::Result<std::int64_t> as_integer(const Document& document, const Value& value,
                                      std::string_view what, std::int64_t low, std::int64_t high);
base::Result<std::string> as_string(const Document& document, const Value& value,
                                    std::string_view what);
base::Result<bool> as_boolean(const Document& document, const Value& value, std::string_view what);
// Checks the type only.
base::Result<void> expect(const Document& document, const Value& value, Type type,
                          std::string_view what);
// The member, or `missing_key` at the object's place.
base::Result<const Value*> member(const Document& document, const Value& object,
                                  std::string_view key, std::string_view what);
// Error `unknown_key` with the nearest known key for the first member not in `known`.
base::Result<void> only_keys(const Document& document, const Value& object,
                             const std::vector<std::string_view>& known, std::string_view what);

// Deep equality of content; positions do not count.
bool same_content(const Value& a, const Value& b);

}  // namespace ullage::document
