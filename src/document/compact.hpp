// The compact form in which the build embeds parsed files: a tree with its positions, decoded in
// microseconds, so that no YAML is parsed at run time.
//
// Format, in which every number is an unsigned LEB128 of at most 64 bits:
//
//     file    = magic strings node
//     magic   = the bytes "UVT" 0x01; the last is the version of the format
//     strings = count, then per string its length and its bytes; each distinct string once
//     node    = type line column content
//     type    = one byte: 0 null, 1 false, 2 true, 3 number, 4 string, 5 array, 6 object
//     content = nothing for null, false and true
//             | the index of its text in `strings` for a number or a string
//             | count, then that many nodes for an array
//             | count, then per member the index of the key, line, column and a node for an object
//
// Nothing follows the root.
#pragma once

#include <string>
#include <string_view>

#include "document/value.hpp"

namespace ullage::document {

// The compact form of a tree in which containers are nested at most 256 deep (a deeper one is a
// Defect; the readers stop at 64 unless asked for more). decode(encode(v)) equals v, positions
// included.
std::string encode(const Value& value);

// Checks every bound: damaged bytes are a `syntax` error, never a crash or an endless loop, and
// never more memory than a tree of that many bytes can need.
base::Result<Value> decode(std::string_view bytes, const std::string& file);

}  // namespace ullage::document
