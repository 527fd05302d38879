// Folders of the user over the catalogue: whole entries, additions, sources and tables.
#include <algorithm>
#include <map>
#include <optional>

#include "base/spelling.hpp"
#include "catalog/catalogue_record.hpp"
#include "catalog/load.hpp"
#include "catalog/overlay.hpp"
#include "document/read.hpp"

namespace ullage::catalog {

using base::Code;
using base::Diagnostic;
using document::Document;
using document::Value;

namespace {

Diagnostic fault_at(Code code, std::string message, base::Span span, std::string hint) {
  return {.code = code,
          .severity = base::Severity::error,
          .message = std::move(message),
          .span = std::move(span),
          .hint = std::move(hint),
          .notes = {}};
}

std::string text_of(const Document& document, std::string_view key) {
  const Value* value = document.root.find(key);
  return value != nullptr ? value->text : std::string();
}

base::Span span_of(const Document& document, std::string_view key) {
  const Value* value = document.root.find(key);
  return document.span(value != nullptr ? *value : document.root);
}

std::string place_of(const base::Span& span) {
  return span.file + ":" + std::to_string(span.line);
}

bool same(const provenance::Source& a, const provenance::Source& b) {
  return a.title == b.title && a.publisher == b.publisher && a.url == b.url &&
         a.revision == b.revision && a.checked == b.checked && a.tier == b.tier && a.note == b.note;
}

}  // namespace

bool is_addition(const Document& document, const std::vector<Listing>& listings) {
  if (document.root.find("vendor") != nullptr || document.root.find("status") != nullptr) {
    return false;
  }
  const std::string id = text_of(document, "id");
  return std::any_of(listings.begin(), listings.end(),
                     [&](const Listing& listing) { return listing.id == id; });
}

base::Result<void> check_repeated(const Document& document, const Entry& entry) {
  for (const auto& [key, own] :
       {std::pair<std::string_view, std::string_view>("kind", name_of(entry.kind)),
        std::pair<std::string_view, std::string_view>("name", entry.name)}) {
    const std::string given = text_of(document, key);
    if (given.empty() || given == own) continue;
    return fault_at(Code::conflict,
                    std::string(key) + " is " + base::printable(given) + ", but " + entry.id +
                        " has " + base::printable(own),
                    span_of(document, key),
                    "what only adds to an entry does not change it; leave the key out");
  }
  return {};
}

base::Result<void> check_part(const Document& document, std::string_view key,
                              const base::Result<const Entry*>& part) {
  const EntryKind wanted = key == "chip" ? EntryKind::chip : EntryKind::instance;
  const std::string named = base::printable(text_of(document, key));
  const std::string hint = "the id of an entry of kind " + std::string(name_of(wanted));
  if (!part) {
    return fault_at(Code::reference, "no " + std::string(key) + " is called " + named,
                    span_of(document, key), hint);
  }
  const Entry& entry = **part;
  // A slice is a system by its kind, and a partition all the same.
  const bool partition = !entry.partition_kind.empty();
  if (entry.kind == wanted && !partition) return {};
  const std::string_view kind = partition ? "partition" : name_of(entry.kind);
  return fault_at(Code::reference,
                  std::string(key) + " is " + named + ", which is " +
                      (kind == "instance" ? "an " : "a ") + std::string(kind),
                  span_of(document, key), hint);
}

// What one folder says, file by file.
class Catalogue::Record::Folder {
 public:
  explicit Folder(Catalogue& catalogue)
      : catalogue_(catalogue), before_(catalogue.overlay_changes_.size()) {}

  base::Result<void> add_sources(const Document& document);
  base::Result<void> add_table(const Document& document);
  base::Result<void> add_whole(const Document& document, const std::string& text);
  base::Result<void> add_to(const Document& document, const std::string& text);
  base::Result<void> check_parts(const Document& document);
  // In place of the record at `index`, or as a further one.
  void put(std::optional<std::size_t> index, Entry entry, const std::string& text);
  SourceLookup lookup() {
    return [this](std::string_view id) { return catalogue_.source(id); };
  }
  // Whether anything differs from the catalogue.
  bool changes() const { return new_sources_ || catalogue_.overlay_changes_.size() > before_; }

 private:
  base::Result<std::size_t> version_to_add_to(const Entry& addition, const Document& document);
  void put_names(std::size_t index);

