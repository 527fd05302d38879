// Reads the files and applies the rules over several of them.
#include "catalog/lint.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/date.hpp"
#include "base/spelling.hpp"
#include "catalog/citations.hpp"
#include "catalog/load.hpp"
#include "catalog/overlay.hpp"
#include "document/read.hpp"

namespace ullage::catalog {
namespace {

using document::Document;
using document::Member;
using document::Value;

bool is_entry(const std::string& schema) {
  return schema != "ullage/sources/1" && schema != "ullage/formats/1" &&
         schema != "ullage/labels/1";
}

std::string text_of(const Document& document, std::string_view key) {
  const Value* value = document.root.find(key);
  return value != nullptr ? value->text : std::string();
}

// Every id under a `source:` key of a document, wherever it stands.
void collect_cited(const Value& value, std::set<std::string, std::less<>>& cited) {
  for (const Value& item : value.items)
    collect_cited(item, cited);
  for (const Member& member : value.members) {
    if (member.key == "source") {
      if (!member.value.text.empty()) cited.insert(member.value.text);
      for (const Value& item : member.value.items)
        cited.insert(item.text);
    }
    collect_cited(member.value, cited);
  }
}

std::string place_of(const base::Span& span) {
  return span.file + ":" + std::to_string(span.line);
}

// The name of the file without folders and ending.
std::string_view stem_of(std::string_view file) {
  file.remove_prefix(file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/') + 1);
  return file.substr(0, file.rfind('.'));
}

}  // namespace

void Lint::accept(std::vector<base::Diagnostic> faults) {
  for (base::Diagnostic& fault : faults) {
    findings_.push_back({.rule = std::string(base::name_of(fault.code)),
                         .level = fault.severity,
                         .message = std::move(fault.message),
                         .span = std::move(fault.span),
                         .hint = std::move(fault.hint)});
  }
}

void Lint::add(const std::string& file, std::string_view text) {
  auto document = document::read_yaml(text, file);
  if (document) {
    add(std::move(*document));
    return;
  }
  files_.push_back(file);
  broken_.emplace(stem_of(file));
  accept({std::move(document).error()});
}

void Lint::add(Document document) {
  files_.push_back(document.file);
  documents_.push_back(std::move(document));
}

void Lint::report(std::vector<base::Finding> findings) {
  std::move(findings.begin(), findings.end(), std::back_inserter(findings_));
}

std::vector<base::Finding> Lint::findings() const {
  std::map<std::string_view, std::size_t> order;
  for (std::size_t i = 0; i < files_.size(); ++i)
    order.emplace(files_[i], i);
  std::vector<base::Finding> sorted = findings_;
  const auto place = [&order](const base::Finding& finding) {
    const auto file = order.find(finding.span.file);
    return std::tuple(file == order.end() ? order.size() : file->second, finding.span.line,
                      finding.span.column);
  };
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](const base::Finding& a, const base::Finding& b) { return place(a) < place(b); });
  return sorted;
}

const provenance::Source* Lint::source(std::string_view id) {
  static const provenance::Source kFaulty{};  // exists, and its own fault is reported already
  const auto found = sources_.find(id);
  if (found == sources_.end()) return catalogue_.source(id);
  return found->second.source ? &*found->second.source : &kFaulty;
}

const Entry* Lint::hardware(std::string_view reference) {
  const std::size_t at = std::min(reference.find('@'), reference.size());
  if (reference.ends_with('@')) return nullptr;
  const std::string_view id = reference.substr(0, at);
  const std::string_view version = reference.substr(std::min(at + 1, reference.size()));
  const Entry* newest = nullptr;
  for (const LintedEntry& linted : entries_) {
    const Entry& entry = linted.entry;
    if (entry.kind == EntryKind::model || entry.id != id) continue;
    if (entry.version == version) return &entry;
    if (version.empty() && (newest == nullptr || newest->version < entry.version)) newest = &entry;
  }
  // Another version is no stand-in for a file that did not load; the program's own entry is.
  if (newest != nullptr && !broken_.contains(id)) return newest;
  const auto found = catalogue_.hardware(reference);
  return found ? *found : nullptr;
}

