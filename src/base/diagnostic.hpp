// What went wrong, where, and what would be right: the one shape in which every room reports a
// fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ullage::base {

// A place in an input, counted from 1 as editors do. `line` 0 means that only the file is known,
// an empty `file` that the fault has no place (a flag, a computation).
struct Span {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const Span&) const = default;
};

enum class Severity : std::uint8_t { note, warning, error };

// The closed list of fault codes. Names are stable: scripts match them and docs/errors.md lists
// each with a reproducer. cli/exit_status.cpp maps them to exit statuses.
enum class Code : std::uint8_t {
  usage,                     // a flag or an operand is wrong
  unknown_name,              // no such device, model, version or command
  ambiguous_name,            // a name that stands for several entries
  file_unreadable,           // missing, not a regular file, too large, no permission
  syntax,                    // the bytes are not the format they should be
  duplicate_key,             // one key given twice
  missing_key,               // a key that is needed is absent
  unsourced,                 // a claim without source or locator, a source without address or date
  unknown_key,               // a key that the schema does not know
  wrong_type,                // a string where a number is needed and the like
  out_of_range,              // a number that no answer can use
  unit,                      // a unit that is missing, unknown or of another quantity
  kind_mismatch,             // dense with sparse, one-way with both-way, nominal with visible
  arithmetic,                // division by zero, a result beyond every limit
  reference,                 // an entry names a source or a chip that does not exist
  conflict,                  // an entry contradicts itself (two pins, no pin, two aliases)
  unsupported_architecture,  // a model family that is not counted yet
  unknown_figure,            // a needed figure is not published
  internal,                  // a fault in the program
};

// Stable spelling of a code, such as `duplicate-key`.
std::string_view name_of(Code code);

// One fault. `message` says what is wrong in one line without a full stop, `hint` what would be
// right (may be empty), `notes` further places that explain it.
struct Diagnostic {
  Code code = Code::internal;
  Severity severity = Severity::error;
  std::string message = {};
  Span span = {};
  std::string hint = {};
  std::vector<std::string> notes = {};
};

// `file:line:column: error[code]: message`, then notes and the hint on lines of their own, without
// a final newline. Control characters from hostile input are shown as escapes.
std::string to_text(const Diagnostic& diagnostic);

// Replaces control characters and invalid UTF-8 by visible escapes, and cuts text of more than
// `limit` bytes with an ellipsis, so that hostile input cannot rewrite a terminal.
std::string printable(std::string_view text, std::size_t limit = 200);

}  // namespace ullage::base
