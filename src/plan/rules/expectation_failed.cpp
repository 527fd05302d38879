// Rule expectation-failed.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

using exact::Rational;

bool holds(const Rational& left, const std::string& sign, const Rational& right) {
  if (sign == "<") return left < right;
  if (sign == "<=") return left <= right;
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  if (sign == ">=") return left >= right;
  return left > right;
}

void check_verdict(Subject& subject, const Expectation& expectation) {
  const std::string& verdict = subject.row.verdict;
  if (verdict == expectation.name) return;
  if (verdict != "fits" && verdict != "does-not-fit") return;
  subject.note("expectation-failed", Severity::error,
               "expected: " + expectation.text.text + "; found: " + verdict,
               expectation.text.where);
}

void apply(Subject& subject) {
  if (!subject.workload.native) return;
  for (const Expectation& expectation : subject.workload.native->expectations) {
    if (expectation.sign.empty()) {
      check_verdict(subject, expectation);
      continue;
    }
    const provenance::NamedFigure* figure = subject.result(expectation.name);
    if (figure == nullptr || !subject.graph.known(figure->figure)) {
      const std::string why = figure == nullptr ? "this plan has no such result"
                                                : subject.graph[figure->figure].unknown;
      subject.open.push_back("the expectation " + expectation.text.text + " is unknown: " + why);
      subject.note("expectation-unknown", Severity::warning,
                   "expected: " + expectation.text.text + "; it is unknown: " + why,
                   expectation.text.where);
      subject.row.verdict = "inconclusive";
      continue;
    }
    const Rational found = subject.graph.value(figure->figure);
    if (holds(found, expectation.sign, expectation.value)) continue;
    subject.note("expectation-failed", Severity::error,
                 "expected: " + expectation.text.text + "; found: " + found.to_string(),
                 expectation.text.where);
  }
}

}  // namespace

const PlanRule kExpectationFailed{
    .id = "expectation-failed",
    .level = Severity::error,
    .help = "an expect: line of the plan does not hold",
    .formula =
        "NAME OP VALUE over the results of the row; fits and does-not-fit over its "
        "verdict",
    .citation = "",
    .remedy = "change the plan, or the expectation",
    .apply = apply};

}  // namespace ullage::plan
