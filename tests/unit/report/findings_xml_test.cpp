// Test reports and code quality.
#include "report/findings_xml.hpp"

#include <doctest/doctest.h>

using namespace ullage;

TEST_CASE("JUnit counts suites and escapes what XML has no way to hold") {
  const std::vector<report::TestCase> cases{
      {"a.yaml", "a \"one\"", "verdict", "does <not> fit & more", "", 0},
      {"a.yaml", "a \"one\"", "device-unknown", "", "no device\x01", 3},
      {"b.yaml", "b", "verdict", "", "", 0}};
  const std::string text = report::to_junit(cases);
  CHECK(text.find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"") != std::string::npos);
  CHECK(text.find("name=\"a &quot;one&quot;\"") != std::string::npos);
  CHECK(text.find("does &lt;not&gt; fit &amp; more") != std::string::npos);
  CHECK(text.find('\x01') == std::string::npos);
  CHECK(text.find("line=\"3\"") != std::string::npos);
}

TEST_CASE("GitLab's fingerprints are unique and leave the line out") {
  base::Finding finding{
      "weights-over-budget", base::Severity::error, "too big", {"./a.yaml", 3, 1}};
  const std::string one = report::to_gitlab(std::vector{finding});
  finding.span.line = 9;
  const std::string moved = report::to_gitlab(std::vector{finding});
  const auto print = [](const std::string& text) {
    const std::size_t at = text.find("sha256:");
    return text.substr(at, 71);
  };
  CHECK(print(one) == print(moved));
  const std::string both = report::to_gitlab(std::vector{finding, finding});
  CHECK(both.find(print(one)) == both.rfind(print(one)));
  CHECK(both.find("\"path\": \"a.yaml\"") != std::string::npos);
}
