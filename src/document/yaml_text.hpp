// What of a YAML text can be judged before, or beside, its parser: the parser reads some broken
// texts as if they were whole.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace ullage::document {

// The first thing in `text` that no YAML may hold (bytes that are not UTF-8, control characters,
// lone carriage returns, a byte order mark inside) or that this subset refuses (directives other
// than %YAML, merge conflict markers); nothing where there is none.
std::optional<base::Diagnostic> refuse_yaml_text(std::string_view text, const std::string& file);

// The end of the quoted scalar whose opening quote stands at `start`, behind its closing quote;
// npos where it is not closed.
std::size_t quoted_end(std::string_view text, std::size_t start);

// Whether a null is written out (`null`, `~`) at `at`, rather than left out before what stands
// there.
bool is_written_null(std::string_view text, std::size_t at);

// Whether the byte at `at` is the first of its line that is no white space, with a tab before it.
bool is_indented_by_tab(std::string_view text, std::size_t at);

}  // namespace ullage::document
