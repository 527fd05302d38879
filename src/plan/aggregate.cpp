// Which figure follows from which, as a table; then the comparison claim by claim.
#include "plan/aggregate.hpp"

#include <algorithm>
#include <array>

#include "catalog/figure_names.hpp"
#include "catalog/printed_numbers.hpp"
#include "memory/formulas.hpp"
#include "plan/conflicts.hpp"
#include "units/quantity.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;
using catalog::FigureFact;
using provenance::Claim;
using units::Direction;

// Figures of a whole that repeat a figure of one chip, and the name that the chip has for it.
struct Repeated {
  std::string_view name;
  std::string_view of_chip;
};
constexpr std::array kRepeated{
    Repeated{"memory_per_chip", "memory_capacity"},
    Repeated{"scale_up_bandwidth_per_chip", "scale_up_bandwidth"},
    Repeated{"scale_up_bandwidth_one_way_per_chip", "scale_up_bandwidth_one_way"},
    Repeated{"scale_up_links_per_chip", "scale_up_links"},
};

// Figures that the machines of a system have, chips or not.
constexpr std::array<std::string_view, 6> kOfInstances{
    "scale_out_bandwidth", "network_bandwidth", "efa_interfaces", "host_memory", "vcpus",
    "local_storage"};

// Links of all chips of a domain, printed as one rate.
constexpr std::string_view kAllLinks = "scale_up_bandwidth";

std::optional<PartSum> product(std::string_view name, const FigureFact* count, const Entry* of,
                               std::string_view part_name) {
  if (count == nullptr || of == nullptr || !count->known()) return std::nullopt;
  const FigureFact* part = of->figure(part_name);
  if (part == nullptr || !part->known()) return std::nullopt;
  return PartSum{name, count, part, of,
                 memory::ChipsInAll::evaluate(count->claims.front().quantity.value,
                                              part->claims.front().quantity.value)};
}

bool opposed(Direction a, Direction b) {
  const auto stated = [](Direction direction) {
    return direction == Direction::one_way || direction == Direction::both_ways;
  };
  return stated(a) && stated(b) && a != b;
}

bool is_near(const Claim& claim, const exact::Rational& value) {
  const exact::Rational difference = claim.quantity.value - value;
  return exact::max(difference, -difference) <= claim.last_place / exact::Rational(2);
}

bool differs(const Claim& claim, const PartSum& sum) {
  const units::Unit& part = sum.part->claims.front().quantity.unit;
  return !opposed(claim.quantity.unit.direction, part.direction) && !is_near(claim, sum.value);
}

// Whether a remark speaks of this very claim: it names its number.
bool names(const std::string& note, const Claim& claim) {
  const auto written = units::parse_written(claim.written);
  return written && catalog::PrintedNumbers(note).name(*written);
}

DifferingClaim with_cause(const Claim& claim, const FigureFact& printed) {
  DifferingClaim differing{&claim, Cause::unknown};
  switch (claim.relation) {
    case provenance::Relation::pinned:
    case provenance::Relation::other_page:
      break;
    case provenance::Relation::older_version:
    case provenance::Relation::different_scope:
    case provenance::Relation::recomputed:
    case provenance::Relation::secondary_source:
      differing.cause = Cause::related;
  }
  if (!claim.derivation.empty()) differing.cause = Cause::derived;
  const auto told = {&claim.note, &claim.pinned, &printed.note};
  if (std::any_of(told.begin(), told.end(),
                  [&](const std::string* note) { return names(*note, claim); })) {
    differing.cause = Cause::noted;
  }
  return differing;
}

}  // namespace

bool AggregateDifference::explained() const {
  return std::none_of(differing.begin(), differing.end(),
                      [](const DifferingClaim& claim) { return claim.cause == Cause::unknown; });
}

std::string in_unit_of(const Claim& claim, const exact::Rational& sum) {
  constexpr unsigned kDigits = 17;
  const auto written = units::parse_written(claim.written);
  if (!written || written->scale.is_zero()) {
    return sum.to_string() + " " + units::symbol_of(claim.quantity.unit.dimension);
  }
  const std::string number = (sum / written->scale).to_significant(kDigits);
  return written->unit.empty() ? number : number + " " + written->unit;
}

Parts parts_of(catalog::Catalogue& catalogue, const Entry& entry) {
  Parts parts;
  if (!entry.chip.empty()) {
    if (auto found = catalogue.hardware(entry.chip)) parts.chip = *found;
  }
  if (!entry.instance.empty()) {
    if (auto found = catalogue.hardware(entry.instance)) parts.instance = *found;
  }
  return parts;
}

std::optional<PartSum> part_sum(const Entry& entry, const Parts& parts, std::string_view name) {
  const catalog::FigureName* row = catalog::find_hardware_figure(name);
  if (row == nullptr || entry.chip.empty()) return std::nullopt;
  const FigureFact* chips = entry.figure("chips");
  if (row->aggregate || name == kAllLinks) return product(row->name, chips, parts.chip, name);
  for (const Repeated& repeated : kRepeated) {
    if (repeated.name != name || parts.chip == nullptr) continue;
    const FigureFact* part = parts.chip->figure(repeated.of_chip);
    if (part == nullptr || !part->known()) return std::nullopt;
    return PartSum{row->name, nullptr, part, parts.chip, part->claims.front().quantity.value};
  }
  if (std::find(kOfInstances.begin(), kOfInstances.end(), name) != kOfInstances.end()) {
    return product(row->name, entry.figure("instances"), parts.instance, name);
  }
  return std::nullopt;
}

std::vector<AggregateDifference> aggregate_differences(const Entry& entry, const Parts& parts) {
  std::vector<AggregateDifference> differences;
  for (const catalog::FigureName& row : catalog::hardware_figure_names()) {
    const FigureFact* printed = entry.figure(row.name);
    if (printed == nullptr || !printed->known()) continue;
    const std::optional<PartSum> sum = part_sum(entry, parts, row.name);
    if (!sum) continue;
    AggregateDifference difference{*sum, printed, {}};
    for (const Claim& claim : printed->claims) {
      if (differs(claim, *sum)) difference.differing.push_back(with_cause(claim, *printed));
    }
    if (!difference.differing.empty()) differences.push_back(std::move(difference));
  }
  return differences;
}

std::string in_words(const AggregateDifference& difference) {
  const PartSum& sum = difference.sum;
  const Claim& part = sum.part->claims.front();
  std::string text;
  if (sum.count != nullptr) {
    text = sum.count->claims.front().quantity.value.to_string() + " × ";
  }
  text += part.written + " of one " + sum.of->id;
  if (sum.count != nullptr) text += " = " + in_unit_of(part, sum.value);
  for (const DifferingClaim& differing : difference.differing) {
    const Claim* claim = differing.claim;
    text += "; " + claim->source + " prints " + claim->written;
    std::string remark;
    if (claim->relation != provenance::Relation::pinned) remark = name_of(claim->relation);
    if (!claim->note.empty()) remark += (remark.empty() ? "" : ": ") + claim->note;
    if (!remark.empty()) text += " (" + remark + ")";
  }
  if (!difference.printed->note.empty()) text += "; " + difference.printed->note;
  return text;
}

std::vector<base::Note> notes_of(const Entry& entry,
                                 const std::vector<AggregateDifference>& differences) {
  Conflicts conflicts(entry.id);
  for (const AggregateDifference& difference : differences)
    conflicts.add(difference.sum.name, in_words(difference));
  return conflicts.notes();
}

}  // namespace ullage::plan
