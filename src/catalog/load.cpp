// Entries: identity and architecture. Figures, words and parts have files of their own.
#include "catalog/load.hpp"

#include <algorithm>
#include <array>

#include "base/date.hpp"
#include "base/spelling.hpp"
#include "catalog/fields.hpp"
#include "catalog/figure_names.hpp"
#include "catalog/load_figures.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/load_words.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Document;
using document::Value;

constexpr std::array<std::string_view, 4> kStatuses{"documented", "preview", "announced",
                                                    "retired"};

bool is_id(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

// A name that means something else where a device or model may stand, and what: `all` is every
// device, `70B` a model of that size, `CHIP:PARTITION`, `ID@VERSION` and `A,B` are forms.
std::string_view other_meaning(std::string_view name) {
  if (base::lower(name) == "all") return "means every device";
  if (name.find_first_of(":@,") != std::string_view::npos) {
    return "has ':', '@' or ',', which set a partition, a version or the next name apart";
  }
  const std::size_t digits = name.find_first_not_of("0123456789.");
  const bool size = digits != std::string_view::npos && digits > 0 && digits + 1 == name.size() &&
                    std::string_view("kKmMbBtT").find(name[digits]) != std::string_view::npos;
  return size ? "means a model of that size" : "";
}

void check_names(Fields& fields, const Entry& entry) {
  const auto check = [&fields](const std::string& name, const Value* at) {
    const std::string_view meaning = other_meaning(name);
    if (meaning.empty()) return;
    fields.fault(Code::out_of_range,
                 "the name " + base::printable(name) + " " + std::string(meaning), at,
                 "a name that no command reads otherwise");
  };
  check(entry.id, fields.find("id"));
  const Value* aliases = fields.find("aliases");
  if (aliases == nullptr) return;
  for (const Value& alias : aliases->items)
    check(alias.text, &alias);
}

void load_architecture(Fields& entry, const SourceLookup& source, Entry& result) {
  const Value* found = entry.find("architecture");
  if (found == nullptr) return;
  Fields fields(entry.document(), *found, "architecture", entry.faults());
  fields.allow_only({"source", "locator", "config", "note"});
  const std::vector<std::string> sources = load_source_ids(fields, source);
  const std::string locator = fields.required_text("locator", Code::unsourced);
  const Value* config = fields.find("config");
  if (config == nullptr) {
    fields.fault(Code::missing_key, "architecture.config is missing");
    return;
  }
  Fields keys(entry.document(), *config, "architecture.config", entry.faults());
  if (!keys.valid() || sources.empty()) return;
  result.architecture = Architecture{
      .config = {entry.document().file, *config}, .source = sources.front(), .locator = locator};
}

void load_identity(Fields& fields, const SourceLookup& source, Completeness completeness,
                   Entry& entry) {
  const bool whole = completeness != Completeness::addition;
  entry.id = fields.required_text("id");
  if (!entry.id.empty() && !is_id(entry.id)) {
    fields.fault(Code::out_of_range,
                 "id " + base::printable(entry.id) + " has a character that ids do not",
                 fields.find("id"), "lower-case letters, digits, '-', '.' and '_'");
  }
  entry.name = whole ? fields.required_text("name") : fields.optional_text("name");
  entry.vendor = whole ? fields.required_text("vendor") : fields.optional_text("vendor");
  entry.version = fields.required_text("version");
  if (!entry.version.empty() && !is_date(entry.version)) {
    fields.fault(Code::out_of_range, "version " + base::printable(entry.version) + " is no date",
                 fields.find("version"), "the day of the review, YYYY-MM-DD");
  }
  if (const Value* status = fields.find("status")) {
    entry.status = load_text_fact(Fields(fields.document(), *status, "status", fields.faults()),
                                  "status", source);
    const bool known =
        std::find(kStatuses.begin(), kStatuses.end(), entry.status.value) != kStatuses.end();
    if (!entry.status.value.empty() && !known) {
      fields.fault(Code::out_of_range, "unknown status " + base::printable(entry.status.value),
                   status, "one of documented, preview, announced, retired");
    }
  } else if (whole) {
    fields.fault(Code::missing_key, "status is missing");
  }
  entry.families = fields.text_list("families");
  entry.aliases = fields.text_list("aliases");
  check_names(fields, entry);
}

bool load_schema(Fields& fields, Completeness completeness, Entry& entry) {
  const std::string schema = fields.required_text("schema");
  if (schema == "ullage/model/1") {
    entry.kind = EntryKind::model;
    return true;
  }
  if (schema != "ullage/hardware/1") {
    if (!schema.empty()) {
      fields.fault(Code::out_of_range, "unknown schema " + base::printable(schema),
                   fields.find("schema"), "ullage/hardware/1 or ullage/model/1");
    }
    return false;
  }
  const bool addition = completeness == Completeness::addition;
  const std::string kind = addition ? fields.optional_text("kind") : fields.required_text("kind");
  if (kind.empty() && addition) return true;
  for (const EntryKind known : {EntryKind::chip, EntryKind::instance, EntryKind::system}) {
    if (kind != name_of(known)) continue;
    entry.kind = known;
    return true;
  }
  if (!kind.empty()) {
    fields.fault(Code::out_of_range, "unknown kind " + base::printable(kind), fields.find("kind"),
                 "chip, instance or system");
  }
  return false;
}

// Sources that a card states itself: files that somebody read, where no page is cited.
void load_own_sources(Fields& fields, Entry& entry) {
  const Value* list = fields.find("sources");
  if (list == nullptr) return;
  if (entry.kind != EntryKind::model) {
    fields.fault(Code::unknown_key, "sources is only for model cards", list,
                 "hardware entries cite a sources file");
    return;
  }
  Fields members(fields.document(), *list, "sources", fields.faults());
  if (!members.valid()) return;
  for (const document::Member& member : list->members) {
    if (auto source = load_source(fields.document(), member, fields.faults())) {
      entry.sources.push_back(std::move(*source));
    }
  }
}

void load_chip_reference(Fields& fields, Completeness completeness, Entry& entry) {
  if (completeness == Completeness::addition) {
    for (const std::string_view key : {"chip", "instance"}) {
      if (!fields.has(key)) continue;
      fields.fault(Code::unknown_key, std::string(key) + " is not for what only adds to an entry",
                   fields.find(key), "a whole entry replaces one, or is a version of its own");
    }
    return;
  }
  const bool aggregate = entry.kind == EntryKind::instance || entry.kind == EntryKind::system;
  if (aggregate) entry.chip = fields.required_text("chip");
  if (!aggregate && fields.has("chip")) {
    fields.fault(Code::unknown_key, "chip is only for instances and systems", fields.find("chip"));
  }
  entry.instance = fields.optional_text("instance");
  if (!entry.instance.empty() && entry.kind != EntryKind::system) {
    fields.fault(Code::unknown_key, "instance is only for systems", fields.find("instance"));
  }
  if (completeness == Completeness::without_figures) return;
  if (!entry.instance.empty() && entry.figure("instances") == nullptr) {
    fields.fault(Code::missing_key, "figures.instances is missing: how many " +
                                        base::printable(entry.instance) + " it holds");
  }
  if (aggregate && entry.figure("chips") == nullptr) {
    fields.fault(Code::missing_key, "figures.chips is missing: how many chips it holds");
  }
}

void load_variant(Fields& fields, Entry& entry) {
  entry.variant_of = fields.optional_text("variant_of");
  if (entry.variant_of.empty() || entry.kind == EntryKind::model) return;
  fields.fault(Code::unknown_key, "variant_of is only for model cards", fields.find("variant_of"));
}

// What a card counts is a whole number above zero, or no answer over it means anything.
void check_counts(const FigureList& figures, std::vector<base::Diagnostic>& faults) {
  for (const FigureFact& fact : figures) {
    if (!fact.known() || !is_count(fact)) continue;
    const provenance::Claim& claim = fact.claims.front();
    const exact::Rational& value = claim.quantity.value;
    if (value.is_whole() && value.sign() > 0) continue;
    faults.push_back({.code = Code::out_of_range,
                      .severity = base::Severity::error,
                      .message = fact.name + " is " + claim.written,
                      .span = claim.span,
                      .hint = "a whole number above zero, or `unknown:` with a reason",
                      .notes = {}});
  }
}

}  // namespace

