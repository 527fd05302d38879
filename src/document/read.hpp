// Text to tree. The only makers of Values from outside the program, with limits against hostile
// input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/value.hpp"

namespace ullage::document {

struct Limits {
  std::size_t depth = 64;          // nested containers
  std::size_t nodes = 4'000'000;   // values in all
  std::size_t bytes = 256u << 20;  // length of the text
};

// JSON as published files have it: RFC 8259, plus the bare tokens NaN, Infinity and -Infinity,
// which become numbers with that text (as_number refuses them where they are needed). A UTF-8 byte
// order mark is skipped. A key given twice with the same content is kept once; with different
// content it is `duplicate_key` at the second place. Errors stand at line and column of the
// offending character; text that ends too soon stands at its end; empty text says that it is empty.
base::Result<Document> read_json(std::string_view text, std::string file,
                                 const Limits& limits = {});

// One YAML document (block or flow). Plain scalars become null, boolean (true, false), number
// (decimal integers and decimals, kept as text) or string; `yes`, `0x10`, `010`, `1_000`, dates and
// everything else stay strings. Quoted scalars are strings. A value that is left out is a null at
// the place of its key or array. Refused with a position: anchors and aliases, tags, merge keys,
// duplicate keys, null and non-scalar keys, empty entries between commas, directives other than
// %YAML, more than one document, tabs in indentation, quotes that are never closed, control
// characters and merge conflict markers.
base::Result<Document> read_yaml(std::string_view text, std::string file,
                                 const Limits& limits = {});

}  // namespace ullage::document
