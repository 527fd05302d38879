// ullage show: an entry with each source, unknown and conflict.
#include "plan/show.hpp"

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
    ULLAGE_TRY(const plan::Shown shown, plan::show(context.catalogue, id_));
    if (raw_) return Outcome{std::string(context.catalogue.raw(*shown.entry)), {}, kAnswered};
    if (cite_) return cited(context, *shown.entry);
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
