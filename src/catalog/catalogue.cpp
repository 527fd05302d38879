// Finds names in sorted tables and decodes entries on demand.
#include "catalog/catalogue.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/sha256.hpp"
#include "base/spelling.hpp"
#include "catalog/catalogue_record.hpp"
#include "catalog/load.hpp"
#include "catalog/load_figures.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/variants.hpp"
#include "document/compact.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using base::Diagnostic;

bool is_hardware(EntryKind kind) {
  return kind != EntryKind::model;
}

// `id@version` taken apart; the version is empty where none is asked for.
std::pair<std::string_view, std::string_view> split_version(std::string_view name) {
  const auto at = name.rfind('@');
  if (at == std::string_view::npos) return {name, {}};
  return {name.substr(0, at), name.substr(at + 1)};
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

constexpr std::string_view kFormatsFile = "data/models/formats.yaml";
constexpr std::string_view kLabelsFile = "data/hardware/labels.yaml";

document::Value at_start_of_file(document::Type type) {
  document::Value value;
  value.type = type;
  value.line = 1;
  value.column = 1;
  return value;
}

// The first and only member of what is embedded alone.
document::Member decoded_member(std::string_view compact, const std::string& file) {
  document::Value value = decoded(compact, file);
  return std::move(value.members.front());
}

// `schema:` and a `sources:` without any.
document::Value empty_sources_file() {
  document::Value schema = at_start_of_file(document::Type::string);
  schema.text = "ullage/sources/1";
  document::Value root = at_start_of_file(document::Type::object);
  root.members.push_back({"schema", std::move(schema), 1, 1});
  root.members.push_back({"sources", at_start_of_file(document::Type::object), 1, 1});
  return root;
}

}  // namespace

Catalogue::Catalogue(const Embedded& embedded) : embedded_(embedded) {
  records_.resize(embedded.entries.size());
  for (std::size_t i = 0; i < embedded.entries.size(); ++i) {
    records_[i].embedded = &embedded.entries[i];
  }
  list_entries();
}

Catalogue::~Catalogue() = default;

Listing Catalogue::listing_of(const EmbeddedEntry& entry) const {
  return {.id = embedded_.text(entry.id),
          .version = embedded_.text(entry.version),
          .name = embedded_.text(entry.name),
          .vendor = embedded_.text(entry.vendor),
          .file = embedded_.text(entry.file),
          .status = embedded_.text(entry.status),
          .memory = embedded_.text(entry.memory),
          .chip = embedded_.text(entry.chip),
          .chips = embedded_.text(entry.chips),
          .kind = static_cast<EntryKind>(entry.kind),
          .current = false,
          .overlaid = false};
}

Listing Catalogue::listing_of(const Entry& entry) const {
  return {.id = entry.id,
          .version = entry.version,
          .name = entry.name,
          .vendor = entry.vendor,
          .file = entry.file,
          .status = entry.status.value,
          .memory = entry.memory_text,
          .chip = entry.chip,
          .chips = entry.chips_text,
          .kind = entry.kind,
          .current = false,
          .overlaid = entry.overlaid};
}

void Catalogue::list_entries() {
  listings_.clear();
  listings_.reserve(records_.size());
  for (const Record& record : records_) {
    listings_.push_back(record.entry ? listing_of(*record.entry) : listing_of(*record.embedded));
    // Versions of one id stand together, the newest first; what overlays add stands behind them.
    Listing& listing = listings_.back();
    listing.current = listings_.size() < 2 || listings_[listings_.size() - 2].id != listing.id;
    if (listings_.size() <= embedded_.entries.size()) continue;
    listing.current = true;
    for (std::size_t i = 0; i + 1 < listings_.size(); ++i) {
      Listing& other = listings_[i];
      if (other.id != listing.id || !other.current) continue;
      (other.version < listing.version ? other : listing).current = false;
    }
  }
}

std::string Catalogue::version() const {
  return std::string(embedded_.version) + (overlay_bytes_.empty() ? "" : "+overlay");
}

std::string Catalogue::digest() const {
  if (overlay_bytes_.empty()) return std::string(embedded_.digest);
  return base::sha256(std::string(embedded_.digest) + '\0' + overlay_bytes_);
}

