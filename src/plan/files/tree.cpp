// Looks keys up.
#include "plan/files/tree.hpp"

#include "base/spelling.hpp"
#include "document/read.hpp"
#include "plan/files/settings.hpp"

namespace ullage::plan {

using document::Type;
using document::Value;

const Value* reach(const Value* value, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (value == nullptr || value->type != Type::object) return nullptr;
    value = value->find(key);
  }
  return value != nullptr && value->type == Type::null ? nullptr : value;
}

const Value* first_of(const Value* value, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const Value* found = reach(value, {key})) return found;
  }
  return nullptr;
}

std::optional<std::string> scalar_text(const Value* value) {
  if (value == nullptr) return std::nullopt;
  switch (value->type) {
    case Type::string:
    case Type::number:
      return value->text;
    case Type::boolean:
      return value->boolean ? "true" : "false";
    case Type::object: {
      const bool is_bracket = value->members.size() == 1 &&
                              value->members[0].key.starts_with('{') &&
                              value->members[0].value.type == Type::null;
      if (is_bracket) return "{" + value->members[0].key + "}";
      return std::nullopt;
    }
    case Type::null:
    case Type::array:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_text(const Value* value, std::string_view text) {
  const auto found = scalar_text(value);
  return found && *found == text;
}

bool is_true(const Value* value) {
  const auto text = scalar_text(value);
  if (!text) return false;
  const std::string word = base::lower(*text);
  if (word == "true" || word == "yes" || word == "on") return true;
  const auto number = exact::Rational::parse(word);
  return number && number->sign() > 0;
}

std::optional<Word> word_of(const PlanDocument& document, const Value* value, const Scope& scope) {
  const auto text = scalar_text(value);
  if (!text) return std::nullopt;
  return expand_field({*text, document.document.span(*value)}, scope);
}

std::optional<Number> count_of(const PlanDocument& document, const Value* value, const Scope& scope,
                               const char* what, Workload& workload) {
  const auto word = word_of(document, value, scope);
  if (!word) return std::nullopt;
  if (!word->resolved()) {
    for (const std::string& variable : word->missing)
      workload.unresolved.push_back({what, variable, word->where});
    return std::nullopt;
  }
  const auto number = exact::Rational::parse(without_underscores(word->text));
  if (number && number->is_whole() && number->sign() >= 0) return Number{*number, word->where};
  workload.unresolved.push_back({what, word->text, word->where});
  return std::nullopt;
}

namespace {

void move_down(Value& value, std::uint32_t lines, std::uint32_t columns) {
  value.line += lines;
  value.column += columns;
  for (Value& item : value.items)
    move_down(item, lines, columns);
  for (document::Member& member : value.members) {
    member.line += lines;
    member.column += columns;
    move_down(member.value, lines, columns);
  }
}

void stand_at_all(Value& value, std::uint32_t line, std::uint32_t column) {
  value.line = line;
  value.column = column;
  for (Value& item : value.items)
    stand_at_all(item, line, column);
  for (document::Member& member : value.members)
    stand_at(member, line, column);
}

}  // namespace

void stand_at(document::Member& member, std::uint32_t line, std::uint32_t column) {
  member.line = line;
  member.column = column;
  stand_at_all(member.value, line, column);
}

std::optional<document::Document> inner_yaml(const PlanDocument& document, const Value& scalar) {
  if (scalar.type != Type::string) return std::nullopt;
  auto read = document::read_yaml_documents(scalar.text, document.file->path,
                                            {.depth = 32, .nodes = 100'000});
  if (read.empty() || !read.front()) return std::nullopt;
  document::Document inner = std::move(*read.front());
  // The lines of a block follow its `|`; the columns are moved by its indentation.
  ScalarPlaces places = places_in(document, scalar);
  const std::string_view first = std::string_view(scalar.text).substr(0, scalar.text.find('\n'));
  const base::Span start = places.at(first);
  if (scalar.text.find('\n') != std::string::npos && start.line == scalar.line + 1) {
    move_down(inner.root, scalar.line, start.column - 1);
  } else {
    stand_at_all(inner.root, scalar.line, scalar.column);
  }
  return inner;
}

ScalarPlaces places_in(const PlanDocument& document, const Value& scalar) {
  return {document.file->source(), scalar.line, scalar.column};
}

}  // namespace ullage::plan
