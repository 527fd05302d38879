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

// Every document of a YAML file that somebody wrote for another program, in order: what read_yaml
// refuses there is read. An alias is a copy of what its anchor stands on, merge keys are merged,
// tags are passed over, a bracket that stands as a key (`{{name}}` of a template) is its own text.
// `True` and `False` are booleans, a space before a colon is none. A fault costs its document only.
// Documents of comments alone are left out. Duplicate keys are refused as in read_yaml.
std::vector<base::Result<Document>> read_yaml_documents(std::string_view text,
                                                        const std::string& file,
                                                        const Limits& limits = {});

// TOML 1.0. Numbers keep their text (without `_`; hexadecimal, octal and binary ones as strings, as
// are dates); keys given twice are `duplicate_key`. Errors stand at line and column.
base::Result<Document> read_toml(std::string_view text, std::string file,
                                 const Limits& limits = {});

}  // namespace ullage::document