const provenance::Source* Catalogue::source(std::string_view id) {
  if (const auto found = sources_.find(id); found != sources_.end()) return &found->second;
  const auto row = std::lower_bound(
      embedded_.sources.begin(), embedded_.sources.end(), id,
      [this](const EmbeddedSource& s, std::string_view key) { return embedded_.text(s.id) < key; });
  if (row == embedded_.sources.end() || embedded_.text(row->id) != id) return nullptr;
  const std::string file(embedded_.text(row->file));
  std::vector<Diagnostic> faults;
  const document::Member member = decoded_member(embedded_.text(row->compact), file);
  auto source = load_source({file, {}}, member, faults);
  base::require(source.has_value(), "an embedded source cannot be loaded");
  return &sources_.emplace(std::string(id), std::move(*source)).first->second;
}

base::Result<void> Catalogue::adopt(const Entry& card) {
  for (const provenance::Source& own : card.sources) {
    const provenance::Source* const known = source(own.id);
    if (known == nullptr) {
      sources_.emplace(own.id, own);
    } else if (known->revision != own.revision || known->title != own.title) {
      return Diagnostic{.code = base::Code::duplicate_key,
                        .message = "the card's source " + base::printable(own.id) +
                                   " has the id of another one, " + base::printable(known->title),
                        .span = {card.file, 0, 0},
                        .hint = "give it an id of its own",
                        .notes = {}};
    }
  }
  return {};
}

std::vector<std::string> Catalogue::source_ids() const {
  std::set<std::string> ids;
  for (const EmbeddedSource& source : embedded_.sources)
    ids.emplace(embedded_.text(source.id));
  for (const auto& [id, source] : sources_)
    ids.insert(id);
  return {ids.begin(), ids.end()};
}

const StorageFormats& Catalogue::formats() {
  if (formats_) return *formats_;
  const std::string file(kFormatsFile);
  FormatParts parts;
  for (const EmbeddedFormat& format : embedded_.formats)
    parts.names.push_back(embedded_.text(format.name));
  parts.index_of = [this](std::string_view folded) -> std::optional<std::size_t> {
    const auto row =
        std::lower_bound(embedded_.format_names.begin(), embedded_.format_names.end(), folded,
                         [this](const EmbeddedFormatName& n, std::string_view key) {
                           return embedded_.text(n.name) < key;
                         });
    if (row == embedded_.format_names.end() || embedded_.text(row->name) != folded) {
      return std::nullopt;
    }
    return row->format;
  };
  parts.format = [this, file](std::size_t i) {
    return document::Document{file, decoded(embedded_.text(embedded_.formats[i].compact), file)};
  };
  parts.rest = [this, file] {
    return document::Document{file, decoded(embedded_.text(embedded_.formats_rest), file)};
  };
  formats_ = std::make_unique<StorageFormats>(StorageFormats::on_demand(std::move(parts)));
  return *formats_;
}

const DeviceLabels& Catalogue::labels() {
  if (labels_) return *labels_;
  const std::string file(kLabelsFile);
  auto labels = DeviceLabels::load({file, decoded(embedded_.text(embedded_.labels), file)});
  base::require(labels.ok(), "the embedded table of device labels cannot be loaded");
  labels_ = std::make_unique<DeviceLabels>(std::move(*labels));
  return *labels_;
}

std::vector<document::Document> Catalogue::documents() const {
  std::map<std::string, document::Value> files;
  for (const EmbeddedEntry& entry : embedded_.entries) {
    const std::string file(embedded_.text(entry.file));
    document::Value& root = files[file] = decoded(embedded_.text(entry.compact), file);
    for (document::Member& member : root.members) {
      if (member.key != "figures") continue;
      for (const EmbeddedFigure& figure : figures_of(entry)) {
        member.value.members.push_back(decoded_member(embedded_.text(figure.compact), file));
      }
    }
    for (const Slice section : {entry.partitions, entry.software}) {
      if (section.length > 0) root.members.push_back(decoded_member(embedded_.text(section), file));
    }
  }
  const std::string formats_file(kFormatsFile);
  document::Value& formats = files[formats_file] =
      decoded(embedded_.text(embedded_.formats_rest), formats_file);
  for (document::Member& member : formats.members) {
    if (member.key != "formats") continue;
    for (const EmbeddedFormat& format : embedded_.formats) {
      const document::Value table = decoded(embedded_.text(format.compact), formats_file);
      member.value.members.push_back(table.find("formats")->members.front());
    }
  }
  files.emplace(kLabelsFile, decoded(embedded_.text(embedded_.labels), std::string(kLabelsFile)));
  for (const EmbeddedSource& source : embedded_.sources) {
    const std::string file(embedded_.text(source.file));
    document::Value& root = files[file];
    if (root.members.empty()) root = empty_sources_file();
    root.members.back().value.members.push_back(
        decoded_member(embedded_.text(source.compact), file));
  }
  std::vector<document::Document> documents;
  for (auto& [file, root] : files)
    documents.push_back({file, std::move(root)});
  return documents;
}

