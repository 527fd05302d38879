// ullage show: an entry with each source, unknown and conflict.
#include "plan/show.hpp"

#include <algorithm>
#include <utility>

#include "catalog/citations.hpp"
#include "cli/cite.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"

namespace ullage::cli {
namespace {

using report::Role;
using report::Text;

report::Section attributes_section(const provenance::Row& row) {
  report::Table table;
  table.columns = {{}, {}, {}};
  for (const provenance::NamedText& fact : row.attributes) {
    const bool known = !fact.value.empty();
    table.rows.push_back(
        {{Text(label_of(fact.name)),
          Text(known ? fact.value : "unknown", known ? Role::emphasis : Role::warning),
          Text(known ? fact.source + (fact.locator.empty() ? "" : ", " + fact.locator)
                     : fact.unknown,
               Role::dim)},
         false});
  }
  return {Text("In words", Role::heading), {std::move(table)}};
}

bool is_derived(const plan::Shown& shown, const std::string& name) {
  return std::find(shown.derived.begin(), shown.derived.end(), name) != shown.derived.end();
}

// What the card states, and apart from it what follows for memory.
std::pair<std::vector<provenance::NamedFigure>, std::vector<provenance::NamedFigure>> parted(
    const plan::Shown& shown) {
  std::pair<std::vector<provenance::NamedFigure>, std::vector<provenance::NamedFigure>> parts;
  for (const provenance::NamedFigure& result : shown.answer.rows.front().results)
    (is_derived(shown, result.name) ? parts.second : parts.first).push_back(result);
  return parts;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string devices_of(const catalog::Statement& statement) {
  if (statement.applies_to.empty() || statement.applies_to.front() == "*") return "all devices";
  return joined(statement.applies_to);
}

// Statements of the card, those that speak of some devices first.
report::Section rules_section(const catalog::Entry& card) {
  report::Bullets rules;
  for (const bool of_some : {true, false}) {
    for (const catalog::Statement& statement : card.statements) {
      const std::string devices = devices_of(statement);
      if ((devices != "all devices") != of_some) continue;
      Text text(devices, Role::emphasis);
      text.add(": " + statement.text + (statement.date.empty() ? "" : " (" + statement.date + ")"));
      rules.items.push_back(
          {std::move(text), 0, {Text(statement.source + ", " + statement.locator, Role::dim)}});
    }
  }
  return {Text("Rules and statements, by device", Role::heading), {std::move(rules)}};
}

// Figures and facts that no source gave, with what was looked at.
report::Section unknowns_section(const plan::Shown& shown) {
  report::Table table;
  table.columns = {{}, {}};
  const provenance::Row& row = shown.answer.rows.front();
  const auto add = [&table](const std::string& name, const std::string& why) {
    table.rows.push_back({{Text(label_of(name)), Text(why, Role::warning)}, false});
  };
  for (const provenance::NamedFigure& result : row.results) {
    const provenance::Node& node = shown.answer.graph[result.figure];
    if (!node.value) add(result.name, node.unknown);
  }
  for (const provenance::NamedText& fact : row.attributes) {
    if (fact.value.empty()) add(fact.name, fact.unknown);
  }
  return {Text("Not known", Role::heading), {std::move(table)}};
}

std::string_view kind_in_words(const catalog::Entry& entry) {
  if (entry.partition_kind == "mig") return "MIG partition";
  if (entry.partition_kind == "logical-core") return "logical core";
  if (entry.partition_kind == "slice") return "slice of chips";
  return name_of(entry.kind);
}

Text title_of(const catalog::Entry& entry) {
  Text title(entry.name, Role::heading);
  title.add("  " + entry.id + "@" + entry.version + "  " + std::string(kind_in_words(entry)) +
                ", " + entry.vendor,
            Role::dim);
  return title;
}

class ShowCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "show",
            .summary = "one entry with each source, unknown and conflict",
            .examples = std::string(kShowExamples),
            .positionals = {{"ID", "a device or model, ID or ID@VERSION", &id_}},
            .flags = {{"--raw", "", "the entry's file as it was written", &raw_},
                      {"--cite", "STYLE", "citations of every source of the entry: text or bibtex",
                       &cite_}}};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(plan::Shown shown, plan::show(context.catalogue, id_));
    const Format format = context.common.format;
    if (raw_ && format != Format::text) {
      return base::Diagnostic{.code = base::Code::usage,
                              .message = "--raw is the file as it was written, in YAML",
                              .span = {},
                              .hint = "without -o, or -o json without --raw",
                              .notes = {}};
    }
    if (raw_) return Outcome{std::string(context.catalogue.raw(*shown.entry)), {}, kAnswered};
    if (cite_) return cited(context, *shown.entry);
    if (shown.entry->kind == catalog::EntryKind::model) return model_page(context, shown);
    const provenance::Row& row = shown.answer.rows.front();
    report::SourceList sources(shown.answer.graph, sources_of(context.catalogue));
    report::Page page;
    page.sections.push_back(
        {title_of(*shown.entry), {figures_table(shown.answer, row.results, sources)}});
    page.sections.push_back(attributes_section(row));
    add_notes(context, row.notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    return Outcome{render(context, shown.answer, std::move(page)), {}, kAnswered};
  }

 private:
  // A model: what the card states, what follows for memory, rules by device, what is not known.
  static base::Result<Outcome> model_page(const Context& context, plan::Shown& shown) {
    plan::derive_memory(shown, context.catalogue);
    const provenance::Row& row = shown.answer.rows.front();
    const catalog::Entry& card = *shown.entry;
    report::SourceList sources(shown.answer.graph, sources_of(context.catalogue));
    report::Page page;
    const auto [stated, derived] = parted(shown);
    Text title = title_of(card);
    if (!card.variant_of.empty()) title.add("  a variant of " + card.variant_of, Role::dim);
    page.sections.push_back({std::move(title), {figures_table(shown.answer, stated, sources)}});
    page.sections.push_back(attributes_section(row));
    if (!derived.empty()) {
      page.sections.push_back(
          {Text("For memory", Role::heading), {figures_table(shown.answer, derived, sources)}});
    }
    if (!card.statements.empty()) page.sections.push_back(rules_section(card));
    report::Section unknowns = unknowns_section(shown);
    if (!std::get<report::Table>(unknowns.blocks.front()).rows.empty()) {
      page.sections.push_back(std::move(unknowns));
    }
    std::vector<base::Note> notes = row.notes;
    std::erase_if(notes, [](const base::Note& note) { return note.code == "statement"; });
    add_notes(context, notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    return Outcome{render(context, shown.answer, std::move(page)), {}, kAnswered};
  }

  base::Result<Outcome> cited(const Context& context, const catalog::Entry& entry) const {
    ULLAGE_TRY(const CitationStyle style, citation_style(*cite_, context.common.format));
    std::vector<const provenance::Source*> sources;
    for (const std::string& id : catalog::cited_sources(context.catalogue.complete(entry)))
      sources.push_back(&report::source_of(sources_of(context.catalogue), id));
    return Outcome{citations(style, sources), {}, kAnswered};
  }

  std::string id_;
  bool raw_ = false;
  std::optional<std::string> cite_;
};

}  // namespace

std::unique_ptr<Command> make_show() {
  return std::make_unique<ShowCommand>();
}

}  // namespace ullage::cli
