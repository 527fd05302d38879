// The compact form in which the build embeds parsed files: a tree with its positions, decoded in
// microseconds, so that no YAML is parsed at run time.
#pragma once

#include <string>
#include <string_view>

#include "document/value.hpp"

namespace ullage::document {

// Format (docs/data-format.md): varints; every distinct string once in a table; nodes depth first
// with type, line and column. decode(encode(v)) equals v, positions included.
std::string encode(const Value& value);

// Checks every bound: damaged bytes are a `syntax` error, never a crash or an endless loop.
base::Result<Value> decode(std::string_view bytes, const std::string& file);

}  // namespace ullage::document