const Entry* Lint::model(std::string_view id) {
  const Entry* newest = nullptr;
  for (const LintedEntry& linted : entries_) {
    const Entry& entry = linted.entry;
    if (entry.kind != EntryKind::model || entry.id != id) continue;
    if (newest == nullptr || newest->version < entry.version) newest = &entry;
  }
  if (newest != nullptr || broken_.contains(id)) return newest;
  const Listing* const listed = catalogue_.listing(id);
  if (listed == nullptr || listed->kind != EntryKind::model) return nullptr;
  const auto found = catalogue_.load(*listed);
  return found ? *found : nullptr;
}

std::vector<const Entry*> Lint::others() {
  std::vector<const Entry*> entries;
  for (const Listing& listing : catalogue_.listings()) {
    if (ids_.contains(listing.id)) continue;
    if (const auto entry = catalogue_.load(listing))
      entries.push_back(&catalogue_.complete(**entry));
  }
  return entries;
}

// What a chip can do does not change with the version of its page: an older version without the
// attribute takes the newest one's.
const TextFact* Lint::sparsity_patterns(const Entry& entry) {
  constexpr std::string_view kName = "sparsity_patterns";
  if (const TextFact* own = entry.attribute(kName)) return own;
  if (entry.kind == EntryKind::model) return nullptr;
  for (const std::string& name :
       {entry.chip, entry.chip.substr(0, entry.chip.find('@')), entry.id}) {
    const Entry* other = name.empty() ? nullptr : hardware(name);
    if (other == nullptr) continue;
    if (const TextFact* fact = other->attribute(kName)) return fact;
  }
  return nullptr;
}

void Lint::load_sources_of(const Document& document) {
  if (!is_entry(schema_of(document))) {  // the faults of an entry are found with the entry
    std::vector<base::Diagnostic> faults;
    load_sources(document, faults);
    accept(std::move(faults));
  }
  const Value* list = document.root.find("sources");
  if (list == nullptr) return;
  for (const Member& member : list->members) {
    std::vector<base::Diagnostic> known;  // reported above
    const auto [row, added] =
        sources_.try_emplace(member.key, LintedSource{&document, &member, std::nullopt});
    if (added) {
      row->second.source = load_source(document, member, known);
    } else {
      findings_.push_back(
          finding("duplicate-source", "source " + base::printable(member.key) + " stands twice",
                  document.span(member),
                  "also at " + place_of(row->second.document->span(*row->second.member))));
    }
  }
}

void Lint::load_formats_of(const Document& document) {
  if (auto formats = StorageFormats::load(document); !formats) {
    accept({std::move(formats).error()});
  }
  lint_formats(document, findings_);
  const Value* list = document.root.find("formats");
  if (list == nullptr) return;
  for (const Member& member : list->members) {
    const Value* cited = member.value.find("source");
    if (cited == nullptr || cited->text.empty() || source(cited->text) != nullptr) continue;
    findings_.push_back(finding("reference", "no source has the id " + base::printable(cited->text),
                                document.span(*cited), "add it to sources.yaml"));
  }
}

void Lint::load_entry_of(const Document& document) {
  ids_.insert(text_of(document, "id"));
  std::vector<base::Diagnostic> faults;
  const bool addition = is_addition(document, catalogue_.listings());
  auto entry = read_entry(
      document, [this](std::string_view id) { return source(id); }, faults,
      addition ? Completeness::addition : Completeness::whole);
  if (addition && entry) {
    const auto own = catalogue_.hardware(entry->id);
    if (own) {
      if (auto repeated = check_repeated(document, **own); !repeated) {
        faults.push_back(std::move(repeated).error());
      }
    }
  }
  const bool faulty = !faults.empty();
  accept(std::move(faults));
  if (faulty) {
    broken_.insert(text_of(document, "id"));
    if (entry) faulty_.push_back({&document, std::move(*entry)});
    return;
  }
  if (!entry) return;
  entries_.push_back({&document, std::move(*entry)});
  const Entry& loaded = entries_.back().entry;
  const std::string_view stem = stem_of(document.file);
  if (!addition && stem != loaded.id && stem != loaded.id + "@" + loaded.version) {
    findings_.push_back(finding("file-name",
                                "the file of " + loaded.id + " is called " + base::printable(stem),
                                document.span(*document.root.find("id")),
                                loaded.id + ".yaml, or " + loaded.id + "@" + loaded.version +
                                    ".yaml for an older version"));
  }
}

