// Partitions and software of chips, loaded when somebody asks.
#include <algorithm>

#include "base/spelling.hpp"
#include "catalog/catalogue_record.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/variants.hpp"
#include "document/compact.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using base::Diagnostic;

// Names beyond this are counted, not listed: some chips have a hundred slices.
constexpr std::size_t kListedPartitions = 12;

std::string joined(const std::vector<PartitionListing>& partitions, const std::string& chip) {
  std::string text;
  const std::size_t shown = std::min(partitions.size(), kListedPartitions);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i > 0 ? ", " : "") + std::string(partitions[i].name);
  if (partitions.size() == shown) return text;
  return text + " and " + std::to_string(partitions.size() - shown) +
         " more (`ullage list partitions --of " + chip + "`)";
}

Diagnostic no_partition(const Entry& entry, std::string_view asked,
                        const std::vector<PartitionListing>& partitions) {
  Diagnostic fault{.code = Code::unknown_name,
                   .message = entry.id + " has no partition " + base::printable(asked),
                   .span = {},
                   .hint = {},
                   .notes = {}};
  if (holds_chips(entry.kind)) {
    fault.message = entry.id + " is no chip, and partitions are those of a chip";
    fault.hint = "name its chip: " + entry.chip + ":" + std::string(asked);
    return fault;
  }
  if (partitions.empty()) {
    fault.hint = "no source that was read names partitions of it";
    return fault;
  }
  std::vector<std::string_view> names;
  for (const PartitionListing& partition : partitions)
    names.push_back(partition.name);
  const auto close = base::nearest(fold_partition(asked), names, 3);
  fault.hint = base::did_you_mean(close);
  fault.hint += (close.empty() ? "it has " : " It has ") + joined(partitions, entry.id);
  return fault;
}

Diagnostic no_base(const Entry& card, std::string message) {
  return {.code = Code::reference,
          .message = "variant_of: " + std::move(message),
          .span = {card.file, 0, 0},
          .hint = "`variant_of` names the card that has the shape, by its id",
          .notes = {}};
}

std::string_view take_field(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

}  // namespace

document::Value decoded(std::string_view compact, const std::string& file) {
  auto value = document::decode(compact, file);
  base::require(value.ok(), "what is embedded of " + file + " cannot be decoded");
  return std::move(*value);
}

std::size_t Catalogue::record_of(const Entry& entry) const {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (!records_[i].entry) continue;
    const Entry& known = *records_[i].entry;
    if (&known == &entry) return i;
    const Entry* const first = known.partitions.data();
    if (std::less_equal<>()(first, &entry) &&
        std::less<>()(&entry, first + known.partitions.size())) {
      return i;
    }
  }
  return kNowhere;
}

std::vector<PartitionListing> Catalogue::partitions(const Listing& chip) const {
  std::vector<PartitionListing> found;
  const Record& record = records_[static_cast<std::size_t>(&chip - listings_.data())];
  if (record.entry && record.has_partitions) return partitions(*record.entry);
  std::string_view lines = embedded_.text(record.embedded->partition_list);
  while (!lines.empty()) {
    std::string_view line = take_field(lines, '\n');
    const std::string_view name = take_field(line, '\t');
    const std::string_view kind = take_field(line, '\t');
    const std::string_view memory = take_field(line, '\t');
    found.push_back({name, kind, memory, line});
  }
  return found;
}

std::vector<PartitionListing> Catalogue::partitions(const Entry& chip) const {
  const std::size_t index = record_of(chip);
  if (index != kNowhere && !records_[index].has_partitions) return partitions(listings_[index]);
  std::vector<PartitionListing> found;
  for (const Entry& partition : chip.partitions) {
    const auto written = [&partition](std::string_view name) -> std::string_view {
      const FigureFact* fact = partition.figure(name);
      if (fact == nullptr || !fact->known()) return {};
      return fact->claims.front().written;
    };
    found.push_back({partition_name(partition), partition.partition_kind,
                     written("memory_capacity"), written("chips")});
  }
  return found;
}

void Catalogue::load_partitions_of(std::size_t index) {
  Record& record = records_[index];
  if (record.has_partitions) return;
  record.has_partitions = true;
  const std::string_view compact = embedded_.text(record.embedded->partitions);
  if (compact.empty()) return;
  Entry& chip = *record.entry;
  std::vector<Diagnostic> faults;
  const document::Document document{chip.file, decoded(compact, chip.file)};
  load_partitions(
      document, document.root.members.front().value,
      [this](std::string_view id) { return source(id); }, Completeness::whole, chip, faults);
  base::require(faults.empty(), "embedded partitions cannot be loaded: " + chip.file);
  if (listings_[index].current) return;
  for (Entry& partition : chip.partitions) {
    if (!partition.chip.empty()) partition.chip += "@" + chip.version;
  }
}

void Catalogue::load_software_of(std::size_t index) {
  Record& record = records_[index];
  if (record.has_software) return;
  record.has_software = true;
  const std::string_view compact = embedded_.text(record.embedded->software);
  if (compact.empty()) return;
  Entry& chip = *record.entry;
  std::vector<Diagnostic> faults;
  const document::Document document{chip.file, decoded(compact, chip.file)};
  load_software(
      document, document.root.members.front().value,
      [this](std::string_view id) { return source(id); }, chip, faults);
  base::require(faults.empty(), "embedded software facts cannot be loaded: " + chip.file);
}

const Entry& Catalogue::complete(const Entry& entry) {
  const std::size_t index = record_of(entry);
  if (index == kNowhere || &*records_[index].entry != &entry) return entry;
  load_partitions_of(index);
  load_software_of(index);
  return entry;
}

const std::vector<Software>& Catalogue::software(const Entry& device) {
  if (!device.chip.empty()) {
    static const std::vector<Software> kNone;
    const auto chip = hardware(device.chip);
    return chip ? software(**chip) : kNone;
  }
  const std::size_t index = record_of(device);
  if (index == kNowhere) return device.software;
  load_software_of(index);
  return records_[index].entry->software;
}

base::Result<void> Catalogue::complete_variant(Entry& card) {
  if (card.variant_of.empty()) return {};
  const Listing* const listed = listing(card.variant_of);
  if (listed == nullptr || listed->kind != EntryKind::model) {
    return no_base(card, "no card has the id " + base::printable(card.variant_of));
  }
  ULLAGE_TRY(const Entry* const base, load(*listed));
  if (!base->variant_of.empty()) {
    return no_base(card, base->id + " is a variant itself, of " + base->variant_of);
  }
  inherit(*base, card);
  return {};
}

base::Result<const Entry*> Catalogue::resolve_partition(std::string_view chip,
                                                        std::string_view partition) {
  std::string device(chip);
  if (const auto at = partition.rfind('@'); at != std::string_view::npos) {
    device += partition.substr(at);
    partition = partition.substr(0, at);
  }
  ULLAGE_TRY(const Entry* const entry, resolve(device, true, false, true));
  const std::size_t index = record_of(*entry);
  const std::string folded = fold_partition(partition);
  if (index != kNowhere && entry->kind == EntryKind::chip) {
    load_partitions_of(index);
    for (const Entry& candidate : records_[index].entry->partitions) {
      const auto& aliases = candidate.aliases;
      if (partition_name(candidate) == folded ||
          std::find(aliases.begin(), aliases.end(), folded) != aliases.end()) {
        return &candidate;
      }
    }
  }
  return no_partition(*entry, partition, partitions(*entry));
}

}  // namespace ullage::catalog
