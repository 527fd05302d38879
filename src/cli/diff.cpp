// ullage diff: what changed between two entries or versions.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/plan_diff.hpp"
#include "cli/render.hpp"
#include "plan/entry_diff.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using plan::Change;
using plan::EntryDiff;
using plan::FigureChange;
using report::Role;
using report::Text;

const provenance::Node* find(const EntryDiff& diff, const std::string& name,
                             report::SourceList& sources, std::string& marks) {
  for (const provenance::NamedFigure& result : diff.answer.rows.front().results) {
    if (result.name != name) continue;
    marks += (marks.empty() ? "" : " ") + sources.marks(result.figure);
    return &diff.answer.graph[result.figure];
  }
  return nullptr;
}

Text value_cell(const provenance::Node* node) {
  if (node == nullptr) return Text();
  return Text(report::figure_text(*node), node->value ? Role::emphasis : Role::warning);
}

report::Table figures_of(const EntryDiff& diff, Change change, report::SourceList& sources) {
  report::Table table;
  table.columns = {{Text("figure", Role::heading), report::Align::left},
                   {Text("before", Role::heading), report::Align::right},
                   {Text("after", Role::heading), report::Align::right},
                   {Text("ratio", Role::heading), report::Align::right},
                   {Text("sources", Role::heading), report::Align::left}};
  for (const FigureChange& figure : diff.figures) {
    if (figure.change != change) continue;
    std::string marks;
    std::string unmarked;
    const provenance::Node* before = find(diff, "before_" + figure.name, sources, marks);
    const provenance::Node* after = find(diff, "after_" + figure.name, sources, marks);
    const provenance::Node* ratio = find(diff, "ratio_" + figure.name, sources, unmarked);
    table.rows.push_back(
        {{Text(label_of(figure.name)), value_cell(before), value_cell(after),
          ratio == nullptr ? Text() : Text(report::number_text(*ratio->value) + "×"),
          Text(marks, Role::dim)},
         false});
  }
  return table;
}

const provenance::NamedText* fact_of(const EntryDiff& diff, const std::string& name) {
  const auto& facts = diff.answer.rows.front().attributes;
  const auto found = std::find_if(facts.begin(), facts.end(),
                                  [&](const provenance::NamedText& f) { return f.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

report::Bullets words_of(const EntryDiff& diff) {
  report::Bullets bullets;
  const auto words = [&diff](const std::string& name) {
    const provenance::NamedText* fact = fact_of(diff, name);
    if (fact == nullptr) return std::string("not stated");
    if (fact->value.empty()) return "unknown (" + fact->unknown + ")";
    return fact->value + " (" + fact->source + ", " + fact->locator + ")";
  };
  for (const FigureChange& fact : diff.attributes) {
    bullets.items.push_back({Text(label_of(fact.name) + ": " + words("before_" + fact.name) +
                                  " → " + words("after_" + fact.name))});
  }
  return bullets;
}

report::Page page_of(const Context& context, const EntryDiff& diff, report::SourceList& sources) {
  report::Page page;
  Text title(diff.before->id + "@" + diff.before->version, Role::heading);
  title.add(" → " + diff.after->id + "@" + diff.after->version, Role::heading);
  const bool nothing =
      diff.figures.empty() && diff.attributes.empty() && diff.answer.rows.front().notes.empty();
  page.sections.push_back({title, {}});
  if (nothing) page.sections.back().blocks.emplace_back(report::Paragraph{"nothing changed"});
  const auto section = [&](const char* heading, Change change) {
    report::Table table = figures_of(diff, change, sources);
    if (!table.rows.empty()) {
      page.sections.push_back({Text(heading, Role::heading), {std::move(table)}});
    }
  };
  section("Changed figures", Change::changed);
  section("Only after", Change::added);
  section("Only before", Change::removed);
  if (!diff.attributes.empty()) {
    page.sections.push_back({Text("In words", Role::heading), {words_of(diff)}});
  }
  const auto statements = [&](const char* heading, const char* code) {
    report::Bullets bullets;
    for (const base::Note& note : diff.answer.rows.front().notes) {
      if (note.code != code) continue;
      Text text(note.text);
      text.add(" (" + note.source + ", " + note.locator + ")", Role::dim);
      bullets.items.push_back({std::move(text)});
    }
    if (context.common.quiet || bullets.items.empty()) return;
    page.sections.push_back({Text(heading, Role::heading), {std::move(bullets)}});
  };
  statements("Statements only after", "statement-added");
  statements("Statements only before", "statement-removed");
  if (!sources.empty()) page.sections.push_back(sources.legend());
  return page;
}

class DiffCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "diff",
            .summary = "what changed between two entries or versions, or between two sets of plans",
            .examples = std::string(kDiffExamples),
            .positionals = {{"A", "a device or model, ID or ID@VERSION", &before_, false},
                            {"B", "the one to hold against it", &after_, false}},
            .flags = {{"--base", "PATH",
                       "plans before: a folder, a file, or a result of `check -o json`", &base_},
                      {"--head", "PATH", "plans after", &head_}}};
  }

  base::Result<Outcome> run(const Context& context) override {
    if (base_ && head_ && before_.empty()) return diff_plans(context, *base_, *head_);
    if (base_ || head_ || before_.empty() || after_.empty()) {
      return base::Diagnostic{
          .code = base::Code::usage,
          .message = "diff holds two things against each other",
          .span = {},
          .hint = "diff A B for entries, diff --base PATH --head PATH for plans",
          .notes = {}};
    }
    ULLAGE_TRY(const EntryDiff diff, plan::diff_entries(context.catalogue, before_, after_));
    report::SourceList sources(diff.answer.graph, sources_of(context.catalogue));
    report::Page page = page_of(context, diff, sources);
    return Outcome{render(context, diff.answer, std::move(page)), {}, kAnswered};
  }

 private:
  std::string before_;
  std::string after_;
  std::optional<std::string> base_;
  std::optional<std::string> head_;
};

}  // namespace

std::unique_ptr<Command> make_diff() {
  return std::make_unique<DiffCommand>();
}

}  // namespace ullage::cli