void Lint::check_identities() {
  std::map<std::string, const LintedEntry*> seen;
  for (const LintedEntry& linted : entries_) {
    const std::string name = linted.entry.id + "@" + linted.entry.version;
    const auto [first, added] = seen.emplace(name, &linted);
    if (added) continue;
    findings_.push_back(finding("duplicate-entry", "two files hold " + name,
                                linted.document->span(*linted.document->root.find("id")),
                                "the other is " + first->second->document->file));
  }
}

void Lint::check_names() {
  // The id that owns each name; of an entry that has several versions, once.
  std::map<std::string, std::string> owners;
  for (const Entry* entry : others()) {
    for (const Name& name : names_of(entry->kind, entry->id, entry->aliases)) {
      if (name.rank == NameRank::own) owners.emplace(name.folded, entry->id);
    }
  }
  // Ids come before aliases, so that the fault stands at the alias which takes another's id.
  for (const LintedEntry& linted : entries_)
    owners.emplace(fold(linted.entry.id), linted.entry.id);
  for (const LintedEntry& linted : entries_) {
    const Value* aliases = linted.document->root.find("aliases");
    const auto claim = [&](std::string_view name, const Value& place) {
      const auto [owner, added] = owners.emplace(fold(name), linted.entry.id);
      if (added || owner->second == linted.entry.id) return;
      findings_.push_back(
          finding("name-clash", base::printable(name) + " is also a name of " + owner->second,
                  linted.document->span(place), "an id or alias belongs to one entry"));
    };
    claim(linted.entry.id, *linted.document->root.find("id"));
    if (aliases == nullptr) continue;
    for (const Value& alias : aliases->items)
      claim(alias.text, alias);
  }
}

void Lint::check_base(const LintedEntry& linted) {
  const std::string& id = linted.entry.variant_of;
  if (id.empty() || broken_.contains(id)) return;
  const Entry* const base = model(id);
  if (base != nullptr && base->variant_of.empty()) return;
  findings_.push_back(finding(
      "reference",
      base == nullptr ? "no card has the id " + base::printable(id)
                      : base::printable(id) + " is a variant itself, of " + base->variant_of,
      linted.document->span(*linted.document->root.find("variant_of")),
      "the id of the card that has the shape"));
}

void Lint::check_references() {
  std::set<std::string, std::less<>> groups{"*"};
  const auto add = [&groups](const Entry& entry) {
    groups.insert(entry.families.begin(), entry.families.end());
    for (const Name& name : names_of(entry.kind, entry.id, entry.aliases))
      groups.insert(name.folded);
  };
  for (const Entry* entry : others())
    add(*entry);
  for (const LintedEntry& linted : entries_)
    add(linted.entry);
  for (const LintedEntry& linted : entries_) {
    const Document& document = *linted.document;
    for (const auto& [key, part] :
         {std::pair("chip", &linted.entry.chip), std::pair("instance", &linted.entry.instance)}) {
      if (part->empty()) continue;
      const Entry* const found = hardware(*part);
      if (found == nullptr && ids_.contains(*part)) continue;  // its own faults are reported
      base::Result<const Entry*> named = found;
      if (found == nullptr) named = base::Diagnostic{};
      if (auto checked = check_part(document, key, named); !checked) {
        accept({std::move(checked).error()});
      }
    }
    check_base(linted);
    for (std::size_t i = 0; i < linted.entry.statements.size(); ++i) {
      for (const std::string& group : linted.entry.statements[i].applies_to) {
        if (groups.contains(group) || groups.contains(fold(group))) continue;
        const Value& item = document.root.find("statements")->items[i];
        findings_.push_back(finding(
            "unknown-group", "applies_to " + base::printable(group) + " is no family or device",
            document.span(*item.find("applies_to")), "a family or id of an entry, or `*`"));
      }
    }
  }
}

