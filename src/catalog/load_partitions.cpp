// A partition is read as an entry of its own below the name of its chip.
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "catalog/fields.hpp"
#include "catalog/load_figures.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/load_words.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;

constexpr std::array<std::string_view, 3> kKinds{"mig", "logical-core", "slice"};

// A slice consists of chips; any other partition is a share of one.
bool is_slice(const Entry& partition) {
  return partition.kind == EntryKind::system;
}

bool is_partition_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

void load_kind(Fields& fields, Completeness completeness, const Entry& chip, Entry& partition) {
  partition.partition_kind = completeness == Completeness::whole ? fields.required_text("kind")
                                                                 : fields.optional_text("kind");
  const bool known =
      std::find(kKinds.begin(), kKinds.end(), partition.partition_kind) != kKinds.end();
  if (!partition.partition_kind.empty() && !known) {
    fields.fault(Code::out_of_range,
                 "unknown kind of partition " + base::printable(partition.partition_kind),
                 fields.find("kind"), "mig, logical-core or slice");
  }
  if (partition.partition_kind == "slice") {
    partition.kind = EntryKind::system;
    partition.chip = chip.id;
  } else {
    partition.kind = EntryKind::partition;
    partition.part_of = chip.id;
  }
}

void require_figures(Fields& fields, const Entry& partition) {
  const auto need = [&](std::string_view name, const std::string& why) {
    if (partition.figure(name) != nullptr) return;
    fields.fault(Code::missing_key,
                 fields.path_of("figures." + std::string(name)) + " is missing: " + why, nullptr,
                 "`unknown:` with a reason where nobody publishes it");
  };
  if (is_slice(partition)) {
    need("chips", "how many chips the slice has");
  } else {
    need("memory_capacity", "the memory of one partition");
    need("partitions_per_chip", "how many of them one chip takes");
  }
}

Entry load_partition(Fields fields, const std::string& name, const SourceLookup& source,
                     Completeness completeness, const Entry& chip) {
  Entry partition;
  fields.allow_only({"kind", "name", "aliases", "figures", "attributes", "statements", "note"});
  load_kind(fields, completeness, chip, partition);
  partition.id = chip.id + ":" + name;
  partition.name = fields.optional_text("name");
  if (partition.name.empty()) partition.name = chip.name + ", " + name;
  partition.vendor = chip.vendor;
  partition.version = chip.version;
  partition.status = chip.status;
  partition.families = chip.families;
  partition.aliases = fields.text_list("aliases");
  partition.file = chip.file;
  if (const Value* figures = fields.find("figures")) {
    partition.figures =
        load_figures(fields.document(), *figures, fields.path_of("figures"), FigureTable::hardware,
                     partition.kind, source, fields.faults());
  }
  if (completeness == Completeness::whole && fields.valid()) require_figures(fields, partition);
  partition.attributes = load_attributes(fields, source);
  partition.statements = load_statements(fields, source);
  return partition;
}

}  // namespace

void load_partitions(const document::Document& document, const Value& partitions,
                     const SourceLookup& source, Completeness completeness, Entry& chip,
                     std::vector<base::Diagnostic>& faults) {
  Fields list(document, partitions, std::string(kPartitions), faults);
  if (!list.valid()) return;
  for (const document::Member& member : partitions.members) {
    if (!is_partition_name(member.key)) {
      faults.push_back({.code = Code::out_of_range,
                        .severity = base::Severity::error,
                        .message = "partition " + base::printable(member.key) +
                                   " has a character that names of partitions do not",
                        .span = document.span(member),
                        .hint = "lower-case letters, digits, '-', '.' and '+'",
                        .notes = {}});
    }
    chip.partitions.push_back(
        load_partition(Fields(document, member.value, list.path_of(member.key), faults), member.key,
                       source, completeness, chip));
  }
}

std::string_view partition_name(const Entry& entry) {
  const std::string_view id = entry.id;
  const std::size_t colon = id.find(':');
  return colon == std::string_view::npos ? std::string_view() : id.substr(colon + 1);
}

std::string fold_partition(std::string_view name) {
  std::string folded = base::lower(name);
  std::replace_if(
      folded.begin(), folded.end(), [](char c) { return c == ' ' || c == '_'; }, '-');
  if (folded.starts_with("mig-")) folded.erase(0, 4);
  for (const std::string_view extension : {".me", ".gfx"}) {
    const std::size_t at = folded.find(extension);
    if (at != std::string::npos && folded.find('+') == std::string::npos) folded[at] = '+';
  }
  return folded;
}

}  // namespace ullage::catalog