std::span<const EmbeddedFigure> Catalogue::figures_of(const EmbeddedEntry& entry) const {
  return embedded_.figures.subspan(entry.first_figure, entry.figure_count);
}

// Names the entry's figures; each is decoded when it is asked for.
void Catalogue::defer_figures(const EmbeddedEntry& embedded, Entry& entry) {
  const std::span<const EmbeddedFigure> figures = figures_of(embedded);
  std::vector<std::string_view> names;
  names.reserve(figures.size());
  for (const EmbeddedFigure& figure : figures)
    names.push_back(embedded_.text(figure.name));
  entry.figures.defer(names, [this, figures, kind = entry.kind, file = entry.file](std::size_t i) {
    const document::Member member = decoded_member(embedded_.text(figures[i].compact), file);
    std::vector<Diagnostic> faults;
    const FigureTable table = kind == EntryKind::model ? FigureTable::model : FigureTable::hardware;
    auto fact = load_figure(
        {file, {}}, member, "figures", table, kind,
        [this](std::string_view id) { return source(id); }, faults);
    base::require(fact && faults.empty(), "an embedded figure cannot be loaded: " + file);
    return std::move(*fact);
  });
}

base::Result<const Entry*> Catalogue::load(std::size_t index) {
  Record& record = records_[index];
  if (record.entry) return &*record.entry;
  const std::string file(embedded_.text(record.embedded->file));
  ULLAGE_TRY(document::Value value,
             document::decode(embedded_.text(record.embedded->compact), file));
  std::vector<Diagnostic> faults;
  auto entry = load_entry(
      {file, std::move(value)}, [this](std::string_view id) { return source(id); }, faults,
      Completeness::without_figures);
  base::require(entry.has_value(), "an embedded entry cannot be loaded: " + file);
  defer_figures(*record.embedded, *entry);
  ULLAGE_CHECK(adopt(*entry));
  ULLAGE_CHECK(complete_variant(*entry));
  record.entry = std::make_unique<Entry>(std::move(*entry));
  return &*record.entry;
}

const Listing* Catalogue::listing(std::string_view id) const {
  const auto [name, version] = split_version(id);
  for (const Listing& candidate : listings_) {
    if (candidate.id != name) continue;
    if (version.empty() ? candidate.current : candidate.version == version) return &candidate;
  }
  return nullptr;
}

base::Result<const Entry*> Catalogue::load(const Listing& listing) {
  return load(static_cast<std::size_t>(&listing - listings_.data()));
}

std::string_view Catalogue::raw(const Entry& entry) const {
  const std::size_t index = record_of(entry);
  if (index == kNowhere) return {};
  const Record& record = records_[index];
  return record.embedded != nullptr ? embedded_.text(record.embedded->raw) : record.raw;
}

bool Catalogue::wanted(std::size_t index, bool hardware, bool models) const {
  return is_hardware(listings_[index].kind) ? hardware : models;
}

