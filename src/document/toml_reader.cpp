// TOML 1.0 (toml.io/en/v1.0.0) to the one tree. Numbers must keep their text, which libraries turn
// into floating point.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "document/number_text.hpp"
#include "document/places.hpp"
#include "document/read.hpp"
#include "document/tree_builder.hpp"

namespace ullage::document {
namespace {

using base::Code;
using base::Diagnostic;

// Leaves the reader from any depth; `fault_` holds the reason.
struct Refused {};

bool is_bare(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

std::string utf8_of(std::uint32_t code_point) {
  std::string text;
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | (code_point >> 6));
    add(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    add(0xE0 | (code_point >> 12));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  } else {
    add(0xF0 | (code_point >> 18));
    add(0x80 | ((code_point >> 12) & 0x3F));
    add(0x80 | ((code_point >> 6) & 0x3F));
    add(0x80 | (code_point & 0x3F));
  }
  return text;
}

struct Key {
  std::string name;
  Place place;
};

class Reader {
 public:
  Reader(std::string_view text, std::string file, const Limits& limits)
      : text_(text), places_(text), file_(std::move(file)), limits_(limits) {
    document_.file = file_;
    document_.root = container(Type::object, 0);
  }

  base::Result<Document> read() {
    try {
      Value* table = &document_.root;
      for (skip_lines(); !at_end(); skip_lines()) {
        if (peek() == '[') {
          table = header();
        } else {
          pair(*table, 1);
        }
        end_of_line();
      }
    } catch (const Refused&) {
      return *std::move(fault_);
    }
    return std::move(document_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  [[noreturn]] void refuse(std::string message, std::string hint, std::size_t at,
                           Code code = Code::syntax) {
    const Place place = places_.at(at);
    fault_ = Diagnostic{.code = code,
                        .message = std::move(message),
                        .span = {file_, place.line, place.column},
                        .hint = std::move(hint)};
    throw Refused{};
  }

  Value container(Type type, std::size_t at) {
    if (++nodes_ > limits_.nodes) {
      refuse("the text holds more than " + std::to_string(limits_.nodes) + " values",
             "check that this is the intended file", at);
    }
    const Place place = places_.at(at);
    Value value;
    value.type = type;
    value.line = place.line;
    value.column = place.column;
    return value;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t')
      ++at_;
  }
  void skip_comment() {
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  // Blanks, comments and line breaks.
  void skip_lines() {
    for (;;) {
      skip_blanks();
      skip_comment();
      if (at_end() || (peek() != '\n' && peek() != '\r')) return;
      ++at_;
    }
  }
  void end_of_line() {
    skip_blanks();
    skip_comment();
    if (at_end() || peek() == '\n' || (peek() == '\r' && peek(1) == '\n')) return;
    refuse("something stands behind the value", "one key = value a line", at_);
  }

  Key simple_key() {
    const std::size_t start = at_;
    const Place place = places_.at(start);
    if (peek() == '"' || peek() == '\'') return {quoted(), place};
    while (is_bare(peek()))
      ++at_;
    if (at_ == start) refuse("a key is missing here", "a key of letters, digits, _ and -", at_);
    return {std::string(text_.substr(start, at_ - start)), place};
  }

  std::vector<Key> dotted_key() {
    std::vector<Key> keys;
    for (;;) {
      skip_blanks();
      keys.push_back(simple_key());
      skip_blanks();
      if (peek() != '.') return keys;
      ++at_;
    }
  }

  // Whether a value is what `[[…]]` makes.
  static bool holds_tables(const Value& value) {
    return value.type == Type::array && !value.items.empty() &&
           value.items.back().type == Type::object;
  }

  // The table of that name in `parent`, made where there is none; the last one of an array of
  // tables.
  Value* enter(Value& parent, const Key& key, std::size_t at) {
    for (Member& member : parent.members) {
      if (member.key != key.name) continue;
      Value* inner = &member.value;
      if (holds_tables(*inner)) inner = &inner->items.back();
      if (inner->type != Type::object) taken(key, member.line, at);
      return inner;
    }
    return &add(parent, key, container(Type::object, at));
  }

  Value& add(Value& parent, const Key& key, Value value) {
    parent.members.push_back({.key = key.name,
                              .value = std::move(value),
                              .line = key.place.line,
                              .column = key.place.column});
    return parent.members.back().value;
  }

  [[noreturn]] void taken(const Key& key, std::uint32_t first, std::size_t at) {
    refuse("the key \"" + base::printable(key.name, 80) + "\" is given twice; first on line " +
               std::to_string(first),
           "remove one of the two", at, Code::duplicate_key);
  }

  // `[a.b]` or `[[a.b]]`. Tables are found anew from the root, so no address outlives a growth.
  Value* header() {
    const std::size_t start = at_;
    ++at_;
    const bool is_array = peek() == '[';
    if (is_array) ++at_;
    const std::vector<Key> keys = dotted_key();
    if (keys.size() > limits_.depth) {
      refuse("more than " + std::to_string(limits_.depth) + " tables are nested in each other",
             "check that this is the intended file", start);
    }
    for (int i = 0; i < (is_array ? 2 : 1); ++i) {
      if (peek() != ']') refuse("expected ']' here", "a table is headed [name]", at_);
      ++at_;
    }
    Value* table = &document_.root;
    std::string path;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      table = enter(*table, keys[i], start);
      path += keys[i].name + '\0';
    }
    const Key& last = keys.back();
    path += last.name;
    const Value* known = table->find(last.name);
    if (is_array) {
      if (known != nullptr && !holds_tables(*known)) taken(last, known->line, start);
      Value* array = nullptr;
      for (Member& member : table->members) {
        if (member.key == last.name) array = &member.value;
      }
      if (array == nullptr) array = &add(*table, last, container(Type::array, start));
      // Tables below the new element may be headed again.
      path += '\0';
      std::erase_if(headed_, [&](const std::string& headed) { return headed.starts_with(path); });
      return &array->items.emplace_back(container(Type::object, start));
    }
    const bool is_headed = !headed_.insert(path).second;
    if (known != nullptr && (known->type != Type::object || is_headed)) {
      taken(last, known->line, start);
    }
    return enter(*table, last, start);
  }

  void pair(Value& table, std::size_t depth) {
    const std::size_t start = at_;
    const std::vector<Key> keys = dotted_key();
    if (peek() != '=') refuse("expected '=' behind the key", "key = value", at_);
    ++at_;
    skip_blanks();
    if (depth + keys.size() > limits_.depth) too_deep(start);
    Value* target = &table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i)
      target = enter(*target, keys[i], start);
    const Key& last = keys.back();
    if (const Value* known = target->find(last.name)) taken(last, known->line, start);
    Value read = value(depth + keys.size());
    add(*target, last, std::move(read));
  }

  [[noreturn]] void too_deep(std::size_t at) {
    refuse("more than " + std::to_string(limits_.depth) +
               " arrays and tables are nested in each other here",
           "check that this is the intended file", at);
  }

  Value value(std::size_t depth) {
    if (depth > limits_.depth) too_deep(at_);
    const std::size_t start = at_;
    const char first = peek();
    if (first == '"' || first == '\'') {
      Value text = container(Type::string, start);
      text.text = quoted();
      return text;
    }
    if (first == '[') return array(depth);
    if (first == '{') return inline_table(depth);
    return plain();
  }

  Value array(std::size_t depth) {
    Value list = container(Type::array, at_);
    ++at_;
    for (skip_lines(); peek() != ']'; skip_lines()) {
      if (at_end()) refuse("the text ends inside an array", "a closing ']' is missing", at_);
      list.items.push_back(value(depth + 1));
      skip_lines();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ']') {
        refuse("expected ',' or ']' after the entry", "a comma or the closing ']' is missing", at_);
      }
    }
    ++at_;
    return list;
  }

