// Looking into a tree, with errors that name key, place and what would be right.
#include "document/value.hpp"

#include <limits>
#include <unordered_map>

#include "base/spelling.hpp"

namespace ullage::document {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::size_t kQuoted = 60;  // bytes of input that a message repeats
constexpr std::size_t kSmallObject = 8;

std::string quoted(std::string_view text) {
  return '"' + base::printable(text, kQuoted) + '"';
}

std::string subject(std::string_view what) {
  return what.empty() ? "the document" : std::string(what);
}

std::string with_article(Type type) {
  const std::string name(name_of(type));
  if (type == Type::null) return name;
  return (type == Type::array || type == Type::object ? "an " : "a ") + name;
}

// A value as a message shows it.
std::string shown(const Value& value) {
  switch (value.type) {
    case Type::boolean:
      return value.boolean ? "true" : "false";
    case Type::number:
      return "the number " + base::printable(value.text, kQuoted);
    case Type::string:
      return "the string " + quoted(value.text);
    case Type::null:
    case Type::array:
    case Type::object:
      break;
  }
  return with_article(value.type);
}

Diagnostic fault(const Document& document, const Value& value, Code code, std::string message,
                 std::string hint) {
  return {.code = code,
          .message = std::move(message),
          .span = document.span(value),
          .hint = std::move(hint)};
}

Diagnostic wrong_type(const Document& document, const Value& value, std::string_view what,
                      Type wanted, std::string hint) {
  return fault(document, value, Code::wrong_type,
               subject(what) + " must be " + with_article(wanted) + ", not " + shown(value),
               std::move(hint));
}

std::string range_text(std::int64_t low, std::int64_t high) {
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (low == kLowest && high == kHighest) return "a whole number of at most 64 bits";
  if (high == kHighest) return "a whole number of at least " + std::to_string(low);
  if (low == kLowest) return "a whole number of at most " + std::to_string(high);
  return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

std::vector<std::string_view> keys_of(const Value& object) {
  std::vector<std::string_view> keys;
  for (const Member& member : object.members)
    keys.push_back(member.key);
  return keys;
}

bool same_members(const Value& a, const Value& b) {
  if (a.members.size() != b.members.size()) return false;
  std::unordered_map<std::string_view, const Value*> large;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    const Member& member = a.members[i];
    const Value* other = nullptr;
    if (b.members[i].key == member.key) {
      other = &b.members[i].value;
    } else if (b.members.size() <= kSmallObject) {
      other = b.find(member.key);
    } else {
      if (large.empty()) {
        for (const Member& entry : b.members)
          large.emplace(entry.key, &entry.value);
      }
      const auto found = large.find(member.key);
      other = found == large.end() ? nullptr : found->second;
    }
    if (other == nullptr || !same_content(member.value, *other)) return false;
  }
  return true;
}

}  // namespace

std::string_view name_of(Type type) {
  switch (type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "boolean";
    case Type::number:
      return "number";
    case Type::string:
      return "string";
    case Type::array:
      return "array";
    case Type::object:
      return "object";
  }
  return "null";
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

base::Result<exact::Rational> as_number(const Document& document, const Value& value,
                                        std::string_view what) {
  if (value.type != Type::number) {
    const bool is_quoted_number =
        value.type == Type::string && exact::Rational::parse(value.text).ok();
    return wrong_type(document, value, what, Type::number,
                      is_quoted_number ? "write the number without quotes" : "");
  }
  if (value.text == "NaN" || value.text == "Infinity" || value.text == "-Infinity") {
    return fault(document, value, Code::out_of_range,
                 subject(what) + " is " + value.text + ", with which nothing can be computed",
                 "write a decimal number");
  }
  auto number = exact::Rational::parse(value.text);
  if (number.ok()) return number;
  Diagnostic diagnostic = std::move(number).error();
  diagnostic.message = subject(what) + ": " + diagnostic.message;
  diagnostic.span = document.span(value);
  return diagnostic;
}

base::Result<std::int64_t> as_integer(const Document& document, const Value& value,
                                      std::string_view what, std::int64_t low, std::int64_t high) {
  ULLAGE_TRY(const exact::Rational number, as_number(document, value, what));
  const std::optional<std::int64_t> whole = number.to_int64();
  if (whole && *whole >= low && *whole <= high) return *whole;
  return fault(document, value, Code::out_of_range,
               subject(what) + " must be " + range_text(low, high) + ", not " +
                   base::printable(value.text, kQuoted),
               "");
}

base::Result<std::string> as_string(const Document& document, const Value& value,
                                    std::string_view what) {
  if (value.type == Type::string) return value.text;
  const bool is_plain = value.type == Type::number || value.type == Type::boolean;
  return wrong_type(document, value, what, Type::string, is_plain ? "put it in quotes" : "");
}

base::Result<bool> as_boolean(const Document& document, const Value& value, std::string_view what) {
  if (value.type == Type::boolean) return value.boolean;
  return wrong_type(document, value, what, Type::boolean,
                    "write true or false, in lower case and without quotes");
}

base::Result<void> expect(const Document& document, const Value& value, Type type,
                          std::string_view what) {
  if (value.type == type) return {};
  return wrong_type(document, value, what, type, "");
}

base::Result<const Value*> member(const Document& document, const Value& object,
                                  std::string_view key, std::string_view what) {
  ULLAGE_CHECK(expect(document, object, Type::object, what));
  const Value* found = object.find(key);
  if (found != nullptr) return found;
  // A key that is there but misspelt explains the missing one.
  const std::vector<std::string> similar = base::nearest(key, keys_of(object), 1);
  return fault(document, object, Code::missing_key, subject(what) + " lacks the key " + quoted(key),
               similar.empty() ? "" : "is " + quoted(similar.front()) + " meant to be it?");
}

base::Result<void> only_keys(const Document& document, const Value& object,
                             const std::vector<std::string_view>& known, std::string_view what) {
  ULLAGE_CHECK(expect(document, object, Type::object, what));
  for (const Member& entry : object.members) {
    bool is_known = false;
    for (const std::string_view key : known)
      is_known = is_known || key == entry.key;
    if (is_known) continue;
    std::string hint = base::did_you_mean(base::nearest(entry.key, known, 3));
    if (hint.empty()) {
      for (const std::string_view key : known) {
        hint += (hint.empty() ? "the keys here are " : ", ") + std::string(key);
      }
    }
    return Diagnostic{.code = Code::unknown_key,
                      .message = subject(what) + " has the unknown key " + quoted(entry.key),
                      .span = document.span(entry),
                      .hint = std::move(hint)};
  }
  return {};
}

bool same_content(const Value& a, const Value& b) {
  if (a.type != b.type) return false;
  switch (a.type) {
    case Type::null:
      return true;
    case Type::boolean:
      return a.boolean == b.boolean;
    case Type::number:
    case Type::string:
      return a.text == b.text;
    case Type::object:
      return same_members(a, b);
    case Type::array:
      break;
  }
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same_content(a.items[i], b.items[i])) return false;
  }
  return true;
}

}  // namespace ullage::document