base::Result<const Entry*> Catalogue::resolve(std::string_view name, bool hardware, bool models,
                                              bool chips) {
  if (const auto colon = name.find(':'); hardware && colon != std::string_view::npos) {
    // What only looks like a partition may be a model.
    if (!models || resolve(name.substr(0, colon), true, false, true).ok()) {
      return resolve_partition(name.substr(0, colon), name.substr(colon + 1));
    }
  }
  const auto [word, version] = split_version(name);
  if (name.ends_with('@')) {
    return Diagnostic{.code = Code::unknown_name,
                      .message = base::printable(name) + " has an empty version",
                      .span = {},
                      .hint = "ID@VERSION, or the name alone for the newest",
                      .notes = {}};
  }
  const std::string folded = fold(word);
  // The ids that the name means, own names before derived ones.
  std::vector<std::pair<std::size_t, NameRank>> found;
  const auto first = std::lower_bound(
      embedded_.names.begin(), embedded_.names.end(), folded,
      [this](const EmbeddedName& n, std::string_view key) { return embedded_.text(n.name) < key; });
  for (auto row = first; row != embedded_.names.end() && embedded_.text(row->name) == folded;
       ++row) {
    found.emplace_back(row->entry, static_cast<NameRank>(row->rank));
  }
  const auto [begin, end] = overlay_names_.equal_range(folded);
  for (auto row = begin; row != end; ++row)
    found.emplace_back(row->second.entry, row->second.rank);
  std::erase_if(found, [&](const auto& hit) { return !wanted(hit.first, hardware, models); });
  const auto is_chip = [this](const auto& hit) {
    return listings_[hit.first].kind == EntryKind::chip;
  };
  if (chips && std::any_of(found.begin(), found.end(), is_chip)) {
    std::erase_if(found, [&](const auto& hit) { return !is_chip(hit); });
  }
  const bool own = std::any_of(found.begin(), found.end(),
                               [](const auto& hit) { return hit.second == NameRank::own; });
  if (own) std::erase_if(found, [](const auto& hit) { return hit.second != NameRank::own; });
  // An id is its entry's, whoever else is called so.
  const auto is_id = [&](const auto& hit) { return listings_[hit.first].id == folded; };
  if (std::any_of(found.begin(), found.end(), is_id)) {
    std::erase_if(found, [&](const auto& hit) { return !is_id(hit); });
  }
  std::set<std::string> ids;
  for (const auto& hit : found)
    ids.emplace(listings_[hit.first].id);
  if (ids.empty()) return unresolved(name, hardware, models);
  if (ids.size() > 1) {
    return Diagnostic{
        .code = Code::ambiguous_name,
        .message = base::printable(word) + " could mean " + list_of({ids.begin(), ids.end()}),
        .span = {},
        .hint = "name one of them",
        .notes = {}};
  }
  std::vector<std::string> versions;
  for (std::size_t i = 0; i < listings_.size(); ++i) {
    if (listings_[i].id != *ids.begin()) continue;
    if (version.empty() ? listings_[i].current : version == listings_[i].version) return load(i);
    versions.emplace_back(listings_[i].version);
  }
  return Diagnostic{.code = Code::unknown_name,
                    .message = *ids.begin() + " has no version " + base::printable(version),
                    .span = {},
                    .hint = "there is " + list_of(versions),
                    .notes = {}};
}

Diagnostic Catalogue::unresolved(std::string_view name, bool hardware, bool models) const {
  const std::string folded = fold(split_version(name).first);
  std::set<std::string> within;
  std::vector<std::string_view> names;
  const auto consider = [&](std::string_view candidate, std::string_view spelled,
                            std::size_t index) {
    if (!wanted(index, hardware, models)) return;
    names.push_back(spelled);
    if (parts_within(folded, candidate)) within.emplace(listings_[index].id);
  };
  for (const EmbeddedName& row : embedded_.names) {
    consider(embedded_.text(row.name), embedded_.text(row.spelled), row.entry);
  }
  for (const auto& [candidate, hit] : overlay_names_) {
    consider(candidate, hit.spelled, hit.entry);
  }
  const std::string what = models ? (hardware ? "device or model" : "model") : "device";
  if (within.size() > 1 && within.size() <= 12) {
    return {
        .code = Code::ambiguous_name,
        .message = base::printable(name) + " could mean " + list_of({within.begin(), within.end()}),
        .span = {},
        .hint = "name one of them",
        .notes = {}};
  }
  std::vector<std::string> suggestions(within.begin(), within.end());
  if (suggestions.size() != 1) suggestions = base::nearest(folded, names, 4);
  return {.code = Code::unknown_name,
          .message = "unknown " + what + " " + base::printable(name),
          .span = {},
          .hint = suggestions.empty()
                      ? std::string(models && hardware
                                        ? "`ullage list hardware` and `ullage list models` show"
                                    : models ? "`ullage list models` shows"
                                             : "`ullage list hardware` shows") +
                            " what there is"
                      : base::did_you_mean(suggestions),
          .notes = {}};
}

base::Result<const Entry*> Catalogue::hardware(std::string_view name) {
  return resolve(name, true, false);
}
base::Result<const Entry*> Catalogue::model(std::string_view name) {
  return resolve(name, false, true);
}
base::Result<const Entry*> Catalogue::any(std::string_view name) {
  return resolve(name, true, true);
}

}  // namespace ullage::catalog
