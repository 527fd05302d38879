// A tree as YAML that people review: read_yaml reads the same tree back.
#pragma once

#include <string>

#include "document/value.hpp"

namespace ullage::document {

// Block style, two blanks a level; lists of plain values in one or more bracketed lines. Strings
// that would read as something else are quoted. Numbers stand as they were written; JSON's NaN and
// Infinity, which are no numbers in YAML, become strings.
std::string write_yaml(const Value& value);

}  // namespace ullage::document
