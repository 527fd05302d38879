// What a check finds: a rule with a stable name, and each place where it does not hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace ullage::base {

// `id` is stable: scripts and annotations match it. `level` is that of its findings unless one says
// otherwise; `help` says in one line what is wrong and why it matters.
struct Rule {
  std::string_view id;
  Severity level = Severity::error;
  std::string_view help;
};

// Where a project accepts what a rule says.
enum class Waived : std::uint8_t { no, in_file, in_source };

// One fault. `message` is one line without a full stop, `hint` what would be right (may be empty).
// `subject` is what it is about beside its place, for prints that outlive edits of the file.
struct Finding {
  std::string rule;
  Severity level = Severity::error;
  std::string message;
  Span span;
  std::string hint = {};
  std::string subject = {};
  Waived waived = Waived::no;
  std::string reason = {};  // of the waiver
};

}  // namespace ullage::base
