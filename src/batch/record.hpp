// One line of a batch as keys and texts, each with its place.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace ullage::batch {

enum class FieldType : std::uint8_t { nothing, text, number, boolean, list, nested };

// What stands under one key. `text` is the value as a flag would have it: a string's characters, a
// number's digits, the items of a list between commas. A null and an empty cell are `nothing`.
struct Field {
  std::string_view key;
  std::string_view text;
  std::string_view raw;  // as written, for passing it through
  FieldType type = FieldType::nothing;
  bool truth = false;            // of a boolean
  std::uint32_t key_offset = 0;  // bytes of the line before the key
  std::uint32_t offset = 0;      // and before the value
};

// The fields of a line. Texts point into the line, into a header, or into `owned`.
struct Record {
  std::vector<Field> fields;
  std::deque<std::string> owned;

  void clear() {
    fields.clear();
    if (!owned.empty()) owned.clear();
  }
  const Field* find(std::string_view key) const {
    for (const Field& field : fields) {
      if (field.key == key) return &field;
    }
    return nullptr;
  }
};

// The character, counted from 1, at which the byte `offset` of a line stands.
std::uint32_t column_at(std::string_view line, std::size_t offset);

// An error at the byte `offset` of a line: line 1 and its column.
base::Diagnostic fault_in_line(std::string_view line, std::size_t offset, base::Code code,
                               std::string message, std::string hint);

// Reads one JSON object. Errors stand at line 1 and their column: syntax; duplicate_key for a key
// given twice with different values; wrong_type for a line that is no object.
base::Result<void> read_json_record(std::string_view line, Record& record);

// The names of a CSV file's columns. Errors: syntax; duplicate_key; missing_key for an empty name.
base::Result<std::vector<std::string>> read_csv_header(std::string_view line);

// Reads one line of CSV (RFC 4180, without line breaks inside fields) under those names. Errors:
// syntax, and wrong_type where it has another number of fields.
base::Result<void> read_csv_record(std::string_view line, const std::vector<std::string>& header,
                                   Record& record);

}  // namespace ullage::batch
