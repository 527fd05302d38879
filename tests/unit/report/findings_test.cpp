// Findings as lines, annotations and SARIF.
#include <doctest/doctest.h>

#include <vector>

#include "base/result.hpp"
#include "report/annotations.hpp"
#include "report/sarif.hpp"

using namespace ullage;

namespace {

const std::vector<base::Rule> kRules{{"first", base::Severity::error, "one"},
                                     {"second", base::Severity::note, "two"}};

base::Finding sample(base::Severity level) {
  return {.rule = "second",
          .level = level,
          .message = "100% of\nit",
          .span = {"a b,c:d.yaml", 3, 5},
          .hint = "less"};
}

}  // namespace

TEST_SUITE("report/findings") {
  TEST_CASE("a line names the place, the level and the rule, and shows control characters") {
    CHECK(report::finding_text(sample(base::Severity::warning)) ==
          "a b,c:d.yaml:3:5: warning[second]: 100% of\\nit\n  hint: less");
    CHECK(report::finding_text({.rule = "first", .message = "m", .span = {}}) == "error[first]: m");
  }

  TEST_CASE("annotations escape what workflow commands act on") {
    CHECK(report::to_github(std::vector{sample(base::Severity::note)}) ==
          "::notice file=a b%2Cc%3Ad.yaml,line=3,col=5,title=second::100%25 of%0Ait (less)\n");
    CHECK(report::to_github(std::vector{sample(base::Severity::error)}).starts_with("::error "));
    CHECK(report::to_github({}).empty());
  }

  TEST_CASE("SARIF names the rule, the level and the place as a URI") {
    const std::string text =
        report::to_sarif(kRules, std::vector{sample(base::Severity::warning)}, "1.2.3");
    for (const char* part :
         {"\"version\": \"2.1.0\"", "\"ruleId\": \"second\"", "\"ruleIndex\": 1",
          "\"level\": \"warning\"", "\"uri\": \"a%20b,c%3Ad.yaml\"", "\"startLine\": 3",
          "\"startColumn\": 5", "\"text\": \"100% of\\nit (less)\"", "\"version\": \"1.2.3\""}) {
      CHECK_MESSAGE(text.find(part) != std::string::npos, part);
    }
    CHECK(report::to_sarif(kRules, {}, "1").find("\"results\": []") != std::string::npos);
  }

  TEST_CASE("a finding of no rule is a defect") {
    base::Finding finding = sample(base::Severity::error);
    finding.rule = "third";
    CHECK_THROWS_AS(report::to_sarif(kRules, std::vector{finding}, "1"), base::Defect);
  }
}