  Catalogue& catalogue_;
  std::map<std::string, std::string> sources_;   // id: where it stands
  std::map<std::string, std::string> versions_;  // `id@version`: the file that holds it whole
  bool new_sources_ = false;
  std::size_t before_;  // changes of earlier folders
};

base::Result<void> Catalogue::overlay(const base::FileSystem& files, const std::string& folder) {
  ULLAGE_TRY(const std::vector<OverlayFile> found, read_overlay(files, folder));
  std::vector<std::pair<Document, const OverlayFile*>> entries;
  Record::Folder seen(*this);
  for (const OverlayFile& file : found) {
    ULLAGE_TRY(Document document, document::read_yaml(file.text, file.path));
    const std::string schema = schema_of(document);
    if (schema == "ullage/sources/1") {
      ULLAGE_CHECK(seen.add_sources(document));
    } else if (schema == "ullage/formats/1" || schema == "ullage/labels/1") {
      ULLAGE_CHECK(seen.add_table(document));
    } else {
      entries.emplace_back(std::move(document), &file);
    }
  }
  // Cards before their variants, whatever their files are called.
  std::stable_partition(entries.begin(), entries.end(), [](const auto& entry) {
    return entry.first.root.find("variant_of") == nullptr;
  });
  // Whole entries first: what adds to them may stand in the same folder.
  std::vector<std::pair<const Document*, const OverlayFile*>> additions;
  for (const auto& [document, file] : entries) {
    if (is_addition(document, listings_)) {
      additions.emplace_back(&document, file);
    } else {
      ULLAGE_CHECK(seen.add_whole(document, file->text));
    }
  }
  for (const auto& [document, file] : additions)
    ULLAGE_CHECK(seen.add_to(*document, file->text));
  for (const auto& [document, file] : entries)
    ULLAGE_CHECK(seen.check_parts(document));
  if (!seen.changes()) return {};
  for (const OverlayFile& file : found)
    overlay_bytes_ += file.path + '\0' + file.text + '\0';
  return {};
}

base::Result<void> Catalogue::Record::Folder::add_sources(const Document& document) {
  std::vector<Diagnostic> faults;
  auto list = load_sources(document, faults);
  if (!list) return faults.front();
  for (provenance::Source& source : *list) {
    const Value& own = *document.root.find("sources")->find(source.id);
    const auto [first, added] = sources_.emplace(source.id, place_of(document.span(own)));
    if (!added) {
      return fault_at(Code::duplicate_key, "source " + base::printable(source.id) + " stands twice",
                      document.span(own), "also at " + first->second);
    }
    const provenance::Source* const known = catalogue_.source(source.id);
    if (known != nullptr && same(*known, source)) continue;
    new_sources_ = true;
    if (known != nullptr) {
      catalogue_.overlay_changes_.push_back("source " + source.id + " is replaced by " +
                                            document.file);
    }
    catalogue_.sources_.insert_or_assign(source.id, std::move(source));
  }
  return {};
}

// A table that differs from the program's is read instead of it.
base::Result<void> Catalogue::Record::Folder::add_table(const Document& document) {
  const std::string schema = schema_of(document);
  for (const Document& own : catalogue_.documents()) {
    if (schema_of(own) == schema && document::same_content(own.root, document.root)) return {};
  }
  const bool formats = schema == "ullage/formats/1";
  if (formats) {
    ULLAGE_TRY(StorageFormats table, StorageFormats::load(document));
    catalogue_.formats_ = std::make_unique<StorageFormats>(std::move(table));
  } else {
    ULLAGE_TRY(DeviceLabels table, DeviceLabels::load(document));
    catalogue_.labels_ = std::make_unique<DeviceLabels>(std::move(table));
  }
  catalogue_.overlay_changes_.push_back(std::string(formats ? "storage formats" : "device labels") +
                                        " are those of " + document.file +
                                        ", instead of the program's");
  return {};
}

void Catalogue::Record::Folder::put_names(std::size_t index) {
  const Entry& named = *catalogue_.records_[index].entry;
  for (const Name& name : names_of(named.kind, named.id, named.aliases)) {
    catalogue_.overlay_names_.emplace(name.folded, OverlayName{name.spelled, index, name.rank});
  }
}

void Catalogue::Record::Folder::put(std::optional<std::size_t> index, Entry given,
                                    const std::string& text) {
  given.overlaid = true;
  given.memory_text = memory_text_of(given);
  given.chips_text = chips_text_of(given);
  if (!index) {
    index = catalogue_.records_.size();
    catalogue_.records_.emplace_back();
  }
  Record& record = catalogue_.records_[*index];
  if (record.entry) {
    *record.entry = std::move(given);  // in place: others point at it
  } else {
    record.entry = std::make_unique<Entry>(std::move(given));
  }
  record.embedded = nullptr;
  record.raw = text;
  record.has_partitions = true;
  record.has_software = true;
  catalogue_.list_entries();
  put_names(*index);
}

base::Result<void> Catalogue::Record::Folder::add_whole(const Document& document,
                                                        const std::string& text) {
  const std::string name = text_of(document, "id") + "@" + text_of(document, "version");
  const auto [first, added] = versions_.emplace(name, document.file);
  if (!added) {
    return fault_at(Code::duplicate_key, "two files hold " + base::printable(name),
                    span_of(document, "id"), "the other is " + first->second);
  }
  return catalogue_.overlay_document(document, text);
}

// A whole entry: in place of the version that it names, or beside the others.
base::Result<void> Catalogue::overlay_document(const Document& document, const std::string& text) {
  const std::string name = text_of(document, "id") + "@" + text_of(document, "version");
  std::optional<std::size_t> index;
  if (const Listing* const before = listing(name)) {
    index = static_cast<std::size_t>(before - listings_.data());
    const EmbeddedEntry* const embedded = records_[*index].embedded;
    if (embedded != nullptr && embedded_.text(embedded->raw) == text) return {};
  }
  Record::Folder folder(*this);
  std::vector<Diagnostic> faults;
  auto entry = load_entry(document, folder.lookup(), faults);
  if (!entry) return faults.front();
  ULLAGE_CHECK(adopt(*entry));
  ULLAGE_CHECK(complete_variant(*entry));
  const Listing* const known = listing(entry->id);
  if (known != nullptr && known->kind != entry->kind) {
    return fault_at(Code::reference,
                    "kind is " + std::string(name_of(entry->kind)) + ", but the catalogue has a " +
                        std::string(name_of(known->kind)) + " of this id",
                    span_of(document, entry->kind == EntryKind::model ? "schema" : "kind"),
                    "an id of its own");
  }
  overlay_changes_.push_back((known == nullptr ? entry->id : name) +
                             (index ? " is replaced by " : " is added by ") + document.file);
  folder.put(index, std::move(*entry), text);
  return {};
}

// The version that the addition names, else the last one before it.
base::Result<std::size_t> Catalogue::Record::Folder::version_to_add_to(const Entry& addition,
                                                                       const Document& document) {
  std::optional<std::size_t> best;
  std::string versions;
  const std::vector<Listing>& listings = catalogue_.listings_;
  for (std::size_t i = 0; i < listings.size(); ++i) {
    if (listings[i].id != addition.id) continue;
    versions += (versions.empty() ? "" : ", ") + std::string(listings[i].version);
    if (listings[i].version > addition.version) continue;
    if (!best || listings[*best].version < listings[i].version) best = i;
  }
  if (best) return *best;
  return fault_at(Code::reference,
                  addition.id + " has no version of " + addition.version + " or before to add to",
                  span_of(document, "version"),
                  "there is " + versions + "; a whole entry is a version of its own");
}

base::Result<void> Catalogue::Record::Folder::add_to(const Document& document,
                                                     const std::string& text) {
  std::vector<Diagnostic> faults;
  auto addition = load_entry(document, lookup(), faults, Completeness::addition);
  if (!addition) return faults.front();
  ULLAGE_CHECK(catalogue_.adopt(*addition));
  ULLAGE_TRY(const std::size_t index, version_to_add_to(*addition, document));
  ULLAGE_TRY(const Entry* const before, catalogue_.load(index));
  ULLAGE_CHECK(check_repeated(document, *before));
  ULLAGE_CHECK(check_addition(catalogue_.complete(*before), *addition, document.file));
  Entry merged = with_addition(*before, *addition, catalogue_.overlay_changes_);
  if (before->version != addition->version) {
    merged.version = addition->version;
    for (Entry& partition : merged.partitions)
      partition.version = addition->version;
    put(std::nullopt, std::move(merged), text);
    return {};
  }
  const std::string written(catalogue_.raw(*before));
  put(index, std::move(merged), written);
  return {};
}

// What an entry consists of is a chip, and an instance.
base::Result<void> Catalogue::Record::Folder::check_parts(const Document& document) {
  for (const std::string_view key : {"chip", "instance"}) {
    const std::string part = text_of(document, key);
    if (!part.empty()) ULLAGE_CHECK(check_part(document, key, catalogue_.hardware(part)));
  }
  return {};
}

}  // namespace ullage::catalog