  Value inline_table(std::size_t depth) {
    Value table = container(Type::object, at_);
    ++at_;
    skip_blanks();
    while (peek() != '}') {
      pair(table, depth + 1);
      skip_blanks();
      if (peek() == ',') {
        ++at_;
        skip_blanks();
      } else if (peek() != '}') {
        refuse("expected ',' or '}' after the entry", "a comma or the closing '}' is missing", at_);
      }
    }
    ++at_;
    return table;
  }

  // true, false, numbers, dates.
  Value plain() {
    const std::size_t start = at_;
    const auto goes_on = [this] {
      return is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':';
    };
    while (goes_on())
      ++at_;
    std::string word(text_.substr(start, at_ - start));
    if (word.empty()) refuse("a value is missing here", "text stands in quotes", start);
    if (word == "true" || word == "false") {
      Value truth = container(Type::boolean, start);
      truth.boolean = word == "true";
      return truth;
    }
    std::string digits = word;
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    if (digits.starts_with('+')) digits.erase(0, 1);
    Value number = container(Type::number, start);
    number.text = digits;
    if (!digits.empty() && number_length(digits) == digits.size()) return number;
    number.type = Type::string;
    number.text = word;
    const bool is_known =
        (word[0] >= '0' && word[0] <= '9') || word.ends_with("inf") || word.ends_with("nan");
    if (!is_known) refuse("plain text cannot be a value", "put the text in quotes", start);
    return number;
  }