bool is_date(std::string_view text) {
  return base::day_number(text).has_value();
}

std::string schema_of(const Document& document) {
  const Value* schema = document.root.find("schema");
  return schema != nullptr ? schema->text : std::string();
}

std::optional<Entry> load_entry(const Document& document, const SourceLookup& source,
                                std::vector<base::Diagnostic>& faults, Completeness completeness) {
  const std::size_t before = faults.size();
  auto entry = read_entry(document, source, faults, completeness);
  if (entry && entry->kind == EntryKind::model && faults.size() == before) {
    check_counts(entry->figures, faults);
  }
  if (faults.size() != before) return std::nullopt;
  return entry;
}

std::optional<Entry> read_entry(const Document& document, const SourceLookup& elsewhere,
                                std::vector<base::Diagnostic>& faults, Completeness completeness) {
  Entry entry;
  entry.file = document.file;
  Fields fields(document, document.root, "", faults);
  if (!fields.valid() || !load_schema(fields, completeness, entry)) return std::nullopt;
  load_own_sources(fields, entry);
  // A card's own sources are meant before others of the same name.
  const SourceLookup source = [&](std::string_view id) -> const provenance::Source* {
    for (const provenance::Source& own : entry.sources) {
      if (own.id == id) return &own;
    }
    return elsewhere(id);
  };
  fields.allow_only({"schema",       "id",         "kind",     "name",       "vendor",
                     "version",      "status",     "families", "aliases",    "chip",
                     "instance",     "variant_of", "figures",  "attributes", "statements",
                     "architecture", "sources",    "note",     kPartitions,  kSoftware});
  load_identity(fields, source, completeness, entry);
  if (const Value* figures = fields.find("figures")) {
    const bool model = entry.kind == EntryKind::model;
    entry.figures = load_figures(document, *figures, "figures",
                                 model ? FigureTable::model : FigureTable::hardware, entry.kind,
                                 source, faults);
  }
  load_chip_reference(fields, completeness, entry);
  load_variant(fields, entry);
  entry.attributes = load_attributes(fields, source);
  entry.statements = load_statements(fields, source);
  load_architecture(fields, source, entry);
  if (const Value* partitions = fields.find(kPartitions)) {
    if (entry.kind != EntryKind::chip) {
      fields.fault(Code::unknown_key, "partitions are only for chips", partitions);
    }
    load_partitions(document, *partitions, source, completeness, entry, faults);
  }
  if (const Value* software = fields.find(kSoftware)) {
    if (entry.kind != EntryKind::chip) {
      fields.fault(Code::unknown_key, "software is only for chips", software);
    }
    load_software(document, *software, source, entry, faults);
  }
  return entry;
}

