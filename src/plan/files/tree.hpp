// Reaching into the tree of a document.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "document/value.hpp"
#include "plan/files/file_set.hpp"
#include "plan/files/scope.hpp"

namespace ullage::plan {

// The value behind a path of keys, or nullptr. A null counts as absent.
const document::Value* reach(const document::Value* value,
                             std::initializer_list<std::string_view> path);
inline const document::Value* reach(const document::Value& value,
                                    std::initializer_list<std::string_view> path) {
  return reach(&value, path);
}
// The value of the first key that is there.
const document::Value* first_of(const document::Value* value,
                                std::initializer_list<std::string_view> keys);

// The text of a string, number or boolean (`true`, `false`); of a bracket in the place of a value
// (`{{ .Values.x }}`) its own text. Nothing for other values and for nullptr.
std::optional<std::string> scalar_text(const document::Value* value);
bool is_text(const document::Value* value, std::string_view text);
// true, `true`, `yes`, `on`, a number above zero.
bool is_true(const document::Value* value);

// A scalar with its place, variables filled from the scope.
std::optional<Word> word_of(const PlanDocument& document, const document::Value* value,
                            const Scope& scope);
// A whole number; what is none, or is missing, is noted as unresolved.
std::optional<Number> count_of(const PlanDocument& document, const document::Value* value,
                               const Scope& scope, const char* what, Workload& workload);

// Gives a member, with everything in it, one place.
void stand_at(document::Member& member, std::uint32_t line, std::uint32_t column);

// Parses text inside a scalar as YAML, its places moved to those of the file. Nothing where it is
// none.
std::optional<document::Document> inner_yaml(const PlanDocument& document,
                                             const document::Value& scalar);

ScalarPlaces places_in(const PlanDocument& document, const document::Value& scalar);

}  // namespace ullage::plan
