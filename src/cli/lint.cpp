// ullage lint: every fault of catalogue files with its place.
#include "catalog/lint.hpp"

#include <algorithm>

#include "catalog/overlay.hpp"
#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/listing.hpp"
#include "cli/result_head.hpp"
#include "cli/today.hpp"
#include "cli/version.hpp"
#include "plan/aggregate_check.hpp"
#include "plan/card_check.hpp"
#include "report/annotations.hpp"
#include "report/sarif.hpp"

namespace ullage::cli {
namespace {

using base::Finding;
using base::Severity;

constexpr std::uint64_t kLargestFile = 8u << 20;

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

base::Result<void> add_files(const Context& context, const std::vector<std::string>& paths,
                             catalog::Lint& lint) {
  for (const std::string& path : paths) {
    if (path == "-") {
      ULLAGE_TRY(const std::string text, context.files.read_standard_input(kLargestFile));
      lint.add(path, text);
    } else if (context.files.kind_of(path) == base::PathKind::folder) {
      ULLAGE_TRY(const std::vector<catalog::OverlayFile> found,
                 catalog::read_overlay(context.files, path));
      for (const catalog::OverlayFile& file : found)
        lint.add(file.path, file.text);
    } else {
      ULLAGE_TRY(const std::string text, context.files.read(path, kLargestFile));
      lint.add(path, text);
    }
  }
  return {};
}

std::size_t count_of(const std::vector<Finding>& findings, Severity level) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [level](const Finding& finding) { return finding.level == level; }));
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// `3 errors, 0 warnings, 12 notes`.
std::string verdict_text(const std::vector<Finding>& findings) {
  return counted(count_of(findings, Severity::error), "error") + ", " +
         counted(count_of(findings, Severity::warning), "warning") + ", " +
         counted(count_of(findings, Severity::note), "note");
}

// How much was checked: `198 entries, 2613 figures (310 of them unknown), 3011 claims, 240
// sources`.
std::string scope_text(const catalog::Lint& lint) {
  std::size_t figures = 0;
  std::size_t unknown = 0;
  std::size_t claims = 0;
  std::size_t partitions = 0;
  const auto count = [&](const catalog::FigureList& facts) {
    for (const catalog::FigureFact& fact : facts) {
      ++figures;
      if (!fact.known()) ++unknown;
      claims += fact.claims.size();
    }
  };
  for (const catalog::LintedEntry& linted : lint.entries()) {
    count(linted.entry.figures);
    for (const catalog::Entry& partition : linted.entry.partitions) {
      ++partitions;
      count(partition.figures);
    }
    for (const catalog::Software& software : linted.entry.software)
      count(software.figures);
  }
  const std::size_t entries = lint.entries().size();
  return std::to_string(entries) + (entries == 1 ? " entry, " : " entries, ") +
         (partitions == 0 ? std::string() : counted(partitions, "partition") + ", ") +
         counted(figures, "figure") + " (" + std::to_string(unknown) + " of them unknown), " +
         counted(claims, "claim") + ", " + counted(lint.sources(), "source");
}

std::string text_of(const std::vector<Finding>& findings, const catalog::Lint& lint, bool quiet) {
  std::string text;
  for (const Finding& finding : findings) {
    if (quiet && finding.level == Severity::note) continue;
    text += report::finding_text(finding) + "\n";
  }
  return text + scope_text(lint) + ": " + verdict_text(findings) + "\n";
}

std::string json_of(const std::vector<Finding>& findings, const Context& context) {
  report::JsonWriter json;
  begin_result(json, context.catalogue, "lint");
  json.key("rows");
  json.begin_array();
  // One row a file with findings; they stand together, since findings are sorted by file.
  for (std::size_t at = 0; at < findings.size();) {
    const std::string& file = findings[at].span.file;
    json.begin_object();
    json.member("file", file);
    json.key("notes");
    json.begin_array();
    for (; at < findings.size() && findings[at].span.file == file; ++at) {
      const Finding& finding = findings[at];
      json.begin_object(report::JsonWriter::Layout::one_line);
      json.member("code", finding.rule);
      json.member("level", level_name(finding.level));
      json.member("text", finding.message);
      json.member("file", file);
      json.member("line", exact::Rational(finding.span.line));
      json.member("column", exact::Rational(finding.span.column));
      json.member_unless_empty("hint", finding.hint);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.key("counts");
  json.begin_object(report::JsonWriter::Layout::one_line);
  for (const Severity level : {Severity::error, Severity::warning, Severity::note})
    json.member(level_name(level), exact::Rational(count_of(findings, level)));
  json.end_object();
  json.end_object();
  return std::move(json).finish();
}

Listed rules_table() {
  Listed listed;
  listed.what = "rules";
  listed.columns = {"rule", "level", "finds"};
  for (const base::Rule& rule : catalog::lint_rules()) {
    listed.rows.push_back({rule.id, level_name(rule.level), rule.help});
  }
  return listed;
}

class LintCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {
        .name = "lint",
        .summary = "faults of catalogue files, each with its place",
        .examples = std::string(kLintExamples),
        .positionals = {{"FILE",
                         "files or folders of entries, cards and sources, or - (default: the "
                         "catalogue in the program)",
                         &paths_, false}},
        .flags = {{"--max-age", "DAYS", "warn of sources that were read longer ago: 90 or 90d",
                   &max_age_},
                  {"--today", "DATE", "the day from which ages count (default: today)", &today_},
                  {"--fail-on", "LEVEL",
                   "exit with 1 from this level on: error (default), warning or note", &fail_on_},
                  {"--rules", "", "list the rules and check nothing", &rules_}},
        .formats = {Format::text, Format::json, Format::sarif, Format::github}};
  }

  base::Result<Outcome> run(const Context& context) override {
    if (rules_) return render_rules(context);
    ULLAGE_TRY(const Severity fail_on, fail_on_flag(fail_on_));
    catalog::LintAges ages;
    ULLAGE_TRY(ages.most, max_age_flag(max_age_));
    ULLAGE_TRY(ages.today, today(today_));
    catalog::Lint lint(context.catalogue);
    if (paths_.empty()) {
      for (document::Document& document : context.catalogue.documents())
        lint.add(std::move(document));
    }
    ULLAGE_CHECK(add_files(context, paths_, lint));
    lint.check(ages);
    lint.report(plan::check_aggregates(lint));
    lint.report(plan::check_cards(lint, context.catalogue));
    const std::vector<Finding> findings = lint.findings();
    const bool failed = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.level >= fail_on;
    });
    return Outcome{rendered(context, findings, lint), {}, failed ? kDoesNotFit : kAnswered};
  }

 private:
  static std::string rendered(const Context& context, const std::vector<Finding>& findings,
                              const catalog::Lint& lint) {
    switch (context.common.format) {
      case Format::json:
        return json_of(findings, context);
      case Format::sarif:
        return report::to_sarif(catalog::lint_rules(), findings, kVersion);
      case Format::github:
        return report::to_github(findings);
      default:
        return text_of(findings, lint, context.common.quiet);
    }
  }

  static base::Result<Outcome> render_rules(const Context& context) {
    if (context.common.format == Format::text || context.common.format == Format::json) {
      return render_listed(context, "lint", rules_table());
    }
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "--rules is a table, not findings",
                            .span = {},
                            .hint = "-o text or -o json",
                            .notes = {}};
  }

  std::vector<std::string> paths_;
  std::optional<std::string> max_age_;
  std::optional<std::string> today_;
  std::optional<std::string> fail_on_;
  bool rules_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lint() {
  return std::make_unique<LintCommand>();
}

}  // namespace ullage::cli
