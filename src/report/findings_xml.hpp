// Findings for test reports and code-quality views: JUnit's XML and GitLab's Code Quality JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/finding.hpp"

namespace ullage::report {

// One test: a rule on a plan. At most one of `failure` and `skipped` is not empty.
struct TestCase {
  std::string file;
  std::string suite;  // what was checked
  std::string name;   // the rule
  std::string failure;
  std::string skipped;
  std::uint32_t line = 0;
};

// `testsuites > testsuite > testcase`, a suite for each run of cases with one name. No times, so
// that equal input gives equal bytes.
std::string to_junit(std::span<const TestCase> cases);

// An array of {description, check_name, fingerprint, severity, location}. Fingerprints are of rule,
// path and message, unique within the report, and stay when lines move.
std::string to_gitlab(std::span<const base::Finding> findings);

}  // namespace ullage::report