  std::string quoted() {
    const std::size_t start = at_;
    const char quote = peek();
    const bool is_long = peek(1) == quote && peek(2) == quote;
    at_ += is_long ? 3 : 1;
    if (is_long && peek() == '\r') ++at_;
    if (is_long && peek() == '\n') ++at_;
    std::string text;
    for (;;) {
      if (at_end() || (!is_long && peek() == '\n')) {
        refuse("a string is not closed", "a closing quote is missing", start);
      }
      if (peek() == quote && (!is_long || (peek(1) == quote && peek(2) == quote))) break;
      if (quote == '"' && peek() == '\\') {
        escape(text, is_long);
      } else {
        text += text_[at_++];
      }
    }
    at_ += is_long ? 3 : 1;
    while (is_long && peek() == quote && text.size() < text_.size()) {
      text += quote;
      ++at_;
    }
    return text;
  }

  void escape(std::string& text, bool is_long) {
    const std::size_t start = at_;
    const char letter = peek(1);
    at_ += 2;
    static const std::map<char, char> plain{{'b', '\b'}, {'t', '\t'}, {'n', '\n'}, {'f', '\f'},
                                            {'r', '\r'}, {'"', '"'},  {'\\', '\\'}};
    if (const auto known = plain.find(letter); known != plain.end()) {
      text += known->second;
      return;
    }
    if (is_long && (letter == '\n' || letter == ' ' || letter == '\t' || letter == '\r')) {
      while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
        ++at_;
      return;
    }
    if (letter != 'u' && letter != 'U') {
      refuse("the string holds an unknown escape", "write a backslash itself as \\\\", start);
    }
    std::uint32_t code_point = 0;
    for (int i = 0; i < (letter == 'u' ? 4 : 8); ++i) {
      const char digit = peek();
      const std::uint32_t value =
          digit >= '0' && digit <= '9'   ? static_cast<std::uint32_t>(digit - '0')
          : digit >= 'a' && digit <= 'f' ? static_cast<std::uint32_t>(digit - 'a' + 10)
          : digit >= 'A' && digit <= 'F' ? static_cast<std::uint32_t>(digit - 'A' + 10)
                                         : 16;
      if (value == 16) {
        refuse("the string holds an escape without its hexadecimal digits",
               "\\u and four of them, or \\U and eight", start);
      }
      code_point = code_point * 16 + value;
      ++at_;
    }
    const bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
    if (is_surrogate || code_point > 0x10FFFF) {
      refuse("the string escapes a code point that is no character", "", start);
    }
    text += utf8_of(code_point);
  }

  std::string_view text_;
  Places places_;
  std::string file_;
  Limits limits_;
  Document document_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  std::set<std::string> headed_;  // paths that `[…]` named
  std::optional<Diagnostic> fault_;
};

}  // namespace

base::Result<Document> read_toml(std::string_view text, std::string file, const Limits& limits) {
  if (auto refusal = refuse_length(text, file, limits)) return *std::move(refusal);
  text.remove_prefix(byte_order_mark(text));
  return Reader(text, std::move(file), limits).read();
}

}  // namespace ullage::document
