// Findings as SARIF 2.1.0, the format in which code hosts and editors take them.
#pragma once

#include <span>
#include <string>

#include "base/finding.hpp"

namespace ullage::report {

// One run of ullage `version`: the rules, each with its default level, then the findings in their
// order. Files are relative URIs; a finding without a place has no location. Equal input gives
// equal bytes. Defect where a finding names no rule of the table.
std::string to_sarif(std::span<const base::Rule> rules, std::span<const base::Finding> findings,
                     const std::string& version);

}  // namespace ullage::report
