// Partitions against the chip that they are parts of.
#include <algorithm>
#include <map>
#include <optional>

#include "base/spelling.hpp"
#include "catalog/lint.hpp"
#include "catalog/load_parts.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;
using provenance::Claim;

std::optional<Rational> value_of(const Entry& entry, std::string_view name) {
  const FigureFact* fact = entry.figure(name);
  if (fact == nullptr || !fact->known()) return std::nullopt;
  return fact->claims.front().quantity.value;
}

// The most that any claim says of the chip's memory, nominal or visible: vendors print GB where
// drivers count GiB, and a partition is measured in what the driver counts.
std::optional<Rational> largest_memory(const Entry& chip) {
  std::optional<Rational> largest;
  for (const std::string_view name : {"memory_capacity", "memory_capacity_visible"}) {
    const FigureFact* fact = chip.figure(name);
    if (fact == nullptr) continue;
    for (const Claim& claim : fact->claims) {
      const Rational value = claim.quantity.value + claim.last_place / Rational(2);
      if (!largest || *largest < value) largest = value;
    }
  }
  return largest;
}

const document::Member* member_of(const LintedEntry& linted, std::string_view partition) {
  const document::Value* list = linted.document->root.find(kPartitions);
  if (list == nullptr) return nullptr;
  const auto found =
      std::find_if(list->members.begin(), list->members.end(),
                   [&](const document::Member& member) { return member.key == partition; });
  return found == list->members.end() ? nullptr : &*found;
}

// Where the partition names its aliases.
base::Span span_of_aliases(const LintedEntry& linted, const Entry& partition) {
  const document::Member* member = member_of(linted, partition_name(partition));
  const document::Value* aliases = member != nullptr ? member->value.find("aliases") : nullptr;
  return aliases != nullptr ? linted.document->span(*aliases)
                            : base::Span{linted.document->file, 1, 1};
}

// One quantity of all partitions of a kind against the chip's.
void check_total(const Entry& partition, std::string_view name,
                 const std::optional<Rational>& whole, std::vector<base::Finding>& findings) {
  const FigureFact* fact = partition.figure(name);
  const auto count = value_of(partition, "partitions_per_chip");
  if (!whole || fact == nullptr || !fact->known() || !count) return;
  const Claim& one = fact->claims.front();
  // What is printed is cut or rounded by up to half a unit of its last digit.
  const Rational least = (one.quantity.value - one.last_place / Rational(2)) * *count;
  if (least <= *whole) return;
  findings.push_back(
      finding("partition-exceeds-chip",
              partition.id + " " + std::string(name) + ": " + count->to_string() + " × " +
                  one.written + " is more than the " + whole->to_significant(12) + " " +
                  units::symbol_of(one.quantity.unit.dimension) + " of the chip",
              one.span, "the memory of one partition, and how many one chip takes at once"));
}

void check_names(const LintedEntry& linted, std::vector<base::Finding>& findings) {
  std::map<std::string, std::string> owners;
  const auto claim = [&](const std::string& name, const Entry& partition) {
    const auto [owner, added] = owners.emplace(fold_partition(name), partition.id);
    if (added || owner->second == partition.id) return;
    findings.push_back(finding("name-clash",
                               base::printable(name) + " is also a name of " + owner->second,
                               span_of_aliases(linted, partition),
                               "a name or alias belongs to one partition of the chip"));
  };
  for (const Entry& partition : linted.entry.partitions)
    claim(std::string(partition_name(partition)), partition);
  for (const Entry& partition : linted.entry.partitions) {
    for (const std::string& alias : partition.aliases)
      claim(alias, partition);
  }
}

}  // namespace

void lint_partitions(const LintedEntry& linted, const Entry* whole,
                     std::vector<base::Finding>& findings) {
  const Entry& chip = whole != nullptr ? *whole : linted.entry;
  check_names(linted, findings);
  for (const Entry& partition : linted.entry.partitions) {
    check_total(partition, "memory_capacity", largest_memory(chip), findings);
    for (const std::string_view name : {"cores", "multiprocessors"})
      check_total(partition, name, value_of(chip, name), findings);
  }
}

}  // namespace ullage::catalog
