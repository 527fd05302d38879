// Findings as lines: for people, and as the workflow commands with which a GitHub job annotates
// files.
#pragma once

#include <span>
#include <string>

#include "base/finding.hpp"

namespace ullage::report {

// `file:line:column: level[rule]: message`, and the hint on a line of its own. Control characters
// of hostile input are shown as escapes. Without a final newline.
std::string finding_text(const base::Finding& finding);

// `::error file=…,line=…,col=…,title=rule::message (hint)` a line; a note is a `notice`.
std::string to_github(std::span<const base::Finding> findings);

}  // namespace ullage::report