void Lint::check_sources(const LintAges& ages) {
  std::set<std::string, std::less<>> cited;
  for (const Document& document : documents_) {
    collect_cited(document.root, cited);
  }
  // What a file cites that is no YAML, nobody knows.
  const bool all_read = documents_.size() == files_.size();
  const auto unused = [&cited](const auto& row) { return !cited.contains(row.first); };
  if (std::any_of(sources_.begin(), sources_.end(), unused)) {
    for (const Entry* entry : others())
      cited.merge(cited_sources(*entry));
    for (const StorageFormat* format : catalogue_.formats().all())
      cited.insert(format->source);
  }
  for (const auto& [id, row] : sources_) {
    const bool by_program = row.member->value.find("cited_by") != nullptr;
    if (all_read && !by_program && !cited.contains(id)) {
      findings_.push_back(finding("unused-source", "nothing rests on source " + base::printable(id),
                                  row.document->span(*row.member)));
    }
    if (!row.source) continue;
    const auto checked = base::day_number(row.source->checked);
    const base::Span span = row.document->span(*row.member->value.find("checked"));
    if (!checked || *checked > latest_day(ages)) {
      findings_.push_back(finding("future-date",
                                  "source " + id + " was checked on " + row.source->checked +
                                      ", after " + base::date_of(latest_day(ages)),
                                  span, "the day on which it was read"));
    } else if (ages.most && ages.today - *checked > *ages.most) {
      findings_.push_back(
          finding("stale-source",
                  "source " + id + " was checked on " + row.source->checked + ", " +
                      std::to_string(ages.today - *checked) + " days ago",
                  span, "read it again; at most " + std::to_string(*ages.most) + " are allowed"));
    }
  }
}

// A clock that is behind the catalogue in the program is wrong.
std::int64_t Lint::latest_day(const LintAges& ages) const {
  constexpr std::size_t kDate = 10;
  const auto reviewed = base::day_number(catalogue_.version().substr(0, kDate));
  return std::max(ages.today, reviewed.value_or(ages.today));
}

void Lint::check_versions(const LintAges& ages) {
  for (const LintedEntry& linted : entries_) {
    const auto version = base::day_number(linted.entry.version);
    if (!version || *version <= latest_day(ages)) continue;
    findings_.push_back(finding("future-date",
                                linted.entry.id + " has the version " + linted.entry.version +
                                    ", after " + base::date_of(latest_day(ages)),
                                linted.document->span(*linted.document->root.find("version")),
                                "the day of the review"));
  }
}

void Lint::check(const LintAges& ages) {
  // Sources first, since every other file may cite them.
  for (const Document& document : documents_) {
    const std::string schema = schema_of(document);
    if (schema == "ullage/sources/1" || schema == "ullage/model/1") load_sources_of(document);
  }
  const StorageFormats& formats = catalogue_.formats();
  for (const Document& document : documents_) {
    const std::string schema = schema_of(document);
    if (schema == "ullage/formats/1") load_formats_of(document);
    if (is_entry(schema)) load_entry_of(document);
  }
  for (const std::vector<LintedEntry>* const list : {&entries_, &faulty_}) {
    for (const LintedEntry& linted : *list) {
      lint_entry(linted, formats, findings_);
      lint_rates(linted, sparsity_patterns(linted.entry), findings_);
      const bool addition = is_addition(*linted.document, catalogue_.listings());
      lint_partitions(linted, addition ? hardware(linted.entry.id) : nullptr, findings_);
    }
  }
  check_identities();
  check_names();
  check_references();
  check_versions(ages);
  check_sources(ages);
}

}  // namespace ullage::catalog
