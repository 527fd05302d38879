// ullage diff --base --head: capacity changes as a pull request shows them.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace ullage::cli {

// Checks both sides, folders or results of `check -o json`, and shows what changed: devices, used,
// budget, headroom, context, verdict. Exit 0: a difference is no fault.
base::Result<Outcome> diff_plans(const Context& context, const std::string& base,
                                 const std::string& head);

}  // namespace ullage::cli
