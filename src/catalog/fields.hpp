// Reading a mapping field by field: the loaders' shared way to take a key, check its type and
// report what is missing, misspelt or misplaced.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/value.hpp"

namespace ullage::catalog {

// A mapping that is being read. Faults are collected, never thrown; a getter that fails returns an
// empty value so that reading goes on to find the next fault.
class Fields {
 public:
  // `path` names the mapping in messages (`figures.tdp`); empty for the whole file.
  Fields(const document::Document& document, const document::Value& value, std::string path,
         std::vector<base::Diagnostic>& faults);

  // Whether the value is a mapping at all (a fault was reported if not).
  bool valid() const { return valid_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  const document::Value* find(std::string_view key) const;

  // A string; empty and a fault where it is absent (`required`) or of another type. `scalar` forms
  // also take numbers as they are written, since `version: 2.5` is a number to YAML.
  // `absent` is the code of the fault where it is missing.
  std::string required_text(std::string_view key, base::Code absent = base::Code::missing_key);
  std::string optional_text(std::string_view key);
  std::vector<std::string> text_list(std::string_view key);
  // One text or a list of texts; `absent` as above.
  std::vector<std::string> one_or_more_texts(std::string_view key,
                                             base::Code absent = base::Code::missing_key);

  // Reports every key that is not one of `known`.
  void allow_only(std::initializer_list<std::string_view> known);
  void allow_only(std::span<const std::string_view> known);

  void fault(base::Code code, std::string message, const document::Value* at = nullptr,
             std::string hint = {});
  std::string path_of(std::string_view key) const;
  base::Span span() const;
  const document::Value& value() const { return value_; }
  const document::Document& document() const { return document_; }
  std::vector<base::Diagnostic>& faults() { return faults_; }

 private:
  std::string scalar_text(const document::Value& value, std::string_view key);

  const document::Document& document_;
  const document::Value& value_;
  std::string path_;
  std::vector<base::Diagnostic>& faults_;
  bool valid_;
};

}  // namespace ullage::catalog
