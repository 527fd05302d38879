// ullage sources: every source, or what rests on one of them.
#include "cli/sources.hpp"

#include "base/spelling.hpp"
#include "catalog/citations.hpp"
#include "cli/cite.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"

namespace ullage::cli {
namespace {

using provenance::Source;
using report::Role;
using report::Text;

base::Result<const Source*> find_source(catalog::Catalogue& catalogue, const std::string& id) {
  if (const Source* source = catalogue.source(id)) return source;
  const std::vector<std::string> ids = catalogue.source_ids();
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  const auto close = base::nearest(id, views, 4);
  return base::Diagnostic{
      .code = base::Code::unknown_name,
      .message = "no source has the id " + base::printable(id),
      .span = {},
      .hint = close.empty() ? "`ullage sources` lists them" : base::did_you_mean(close),
      .notes = {}};
}

report::Section head_of(const Source& source) {
  report::Table table;
  table.columns = {{}, {}};
  const auto add = [&table](const char* label, const std::string& value, Role role = Role::plain) {
    if (!value.empty()) table.rows.push_back({{Text(label, Role::dim), Text(value, role)}, false});
  };
  add("id", source.id);
  add("publisher", source.publisher);
  add("address", source.url, Role::link);
  add("revision", source.revision);
  add("checked", source.checked);
  add("tier", std::string(name_of(source.tier)));
  add("note", source.note);
  return {Text(source.title, Role::heading), {std::move(table)}};
}

void write_source(report::JsonWriter& json, const Source& source) {
  json.key("source");
  json.begin_object();
  json.member("id", source.id);
  json.member("title", source.title);
  json.member("publisher", source.publisher);
  json.member("url", source.url);
  json.member("revision", source.revision);
  json.member("checked", source.checked);
  json.member("tier", name_of(source.tier));
  json.member_unless_empty("note", source.note);
  json.end_object();
}

void add_citations(const catalog::Entry& entry, bool current, const std::string& id,
                   Listed& listed) {
  for (const catalog::Citation& citation : catalog::citations_of(entry)) {
    if (citation.source != id) continue;
    const std::string line =
        citation.claim != nullptr ? std::to_string(citation.claim->span.line) : std::string();
    listed.rows.push_back(
        {current ? entry.id : entry.id + "@" + entry.version, citation.what, citation.name,
         citation.says,
         citation.claim != nullptr ? name_of(citation.claim->relation) : std::string_view(),
         citation.locator, entry.file, line});
  }
}

// Every place of the catalogue that cites the source, by entry.
base::Result<Listed> resting_on(catalog::Catalogue& catalogue, const Source& source) {
  Listed listed;
  listed.what = "citations";
  listed.columns = {"entry", "what", "name", "says", "relation", "locator", "file", "line"};
  listed.head = head_of(source);
  listed.members = [&source](report::JsonWriter& json) { write_source(json, source); };
  for (const catalog::Listing& listing : catalogue.listings()) {
    ULLAGE_TRY(const catalog::Entry* const entry, catalogue.load(listing));
    add_citations(catalogue.complete(*entry), listing.current, source.id, listed);
  }
  for (const catalog::StorageFormat* format : catalogue.formats().all()) {
    if (format->source != source.id) continue;
    listed.rows.push_back({format->name, "format", "", "", "", format->locator,
                           "data/models/formats.yaml", std::to_string(format->line)});
  }
  return listed;
}

class SourcesCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {
        .name = "sources",
        .summary = "what rests on a source",
        .examples = std::string(kSourcesExamples),
        .positionals = {{"ID", "the id of a source (default: all of them)", &id_, false}},
        .flags = {{"--cite", "STYLE", "citations with the day of access: text or bibtex", &cite_}}};
  }

  base::Result<Outcome> run(const Context& context) override {
    catalog::Catalogue& catalogue = context.catalogue;
    if (cite_) return cited(context);
    if (id_.empty()) return render_listed(context, "sources", list_sources(catalogue));
    ULLAGE_TRY(const Source* const source, find_source(catalogue, id_));
    ULLAGE_TRY(const Listed listed, resting_on(catalogue, *source));
    return render_listed(context, "sources", listed);
  }

 private:
  base::Result<Outcome> cited(const Context& context) const {
    ULLAGE_TRY(const CitationStyle style, citation_style(*cite_, context.common.format));
    std::vector<const Source*> sources;
    if (!id_.empty()) {
      ULLAGE_TRY(const Source* const source, find_source(context.catalogue, id_));
      sources.push_back(source);
    } else {
      for (const std::string& id : context.catalogue.source_ids())
        sources.push_back(context.catalogue.source(id));
    }
    return Outcome{citations(style, sources), {}, kAnswered};
  }

  std::string id_;
  std::optional<std::string> cite_;
};

}  // namespace

Listed list_sources(catalog::Catalogue& catalogue) {
  Listed listed;
  listed.what = "sources";
  listed.columns = {"id", "tier", "checked", "publisher", "title", "url"};
  for (const std::string& id : catalogue.source_ids()) {
    const Source& source = *catalogue.source(id);
    listed.rows.push_back({source.id, name_of(source.tier), source.checked, source.publisher,
                           source.title, source.url});
  }
  return listed;
}

std::unique_ptr<Command> make_sources() {
  return std::make_unique<SourcesCommand>();
}

}  // namespace ullage::cli
