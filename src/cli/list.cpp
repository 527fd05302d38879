// ullage list: what the catalogue holds, from the index alone.
#include <array>

#include "base/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/version.hpp"
#include "import/family.hpp"
#include "report/csv.hpp"
#include "report/json_writer.hpp"
#include "report/markdown.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

// A listing is a plain table: headings, keys for scripts, and cells.
struct Listed {
  std::string what;
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> rows;
};

std::string memory_text(std::string_view written) {
  if (written.empty()) return "unknown";
  const auto value = units::parse_written(written);
  return value ? report::value_text(value->value(), {.dimension = units::kBytes})
               : std::string(written);
}

Listed list_entries(catalog::Catalogue& catalogue, bool models) {
  Listed listed{models ? "models" : "hardware",
                models
                    ? std::vector<std::string>{"id", "name", "publisher", "version"}
                    : std::vector<std::string>{"id", "kind", "memory", "status", "version", "name"},
                {}};
  const auto add = [&](catalog::EntryKind kind) {
    for (const catalog::Listing& entry : catalogue.listings()) {
      if (entry.kind != kind) continue;
      const std::string id = entry.current
                                 ? std::string(entry.id)
                                 : std::string(entry.id) + "@" + std::string(entry.version);
      const std::string version = std::string(entry.version) + (entry.overlaid ? " (overlay)" : "");
      if (models) {
        listed.rows.push_back({id, std::string(entry.name), std::string(entry.vendor), version});
      } else {
        const bool chip = kind == catalog::EntryKind::chip;
        listed.rows.push_back({id, std::string(name_of(kind)),
                               chip ? memory_text(entry.memory) : std::string(),
                               std::string(entry.status), version, std::string(entry.name)});
      }
    }
  };
  if (models) {
    add(catalog::EntryKind::model);
  } else {
    add(catalog::EntryKind::chip);
    add(catalog::EntryKind::instance);
    add(catalog::EntryKind::system);
  }
  return listed;
}

Listed list_sources(catalog::Catalogue& catalogue) {
  Listed listed{"sources", {"id", "tier", "checked", "publisher", "title", "url"}, {}};
  for (const std::string& id : catalogue.source_ids()) {
    const provenance::Source& source = *catalogue.source(id);
    listed.rows.push_back({source.id, std::string(name_of(source.tier)), source.checked,
                           source.publisher, source.title, source.url});
  }
  return listed;
}

Listed list_formats(catalog::Catalogue& catalogue) {
  Listed listed{"formats", {"name", "bits", "stored_bits", "spellings", "source"}, {}};
  for (const catalog::StorageFormat& format : catalogue.formats().all()) {
    std::string spellings;
    for (const std::string& spelling : format.spellings) {
      spellings += (spellings.empty() ? "" : ", ") + spelling;
    }
    const auto text = [](const std::optional<exact::Rational>& bits) {
      return bits ? report::number_text(*bits, {}) : std::string("mix");
    };
    listed.rows.push_back({format.name, text(format.bits), text(format.stored_bits),
                           std::move(spellings), format.source});
  }
  return listed;
}

Listed list_families() {
  Listed listed{"families", {"model_type", "what", "tensors"}, {}};
  for (const import::Family& family : import::families()) {
    listed.rows.push_back(
        {std::string(family.model_type), std::string(family.what), std::string(family.citation)});
  }
  return listed;
}

report::Page page_of(const Listed& listed) {
  report::Table table;
  for (const std::string& key : listed.keys) {
    std::string heading = key;
    for (char& c : heading) {
      if (c == '_') c = ' ';
    }
    table.columns.push_back({report::Text(heading, report::Role::heading), report::Align::left});
  }
  for (const auto& row : listed.rows) {
    report::TableRow cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.cells.emplace_back(row[i], i == 0 ? report::Role::emphasis : report::Role::plain);
    }
    table.rows.push_back(std::move(cells));
  }
  report::Page page;
  page.sections.push_back({report::Text(), {std::move(table)}});
  return page;
}

std::string json_of(const Listed& listed, const catalog::Catalogue& catalogue) {
  report::JsonWriter json;
  json.begin_object();
  json.member("schema", "ullage/result/1");
  json.key("tool");
  json.begin_object();
  json.member("version", kVersion);
  json.key("catalogue");
  json.begin_object();
  json.member("version", catalogue.version());
  json.member("digest", catalogue.digest());
  json.end_object();
  json.end_object();
  json.member("command", "list");
  json.member("what", listed.what);
  json.key("rows");
  json.begin_array();
  for (const auto& row : listed.rows) {
    json.begin_object(report::JsonWriter::Layout::one_line);
    for (std::size_t i = 0; i < row.size(); ++i)
      json.member(listed.keys[i], row[i]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

std::string csv_of(const Listed& listed) {
  std::string text;
  const auto line = [&text](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += (i > 0 ? "," : "") + report::csv_field(cells[i]);
    }
    text += "\n";
  };
  line(listed.keys);
  for (const auto& row : listed.rows)
    line(row);
  return text;
}

base::Result<Outcome> run_list(const Context& context, const std::string& asked) {
  Listed listed;
  const std::string what = base::lower(asked);
  if (what == "hardware" || what == "devices") {
    listed = list_entries(context.catalogue, false);
  } else if (what == "models") {
    listed = list_entries(context.catalogue, true);
  } else if (what == "sources") {
    listed = list_sources(context.catalogue);
  } else if (what == "formats") {
    listed = list_formats(context.catalogue);
  } else if (what == "families") {
    listed = list_families();
  } else {
    constexpr std::array<std::string_view, 5> known{"hardware", "models", "sources", "formats",
                                                    "families"};
    const auto close = base::nearest(what, known, 1);
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "list: nothing is called " + base::printable(asked),
                            .span = {},
                            .hint = close.empty() ? "hardware, models, sources, formats or families"
                                                  : base::did_you_mean(close),
                            .notes = {}};
  }
  Outcome outcome;
  switch (context.common.format) {
    case Format::json:
      outcome.output = json_of(listed, context.catalogue);
      break;
    case Format::csv:
      outcome.output = csv_of(listed);
      break;
    case Format::markdown:
      outcome.output = report::to_markdown(page_of(listed));
      break;
    case Format::text:
      outcome.output = report::to_text(page_of(listed), context.style);
      break;
  }
  return outcome;
}

class ListCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "list",
            .summary = "what the catalogue holds",
            .examples = std::string(kListExamples),
            .positionals = {{"WHAT", "hardware, models, sources, formats or families", &what_}},
            .flags = {}};
  }
  base::Result<Outcome> run(const Context& context) override { return run_list(context, what_); }

 private:
  std::string what_;
};

}  // namespace

std::unique_ptr<Command> make_list() {
  return std::make_unique<ListCommand>();
}

}  // namespace ullage::cli
