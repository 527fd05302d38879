// Findings as SARIF 2.1.0, the format in which code hosts and editors take them.
#pragma once

#include <set>
#include <span>
#include <string>

#include "base/finding.hpp"

namespace ullage::report {

// A print of the finding that neither its line nor its numbers change: of its rule, path and
// subject (its message where it has none); further ones of the same kind get their own.
std::string fingerprint_of(const base::Finding& finding, std::set<std::string>& used);

// One run of ullage `version`: the rules, each with its default level, then the findings in their
// order. Files are relative URIs; a finding without a place has no location. Equal input gives
// equal bytes. Defect where a finding names no rule of the table.
std::string to_sarif(std::span<const base::Rule> rules, std::span<const base::Finding> findings,
                     const std::string& version);

}  // namespace ullage::report
