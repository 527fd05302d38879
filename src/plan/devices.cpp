// Resolves devices and their capacities.
#include "plan/devices.hpp"

#include <algorithm>

#include "catalog/figures.hpp"
#include "plan/conflicts.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using catalog::Entry;
using catalog::EntryKind;
using catalog::FigureFact;
using catalog::holds_chips;

std::string in_words(const provenance::Claim& claim) {
  return claim.written + " = " + claim.quantity.value.to_string() + " B";
}

// How many partitions one chip takes, and that they are apart.
void note_partition(const Entry& partition, std::vector<base::Note>& notes) {
  const FigureFact* count = partition.figure("partitions_per_chip");
  std::string text = "capacity is that of one " + partition.id;
  if (count != nullptr && count->known()) {
    text += ", of which one " + partition.part_of + " takes " +
            count->claims.front().quantity.value.to_string();
  }
  if (partition.partition_kind == "mig") {
    text +=
        "; the memory is what the driver lists, the name rounds it. Whether several partitions "
        "can exchange data is not asked";
  }
  base::Note note{"partition", Severity::note, std::move(text)};
  if (count != nullptr && count->known()) {
    note.source = count->claims.front().source;
    note.locator = count->claims.front().locator;
  }
  notes.push_back(std::move(note));
}

provenance::FigureId capacity_figure(provenance::Graph& graph, const Entry& chip,
                                     const CapacityChoice& choice, std::vector<base::Note>& notes) {
  const FigureFact* nominal = chip.figure("memory_capacity");
  const FigureFact* visible = chip.figure("memory_capacity_visible");
  const bool both =
      nominal != nullptr && nominal->known() && visible != nullptr && visible->known();
  switch (choice.basis) {
    case CapacityBasis::given:
      return graph.given("device capacity", {choice.size, units::Capacity::kUnit},
                         {choice.where, ""});
    case CapacityBasis::visible:
      if (both) {
        notes.push_back({"visible-capacity", Severity::note,
                         "memory that the driver of " + chip.id +
                             " reports is used: " + in_words(visible->claims.front()) +
                             "; nominal is " + in_words(nominal->claims.front())});
      }
      return catalog::bring(graph, chip, "memory_capacity_visible",
                            {.dimension = units::kBytes, .kind = units::Kind::visible});
    case CapacityBasis::nominal:
      if (both) {
        notes.push_back({"nominal-capacity", Severity::note,
                         "nominal memory of " + chip.id + " is used: " +
                             in_words(nominal->claims.front()) + "; its driver reports " +
                             in_words(visible->claims.front()) + " (--capacity visible)"});
      }
      return catalog::bring(graph, chip, "memory_capacity",
                            {.dimension = units::kBytes, .kind = units::Kind::nominal});
  }
  return catalog::bring(graph, chip, "memory_capacity", {.dimension = units::kBytes});
}

}  // namespace

void note_conflicts(const Entry& entry, const std::vector<std::string>& figures,
                    std::vector<base::Note>& notes) {
  Conflicts conflicts(entry.id);
  for (const std::string& figure : figures) {
    const FigureFact* const fact = entry.figure(figure);
    if (fact == nullptr || !fact->conflicted()) continue;
    const provenance::Claim& pinned = fact->claims.front();
    std::string text = pinned.written + " of " + pinned.source + " is used (" + pinned.pinned + ")";
    for (const provenance::Claim& claim : fact->claims) {
      if (catalog::agree(pinned, claim)) continue;
      text += "; " + claim.source + " says " + claim.written + " (" +
              std::string(name_of(claim.relation)) + ")";
    }
    conflicts.add(fact->name, std::move(text));
  }
  const std::vector<base::Note> found = conflicts.notes();
  notes.insert(notes.end(), found.begin(), found.end());
}

