// Merges claim by claim: nothing that the catalogue said is lost.
#include "catalog/overlay.hpp"

#include <algorithm>

namespace ullage::catalog {
namespace {

constexpr std::uint64_t kLargestFile = 8u << 20;
constexpr std::size_t kDeepestFolder = 16;

std::string place_of(const base::Span& span) {
  return span.file + ":" + std::to_string(span.line);
}

FigureFact merged(const FigureFact& before, FigureFact addition) {
  const std::string file = place_of(addition.span);
  if (addition.known() && before.known() && addition.claims.front().pinned.empty()) {
    addition.claims.front().pinned = "given by " + file;
  }
  for (provenance::Claim claim : before.claims) {
    if (claim.relation == provenance::Relation::pinned) {
      claim.relation = provenance::Relation::other_page;
      claim.note += (claim.note.empty() ? "" : "; ") + std::string("pinned by the catalogue");
    }
    claim.pinned.clear();
    addition.claims.push_back(std::move(claim));
  }
  return addition;
}

const Entry* find_partition(const std::vector<Entry>& partitions, const std::string& id) {
  const auto found = std::find_if(partitions.begin(), partitions.end(),
                                  [&](const Entry& partition) { return partition.id == id; });
  return found == partitions.end() ? nullptr : &*found;
}

// A partition of the addition onto the one of that name, or as a further one.
void add_partition(Entry& chip, const Entry& addition, std::vector<std::string>& changes) {
  for (Entry& known : chip.partitions) {
    if (known.id != addition.id) continue;
    known = with_addition(known, addition, changes);
    return;
  }
  Entry partition = addition;
  if (partition.name.starts_with(", ")) partition.name = chip.name + partition.name;
  partition.vendor = chip.vendor;
  partition.status = chip.status;
  partition.families = chip.families;
  partition.overlaid = true;
  chip.partitions.push_back(std::move(partition));
  changes.push_back(addition.id + " is added by " + addition.file);
}

base::Result<void> collect(const base::FileSystem& files, const std::string& folder,
                           std::size_t depth, std::vector<OverlayFile>& found) {
  if (depth > kDeepestFolder) {
    return base::Diagnostic{.code = base::Code::file_unreadable,
                            .message = "folders are nested too deeply",
                            .span = {folder, 0, 0},
                            .hint = "a loop of symbolic links?",
                            .notes = {}};
  }
  ULLAGE_TRY(const std::vector<std::string> names, files.list(folder));
  for (const std::string& name : names) {
    const std::string path = base::join(folder, name);
    if (files.kind_of(path) == base::PathKind::folder) {
      ULLAGE_CHECK(collect(files, path, depth + 1, found));
    } else if (name.ends_with(".yaml") || name.ends_with(".yml")) {
      ULLAGE_TRY(std::string text, files.read(path, kLargestFile));
      found.push_back({path, std::move(text)});
    }
  }
  return {};
}

}  // namespace

base::Result<void> check_addition(const Entry& entry, const Entry& addition,
                                  const std::string& file) {
  for (const Entry& partition : addition.partitions) {
    if (find_partition(entry.partitions, partition.id) != nullptr) continue;
    if (!partition.partition_kind.empty() &&
        (partition.figure("memory_capacity") != nullptr || partition.figure("chips") != nullptr)) {
      continue;
    }
    return base::Diagnostic{
        .code = base::Code::missing_key,
        .message = partition.id + " is new and lacks what a partition needs",
        .span = {file, 0, 0},
        .hint = "kind, and the figures memory_capacity and partitions_per_chip (of a slice: chips)",
        .notes = {}};
  }
  return {};
}

Entry with_addition(const Entry& entry, const Entry& addition, std::vector<std::string>& changes) {
  Entry result = entry;
  result.overlaid = true;
  for (const FigureFact& fact : addition.figures) {
    const FigureFact* const found = result.figures.find(fact.name);
    const std::string now = fact.known() ? fact.claims.front().written : "unknown";
    std::string change = entry.id + " " + fact.name + ": " + now + " from " + place_of(fact.span);
    if (found == nullptr) {
      result.figures.set(fact);
    } else {
      change += found->known() ? " is used instead of " + found->claims.front().written
                               : " fills what the catalogue leaves unknown";
      result.figures.set(merged(*found, fact));
    }
    changes.push_back(std::move(change));
  }
  result.aliases.insert(result.aliases.end(), addition.aliases.begin(), addition.aliases.end());
  result.families.insert(result.families.end(), addition.families.begin(), addition.families.end());
  result.attributes.insert(result.attributes.end(), addition.attributes.begin(),
                           addition.attributes.end());
  result.statements.insert(result.statements.end(), addition.statements.begin(),
                           addition.statements.end());
  if (addition.architecture) result.architecture = addition.architecture;
  for (const Entry& partition : addition.partitions)
    add_partition(result, partition, changes);
  for (const Software& stack : addition.software) {
    const auto known = std::find_if(result.software.begin(), result.software.end(),
                                    [&](const Software& other) { return other.id == stack.id; });
    changes.push_back(entry.id + " software " + stack.id +
                      (known == result.software.end() ? " is added" : " is replaced"));
    if (known == result.software.end()) {
      result.software.push_back(stack);
    } else {
      *known = stack;
    }
  }
  return result;
}

base::Result<std::vector<OverlayFile>> read_overlay(const base::FileSystem& files,
                                                    const std::string& folder) {
  if (files.kind_of(folder) != base::PathKind::folder) {
    return base::Diagnostic{
        .code = base::Code::file_unreadable,
        .message = base::printable(folder) + " is not a folder",
        .span = {},
        .hint = "--catalogue takes a folder of YAML entries (docs/data-format.md)",
        .notes = {}};
  }
  std::vector<OverlayFile> found;
  ULLAGE_CHECK(collect(files, folder, 0, found));
  if (found.empty()) {
    return base::Diagnostic{
        .code = base::Code::file_unreadable,
        .message = base::printable(folder) + " holds no YAML file",
        .span = {},
        .hint = "--catalogue takes a folder of YAML entries (docs/data-format.md)",
        .notes = {}};
  }
  return found;
}

}  // namespace ullage::catalog
