// Collects faults while a mapping is read.
#include "catalog/fields.hpp"

#include "base/spelling.hpp"

namespace ullage::catalog {

using base::Code;
using document::Type;
using document::Value;

Fields::Fields(const document::Document& document, const Value& value, std::string path,
               std::vector<base::Diagnostic>& faults)
    : document_(document),
      value_(value),
      path_(std::move(path)),
      faults_(faults),
      valid_(value.type == Type::object) {
  if (!valid_) {
    fault(Code::wrong_type,
          (path_.empty() ? std::string("the file") : path_) + " is " +
              std::string(document::name_of(value.type)) + ", but a mapping is needed",
          &value_);
  }
}

const Value* Fields::find(std::string_view key) const {
  return valid_ ? value_.find(key) : nullptr;
}

std::string Fields::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

base::Span Fields::span() const {
  return document_.span(value_);
}

void Fields::fault(Code code, std::string message, const Value* at, std::string hint) {
  faults_.push_back({.code = code,
                     .severity = base::Severity::error,
                     .message = std::move(message),
                     .span = document_.span(at != nullptr ? *at : value_),
                     .hint = std::move(hint),
                     .notes = {}});
}

std::string Fields::scalar_text(const Value& value, std::string_view key) {
  if (value.type == Type::string || value.type == Type::number) {
    if (value.text.find_first_not_of(" \t\r\n") != std::string::npos) return value.text;
    fault(Code::out_of_range,
          path_of(key) + (value.text.empty() ? " is empty" : " holds only blanks"), &value);
    return {};
  }
  fault(
      Code::wrong_type,
      path_of(key) + " is " + std::string(document::name_of(value.type)) + ", but a text is needed",
      &value);
  return {};
}

std::string Fields::required_text(std::string_view key, Code absent) {
  const Value* found = find(key);
  if (found == nullptr) {
    if (valid_) fault(absent, path_of(key) + " is missing");
    return {};
  }
  return scalar_text(*found, key);
}

std::string Fields::optional_text(std::string_view key) {
  const Value* found = find(key);
  return found == nullptr ? std::string() : scalar_text(*found, key);
}

std::vector<std::string> Fields::text_list(std::string_view key) {
  std::vector<std::string> texts;
  const Value* found = find(key);
  if (found == nullptr) return texts;
  if (found->type != Type::array) {
    fault(Code::wrong_type, path_of(key) + " must be a list of texts", found);
    return texts;
  }
  for (const Value& item : found->items) {
    if (std::string text = scalar_text(item, key); !text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> Fields::one_or_more_texts(std::string_view key, Code absent) {
  const Value* found = find(key);
  if (found == nullptr) {
    if (valid_) fault(absent, path_of(key) + " is missing");
    return {};
  }
  if (found->type == Type::array) {
    if (found->items.empty()) fault(absent, path_of(key) + " is an empty list", found);
    return text_list(key);
  }
  std::string text = scalar_text(*found, key);
  return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(text)};
}

void Fields::allow_only(std::initializer_list<std::string_view> known) {
  allow_only(std::span<const std::string_view>(known.begin(), known.size()));
}

void Fields::allow_only(std::span<const std::string_view> known) {
  if (!valid_) return;
  for (const document::Member& member : value_.members) {
    bool allowed = false;
    for (const std::string_view key : known)
      allowed = allowed || key == member.key;
    if (allowed) continue;
    faults_.push_back(
        {.code = Code::unknown_key,
         .severity = base::Severity::error,
         .message = "unknown key " + base::printable(path_of(member.key)),
         .span = document_.span(member),
         .hint = base::did_you_mean(base::nearest(
             member.key, std::vector<std::string_view>(known.begin(), known.end()), 2)),
         .notes = {}});
  }
}

}  // namespace ullage::catalog