std::optional<provenance::Source> load_source(const Document& document,
                                              const document::Member& member,
                                              std::vector<base::Diagnostic>& faults) {
  const std::size_t before = faults.size();
  provenance::Source source;
  source.id = member.key;
  Fields fields(document, member.value, "sources." + member.key, faults);
  fields.allow_only(
      {"title", "publisher", "url", "revision", "checked", "tier", "cited_by", "note"});
  source.title = fields.required_text("title");
  source.publisher = fields.required_text("publisher");
  source.url = fields.required_text("url", Code::unsourced);
  source.revision = fields.required_text("revision", Code::unsourced);
  source.checked = fields.required_text("checked", Code::unsourced);
  source.note = fields.optional_text("note");
  const std::string tier = fields.required_text("tier");
  bool known = false;
  for (const auto candidate :
       {provenance::Tier::primary, provenance::Tier::quoted, provenance::Tier::secondary}) {
    if (tier != name_of(candidate)) continue;
    source.tier = candidate;
    known = true;
  }
  if (!tier.empty() && !known) {
    fields.fault(Code::out_of_range, "unknown tier " + base::printable(tier), fields.find("tier"),
                 "primary, quoted or secondary");
  }
  if (!source.checked.empty() && !is_date(source.checked)) {
    fields.fault(Code::out_of_range, "checked " + base::printable(source.checked) + " is no date",
                 fields.find("checked"), "the day on which the text was read, YYYY-MM-DD");
  }
  const bool address = source.url.starts_with("http") ||
                       (source.url == "unknown" && source.tier == provenance::Tier::secondary);
  if (!source.url.empty() && !address) {
    fields.fault(Code::out_of_range, "url " + base::printable(source.url) + " is no address",
                 fields.find("url"), "https://…, or `unknown` for a secondary source");
  }
  if (faults.size() != before) return std::nullopt;
  return source;
}

std::optional<std::vector<provenance::Source>> load_sources(const Document& document,
                                                            std::vector<base::Diagnostic>& faults) {
  const std::size_t before = faults.size();
  std::vector<provenance::Source> sources;
  Fields fields(document, document.root, "", faults);
  fields.allow_only({"schema", "sources"});
  if (fields.required_text("schema") != "ullage/sources/1" && fields.valid()) {
    fields.fault(Code::out_of_range, "not a sources file", fields.find("schema"),
                 "ullage/sources/1");
  }
  const Value* list = fields.find("sources");
  if (list == nullptr) {
    fields.fault(Code::missing_key, "sources is missing");
    return std::nullopt;
  }
  Fields members(document, *list, "sources", faults);
  for (const document::Member& member : list->members) {
    if (auto source = load_source(document, member, faults)) sources.push_back(std::move(*source));
  }
  if (faults.size() != before) return std::nullopt;
  return sources;
}

}  // namespace ullage::catalog
