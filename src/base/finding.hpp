// What a check finds: a rule with a stable name, and each place where it does not hold.
#pragma once

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

// One fault. `message` is one line without a full stop, `hint` what would be right (may be empty).
struct Finding {
  std::string rule;
  Severity level = Severity::error;
  std::string message;
  Span span;
  std::string hint = {};
};

}  // namespace ullage::base
