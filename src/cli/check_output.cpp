// Rows to pages, findings and exit statuses.
#include "cli/check_output.hpp"

#include <algorithm>

#include "base/spelling.hpp"
#include "cli/render.hpp"
#include "cli/version.hpp"
#include "plan/rules/rules.hpp"
#include "report/annotations.hpp"
#include "report/findings_xml.hpp"
#include "report/sarif.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using base::Finding;
using base::Severity;
using provenance::Answer;
using provenance::PlanField;
using provenance::Row;
using report::Role;
using report::Text;

const PlanField* field(const Row& row, std::string_view name) {
  for (const PlanField& candidate : row.plan) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

std::string text_of_field(const Row& row, std::string_view name) {
  const PlanField* found = field(row, name);
  if (found == nullptr) return {};
  return found->number ? found->number->to_string() : found->text;
}

std::string_view level_name(Severity level) {
  switch (level) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

Role role_of(Severity level) {
  return level == Severity::error     ? Role::bad
         : level == Severity::warning ? Role::warning
                                      : Role::dim;
}

// `deploy.yaml, vllm-llama-70b (kubernetes, decode)`.
std::string title_of(const Row& row) {
  std::string title = text_of_field(row, "file");
  const std::string workload = text_of_field(row, "workload");
  if (!workload.empty()) title += ", " + workload;
  std::string kind = text_of_field(row, "kind");
  const std::string role = text_of_field(row, "role");
  if (!role.empty()) kind += ", " + role;
  if (!kind.empty()) title += " (" + kind + ")";
  return base::printable(title);
}

const provenance::Node* figure(const Answer& answer, const Row& row, std::string_view name) {
  for (const provenance::NamedFigure& result : row.results) {
    if (result.name == name) return &answer.graph[result.figure];
  }
  return nullptr;
}

std::string value_in(const Answer& answer, const Row& row, std::string_view name) {
  const provenance::Node* node = figure(answer, row, name);
  if (node == nullptr) return {};
  report::ValueStyle style;
  style.rounding = report::rounding_for(name);
  style.binary_beside = false;
  return report::figure_text(*node, style);
}

Role verdict_role(const std::string& verdict) {
  if (verdict == "fits") return Role::good;
  if (verdict == "does-not-fit") return Role::bad;
  return Role::warning;
}

// The verdict in one sentence.
Text headline(const Answer& answer, const Row& row) {
  Text text;
  text.add(row.verdict == "does-not-fit" ? "does not fit" : row.verdict, verdict_role(row.verdict));
  std::string rest;
  const std::string model = text_of_field(row, "model");
  if (!model.empty()) rest += ": " + base::printable(model);
  const std::string devices = text_of_field(row, "devices");
  if (!row.device.empty()) {
    rest +=
        (rest.empty() ? ": on " : " on ") + (devices.empty() ? "" : devices + " × ") + row.device;
  } else if (!devices.empty()) {
    rest += (rest.empty() ? ": on " : " on ") + devices + " devices";
  }
  const std::string need = value_in(answer, row, "required_memory_per_device");
  const std::string budget = value_in(answer, row, "budget_per_device");
  if (!need.empty() && !budget.empty())
    rest += "; " + need + " of " + budget + " on the fullest rank";
  text.add(rest);
  return text;
}

// What was read, on one line.
std::string read_line(const Row& row) {
  std::string line;
  for (const PlanField& one : row.plan) {
    if (one.name == "file" || one.name == "kind" || one.name == "workload" || one.name == "role" ||
        one.name == "model") {
      continue;
    }
    line += (line.empty() ? "" : ", ") + one.name + " " +
            (one.number ? one.number->to_string() : base::printable(one.text));
  }
  return line;
}

report::Page page_of(const Context& context, const plan::CheckResult& result) {
  report::Page page;
  for (const Row& row : result.answer.rows) {
    report::Section section{Text(title_of(row), Role::heading), {}};
    section.blocks.emplace_back(report::Paragraph{headline(result.answer, row)});
    const std::string read = read_line(row);
    if (!read.empty() && !context.common.quiet) {
      section.blocks.emplace_back(report::Paragraph{Text("read: " + read, Role::dim)});
    }
    report::Bullets notes;
    for (const base::Finding& note : row.findings) {
      if (note.level == Severity::note && context.common.quiet) continue;
      Text text(std::string(level_name(note.level)) + "[" + note.rule + "]", role_of(note.level));
      std::string place;
      if (note.span.line > 0) place = " line " + std::to_string(note.span.line);
      text.add(place + ": " + base::printable(note.message, 2000));
      notes.items.push_back({std::move(text)});
    }
    for (const base::Note& note : row.notes) {
      if (note.level == Severity::note && context.common.quiet) continue;
      Text text(std::string(level_name(note.level)) + "[" + note.code + "]", role_of(note.level));
      text.add(": " + base::printable(note.text, 2000));
      notes.items.push_back({std::move(text)});
    }
    if (!notes.items.empty()) section.blocks.emplace_back(std::move(notes));
    page.sections.push_back(std::move(section));
  }
  std::size_t fits = 0;
  std::size_t fails = 0;
  for (const Row& row : result.answer.rows) {
    fits += row.verdict == "fits" || row.verdict == "lower-bound" ? 1u : 0u;
    fails += row.verdict == "does-not-fit" ? 1u : 0u;
  }
  const std::size_t rows = result.answer.rows.size();
  page.sections.push_back(
      {Text(),
       {report::Paragraph{Text(std::to_string(rows) + (rows == 1 ? " workload" : " workloads") +
                               ": " + std::to_string(fits) + " fit, " + std::to_string(fails) +
                               " do not, " + std::to_string(rows - fits - fails) +
                               " are inconclusive")}}});
  return page;
}

// Notes that rules made, each with its place.
std::vector<Finding> findings_of(const plan::CheckResult& result) {
  std::vector<Finding> findings;
  for (const Row& row : result.answer.rows) {
    for (const base::Finding& note : row.findings) {
      const plan::PlanRule* rule = plan::find_plan_rule(note.rule);
      if (rule == nullptr) continue;
      Finding finding;
      finding.rule = note.rule;
      finding.level = note.level;
      const std::string workload = text_of_field(row, "workload");
      finding.message = (workload.empty() ? "" : base::printable(workload) + ": ") + note.message;
      finding.span = note.span;
      if (finding.span.file.empty()) finding.span.file = text_of_field(row, "file");
      finding.hint = rule->remedy;
      finding.subject = workload + '\0' + text_of_field(row, "role") + '\0' + row.device;
      finding.waived = note.waived;
      finding.reason = note.reason;
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::vector<base::Rule> rules_of_findings() {
  std::vector<base::Rule> rules;
  for (const plan::PlanRule* rule : plan::plan_rules())
    rules.push_back({rule->id, rule->level, rule->help});
  return rules;
}

// One test case a rule and plan, for test reports.
std::vector<report::TestCase> cases_of(const plan::CheckResult& result) {
  std::vector<report::TestCase> cases;
  for (const Row& row : result.answer.rows) {
    const std::string name = title_of(row);
    const std::string file = text_of_field(row, "file");
    report::TestCase verdict{file, name, "verdict", {}, {}, 0};
    if (row.verdict == "does-not-fit") verdict.failure = "does not fit";
    if (row.verdict == "inconclusive") verdict.skipped = "inconclusive";
    cases.push_back(std::move(verdict));
    for (const base::Finding& note : row.findings) {
      if (plan::find_plan_rule(note.rule) == nullptr || note.level == Severity::note) continue;
      report::TestCase one{file, name, note.rule, {}, {}, note.span.line};
      (note.level == Severity::error ? one.failure : one.skipped) = note.message;
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

}  // namespace

base::Result<plan::Variables> set_flags(const std::vector<std::string>& texts) {
  plan::Variables variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return base::Diagnostic{.code = base::Code::usage,
                              .message = "--set " + base::printable(text) + " names no variable",
                              .span = {},
                              .hint = "--set NAME=VALUE",
                              .notes = {}};
    }
    variables.insert_or_assign(text.substr(0, equals),
                               plan::Word{text.substr(equals + 1), {"--set", 0, 0}, {}});
  }
  return variables;
}

base::Result<Severity> fail_on_flag(const std::optional<std::string>& text) {
  for (const Severity level : {Severity::note, Severity::warning, Severity::error}) {
    if (text.value_or("error") == level_name(level)) return level;
  }
  return base::Diagnostic{.code = base::Code::usage,
                          .message = "--fail-on " + base::printable(*text) + " is no level",
                          .span = {},
                          .hint = "error, warning or note",
                          .notes = {}};
}

std::string check_output(const Context& context, const plan::CheckResult& result) {
  switch (context.common.format) {
    case Format::sarif:
      return report::to_sarif(rules_of_findings(), findings_of(result), kVersion);
    case Format::github:
      return report::to_github(findings_of(result));
    case Format::junit:
      return report::to_junit(cases_of(result));
    case Format::gitlab:
      return report::to_gitlab(findings_of(result));
    default:
      return render(context, result.answer, page_of(context, result));
  }
}

ExitStatus status_of_check(const plan::CheckResult& result, Severity fail_on,
                           bool allow_inconclusive) {
  if (!result.faults.empty()) return kWrongQuestion;
  bool failed = false;
  bool open = result.answer.rows.empty();
  for (const Row& row : result.answer.rows) {
    open = open || row.verdict == "inconclusive";
    // A waived note has lost its level.
    failed = failed ||
             std::any_of(row.findings.begin(), row.findings.end(), [&](const base::Finding& note) {
               return plan::find_plan_rule(note.rule) != nullptr && note.level >= fail_on;
             });
  }
  if (failed) return kDoesNotFit;
  return open && !allow_inconclusive ? kUnknownAnswer : kAnswered;
}

std::string remark_of_check(const plan::CheckResult& result) {
  std::string remark;
  for (const base::Diagnostic& fault : result.faults)
    remark += (remark.empty() ? "" : "\n") + base::to_text(fault);
  if (!remark.empty()) return remark;
  if (result.answer.rows.empty()) {
    return "no workload was found in " + std::to_string(result.files) +
           (result.files == 1 ? " file" : " files");
  }
  for (const Row& row : result.answer.rows) {
    if (row.verdict != "inconclusive") continue;
    std::string why;
    for (const base::Finding& note : row.findings) {
      if (note.level != Severity::note && why.empty()) why = note.message;
    }
    remark += (remark.empty() ? "" : "\n") + title_of(row) + " is inconclusive" +
              (why.empty() ? "" : ": " + base::printable(why, 600));
  }
  return remark;
}

}  // namespace ullage::cli