base::Result<Device> open_device(provenance::Graph& graph, catalog::Catalogue& catalogue,
                                 const std::string& name, const CapacityChoice& capacity) {
  ULLAGE_TRY(const Entry* const entry, catalogue.hardware(name));
  const Entry* chip = entry;
  std::optional<provenance::FigureId> chips;
  if (holds_chips(entry->kind)) {
    auto found = catalogue.hardware(entry->chip);
    if (!found) {
      return Diagnostic{
          .code = Code::reference,
          .message = entry->id + " holds the chip " + entry->chip + ", which has no entry",
          .span = {entry->file, 0, 0},
          .hint = {},
          .notes = {}};
    }
    chip = *found;
    chips = catalog::bring(graph, *entry, "chips", {});
    if (graph.known(*chips) && graph.value(*chips).sign() <= 0) {
      return Diagnostic{.code = Code::reference,
                        .message = entry->id + " is said to hold no chip",
                        .span = {entry->file, 0, 0},
                        .hint = "figures.chips is the number of chips in it, 1 or more",
                        .notes = {}};
    }
  }
  std::vector<base::Note> notes;
  const provenance::FigureId figure = capacity_figure(graph, *chip, capacity, notes);
  if (capacity.basis == CapacityBasis::nominal) note_conflicts(*chip, {"memory_capacity"}, notes);
  if (capacity.basis == CapacityBasis::visible) {
    note_conflicts(*chip, {"memory_capacity_visible"}, notes);
  }
  if (entry->kind == EntryKind::partition) note_partition(*entry, notes);
  if (entry->status.value != "documented") {
    notes.push_back({"status", Severity::warning,
                     entry->id + " is " + entry->status.value + ", not documented as available"});
  }
  return Device{entry, chip, chips, figure, std::move(notes)};
}

namespace {

// Every current chip, then instance, then system.
std::vector<std::string> every_device(const catalog::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const EntryKind kind : {EntryKind::chip, EntryKind::instance, EntryKind::system}) {
    for (const catalog::Listing& listing : catalogue.listings()) {
      if (listing.kind == kind && listing.current) names.emplace_back(listing.id);
    }
  }
  return names;
}

bool is_current(const catalog::Catalogue& catalogue, const Entry& entry) {
  const catalog::Listing* const listing = catalogue.listing(entry.id);
  return listing != nullptr && listing->version == entry.version;
}

}  // namespace

base::Result<std::vector<std::string>> device_names(catalog::Catalogue& catalogue,
                                                    const std::string& on) {
  std::vector<std::string> names;
  std::vector<std::string> others;
  std::vector<std::string> asked;
  std::size_t start = 0;
  while (start <= on.size()) {
    const std::size_t end = std::min(on.find(',', start), on.size());
    std::string name = on.substr(start, end - start);
    const auto first = name.find_first_not_of(' ');
    const auto last = name.find_last_not_of(' ');
    name = first == std::string::npos ? std::string() : name.substr(first, last - first + 1);
    if (name.empty()) {
      return Diagnostic{.code = Code::usage,
                        .message = "--on " + base::printable(on) + " has an empty name",
                        .span = {},
                        .hint = "--on trainium2,h100-sxm or --on all",
                        .notes = {}};
    }
    if (name == "all") {
      for (std::string& current : every_device(catalogue))
        names.push_back(std::move(current));
    } else {
      others.push_back(std::move(name));
    }
    start = end + 1;
  }
  // What `all` holds already is not asked twice, by whatever name.
  for (std::string& name : others) {
    const auto entry =
        names.empty() ? base::Result<const Entry*>(nullptr) : catalogue.hardware(name);
    const bool held = entry.ok() && *entry != nullptr && is_current(catalogue, **entry) &&
                      std::find(names.begin(), names.end(), (*entry)->id) != names.end();
    if (!held) asked.push_back(std::move(name));
  }
  names.insert(names.end(), asked.begin(), asked.end());
  return names;
}

std::vector<catalog::Listing> nearest_by_capacity(const catalog::Catalogue& catalogue,
                                                  const Entry& chip, std::size_t most) {
  std::vector<catalog::Listing> nearest;
  const FigureFact* own = chip.figure("memory_capacity");
  if (own == nullptr || !own->known()) return nearest;
  const exact::Rational& capacity = own->claims.front().quantity.value;
  std::vector<std::pair<exact::Rational, const catalog::Listing*>> others;
  for (const catalog::Listing& listing : catalogue.listings()) {
    const bool candidate = listing.kind == EntryKind::chip && listing.current &&
                           listing.id != chip.id && listing.status == "documented";
    if (!candidate || listing.memory.empty()) continue;
    const auto written = units::parse_written(listing.memory);
    if (!written) continue;
    const exact::Rational difference = written->value() - capacity;
    others.emplace_back(exact::max(difference, -difference), &listing);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < others.size() && i < most; ++i)
    nearest.push_back(*others[i].second);
  return nearest;
}

}  // namespace ullage::plan
