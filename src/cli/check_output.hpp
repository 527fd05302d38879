// What a check says, in every format.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "plan/check/check.hpp"

namespace ullage::cli {

// Where `lock` writes and `check --locked` reads.
inline constexpr std::string_view kLockFile = "ullage.lock";
inline constexpr std::string_view kConfigFile = ".ullage.yaml";

// `NAME=VALUE` of --set. Error usage where there is no name or no `=`.
base::Result<plan::Variables> set_flags(const std::vector<std::string>& texts);

// `error`, `warning`, `note`; nothing is error.
base::Result<base::Severity> fail_on_flag(const std::optional<std::string>& text);

// The answer in the format that was asked for.
std::string check_output(const Context& context, const plan::CheckResult& result);

// 2 before 1 before 3 before 0: a document that cannot be read; a plan that does not fit, or a note
// of that level; an inconclusive plan, or none at all.
ExitStatus status_of_check(const plan::CheckResult& result, base::Severity fail_on,
                           bool allow_inconclusive);

// For standard error: what cannot be read, what is unknown.
std::string remark_of_check(const plan::CheckResult& result);

}  // namespace ullage::cli
