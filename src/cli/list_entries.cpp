// Filters and columns of `ullage list hardware` and `ullage list models`.
#include "cli/list_entries.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "catalog/names.hpp"
#include "memory/formulas.hpp"
#include "plan/show.hpp"
#include "report/reach.hpp"
#include "report/value_text.hpp"
#include "units/quantity.hpp"

namespace ullage::cli {
namespace {

using catalog::EntryKind;
using catalog::Listing;

// Attributes that say how a device is connected.
constexpr std::array<std::string_view, 7> kInterconnects{"scale_up_technology",
                                                         "scale_up_version",
                                                         "scale_out_technology",
                                                         "host_link",
                                                         "host_nic",
                                                         "efa",
                                                         "topology"};

// Attributes of model cards that may be columns.
constexpr std::array<std::string_view, 6> kCardWords{
    "attention", "expert_layout", "licence", "model_type", "release", "weights_format"};

bool is_card_word(std::string_view name) {
  return std::find(kCardWords.begin(), kCardWords.end(), name) != kCardWords.end();
}

// Figures of links, within a machine and between machines.
constexpr std::array<std::string_view, 8> kLinks{"scale_up_bandwidth",
                                                 "scale_up_bandwidth_one_way",
                                                 "scale_up_bandwidth_per_chip",
                                                 "scale_out_bandwidth",
                                                 "network_bandwidth",
                                                 "efa_interfaces",
                                                 "host_bandwidth",
                                                 "scale_up_links"};

base::Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = "list: " + std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What of an entry a filter or column asks for beyond its listing, loaded once.
class Loaded {
 public:
  Loaded(catalog::Catalogue& catalogue, std::string id)
      : catalogue_(catalogue), id_(std::move(id)) {}

  base::Result<const plan::Shown*> shown() {
    if (!shown_) {
      ULLAGE_TRY(shown_, plan::show(catalogue_, id_));
    }
    return &*shown_;
  }

  // The figure as `ullage show` gives it; nullptr where the entry is silent.
  base::Result<const provenance::Node*> figure(std::string_view name) {
    ULLAGE_TRY(const plan::Shown* const all, shown());
    for (const provenance::NamedFigure& result : all->answer.rows.front().results) {
      if (result.name == name) return &all->answer.graph[result.figure];
    }
    return static_cast<const provenance::Node*>(nullptr);
  }

  // The tier of what the figure rests on.
  base::Result<provenance::Tier> tier(std::string_view name) {
    ULLAGE_TRY(const plan::Shown* const all, shown());
    for (const provenance::NamedFigure& result : all->answer.rows.front().results) {
      if (result.name == name) return report::weakest_tier(all->answer.graph, result.figure);
    }
    return provenance::Tier::primary;
  }

 private:
  catalog::Catalogue& catalogue_;
  std::string id_;
  std::optional<plan::Shown> shown_;
};

std::string versioned_id(const Listing& listing) {
  return std::string(listing.id) + "@" + std::string(listing.version);
}

bool known(const provenance::Node* node) {
  return node != nullptr && node->value.has_value();
}

bool connected_by(const catalog::Entry& entry, const std::string& text) {
  const auto says = [&text](const std::string& words) {
    return base::lower(words).find(text) != std::string::npos;
  };
  const bool named =
      std::any_of(kInterconnects.begin(), kInterconnects.end(), [&](std::string_view name) {
        const catalog::TextFact* fact = entry.attribute(name);
        return fact != nullptr &&
               (says(fact->value) || (!fact->value.empty() && says(fact->printed)));
      });
  if (named) return true;
  // What a source prints with the rate of a link: `3200 Gbps EFAv3`.
  return std::any_of(kLinks.begin(), kLinks.end(), [&](std::string_view name) {
    const catalog::FigureFact* fact = entry.figure(name);
    if (fact == nullptr || !fact->known()) return false;
    if (says(fact->name)) return true;
    return std::any_of(fact->claims.begin(), fact->claims.end(), [&](const auto& claim) {
      return says(claim.printed) || says(claim.note) || says(claim.locator);
    });
  });
}

// The filters, checked and read.
struct Choice {
  std::optional<std::string> vendor;  // folded
  std::optional<std::string> kind;
  std::optional<exact::Rational> memory;
  std::optional<std::string> precision;
  std::optional<std::string> interconnect;  // lower case
  std::optional<std::string> family;

  bool by_index(const Listing& listing) const {
    if (vendor && !catalog::parts_within(*vendor, catalog::fold(listing.vendor))) return false;
    return !kind || *kind == name_of(listing.kind);
  }

  base::Result<bool> by_content(catalog::Catalogue& catalogue, Loaded& loaded) const {
    if (memory) {
      ULLAGE_TRY(const provenance::Node* const node, loaded.figure("memory_capacity"));
      if (!known(node) || *node->value < *memory) return false;
    }
    if (precision) {
      ULLAGE_TRY(const provenance::Node* const dense, loaded.figure("dense_" + *precision));
      ULLAGE_TRY(const provenance::Node* const sparse, loaded.figure("sparse_" + *precision));
      if (!known(dense) && !known(sparse)) return false;
    }
    if (!interconnect && !family) return true;
    ULLAGE_TRY(const plan::Shown* const shown, loaded.shown());
    const catalog::Entry& entry = *shown->entry;
    if (family) {
      const auto& families = entry.families;
      if (std::find(families.begin(), families.end(), *family) == families.end()) return false;
    }
    if (!interconnect || connected_by(entry, *interconnect)) return true;
    if (entry.chip.empty()) return false;
    ULLAGE_TRY(const catalog::Entry* const chip, catalogue.hardware(entry.chip));
    return connected_by(*chip, *interconnect);
  }
};

base::Result<void> check_vendor(const catalog::Catalogue& catalogue, bool models,
                                const std::string& vendor) {
  std::set<std::string> vendors;
  for (const Listing& listing : catalogue.listings()) {
    if ((listing.kind == EntryKind::model) == models) vendors.emplace(listing.vendor);
  }
  const std::string folded = catalog::fold(vendor);
  const bool found = std::any_of(vendors.begin(), vendors.end(), [&](const std::string& name) {
    return catalog::parts_within(folded, catalog::fold(name));
  });
  if (found) return {};
  return usage("no vendor is called " + base::printable(vendor), joined(vendors));
}

base::Result<Choice> read_filter(const catalog::Catalogue& catalogue, bool models,
                                 const EntryFilter& filter) {
  Choice choice;
  if (models &&
      (filter.kind || filter.memory_at_least || filter.precision || filter.interconnect)) {
    return usage("--kind, --memory-at-least, --precision and --interconnect are for hardware",
                 "`ullage list --help` shows what models take");
  }
  if (!models && filter.model.given()) {
    return usage(
        "--attention, --experts, --size-at-least, --size-at-most, --context-at-least, "
        "--licence, --fits-on and --devices are for models",
        "`ullage list models`");
  }
  if (filter.vendor) {
    ULLAGE_CHECK(check_vendor(catalogue, models, *filter.vendor));
    choice.vendor = catalog::fold(*filter.vendor);
  }
  if (filter.kind) {
    choice.kind = base::lower(*filter.kind);
    if (*choice.kind != "chip" && *choice.kind != "instance" && *choice.kind != "system") {
      return usage("--kind " + base::printable(*filter.kind) + " is no kind",
                   "chip, instance, system or partition");
    }
  }
  if (filter.memory_at_least) {
    auto size = units::parse_size(*filter.memory_at_least);
    if (!size) {
      base::Diagnostic fault = std::move(size).error();
      fault.code = base::Code::usage;
      fault.message =
          "--memory-at-least " + base::printable(*filter.memory_at_least) + ": " + fault.message;
      return fault;
    }
    choice.memory = std::move(*size);
  }
  if (filter.precision) {
    choice.precision = base::lower(*filter.precision);
    const auto& names = catalog::precisions();
    if (std::find(names.begin(), names.end(), *choice.precision) == names.end()) {
      return usage("--precision " + base::printable(*filter.precision) + " is no precision",
                   base::did_you_mean(base::nearest(*choice.precision, names, 3)));
    }
  }
  if (filter.interconnect) choice.interconnect = base::lower(*filter.interconnect);
  if (filter.family) choice.family = base::lower(*filter.family);
  return choice;
}

base::Result<std::vector<ListedColumn>> read_columns(bool models,
                                                     const std::optional<std::string>& asked) {
  if (!asked) {
    if (models) return std::vector<ListedColumn>{"id", "name", "publisher", "version"};
    return std::vector<ListedColumn>{"id", "kind", {"memory", "B"}, "status", "version", "name"};
  }
  std::vector<std::string_view> words{"id", "kind", "name", "vendor", "status", "version"};
  words.push_back(models ? "publisher" : "memory");
  if (models) words.insert(words.end(), kCardWords.begin(), kCardWords.end());
  std::vector<std::string_view> known = words;
  for (const auto& row : models ? catalog::model_figure_names() : catalog::hardware_figure_names())
    known.push_back(row.name);
  std::vector<ListedColumn> columns;
  std::string_view rest = *asked;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string name(rest.substr(0, comma));
    const auto twice = [&](const ListedColumn& column) { return column.key == name; };
    if (std::any_of(columns.begin(), columns.end(), twice)) {
      return usage("--columns names " + base::printable(name) + " twice", "each column once");
    }
    const auto* figure =
        models ? catalog::find_model_figure(name) : catalog::find_hardware_figure(name);
    if (figure != nullptr) {
      columns.emplace_back(name, units::symbol_of(figure->dimension));
    } else if (std::find(words.begin(), words.end(), name) != words.end()) {
      columns.emplace_back(name, name == "memory" ? "B" : "");
    } else {
      const std::string close = base::did_you_mean(base::nearest(name, known, 3));
      return usage("--columns: no column is called " + base::printable(name),
                   close.empty() ? "id, kind, name, vendor, status, version, memory, or a name of "
                                   "`ullage help figures`"
                                 : close);
    }
    if (comma == rest.size()) return columns;
    rest.remove_prefix(comma + 1);
  }
}

Cell memory_cell(std::string_view written_memory) {
  const auto written = units::parse_written(written_memory);
  if (!written) return Cell::unknown_figure();
  return {written->value(), report::value_text(written->value(), {.dimension = units::kBytes})};
}

// Chips × the memory of one, with the words that say so.
Cell memory_cell(std::string_view chips, std::string_view of_one) {
  const auto count = units::parse_written(chips);
  const auto one = units::parse_written(of_one);
  if (!count || !one) return Cell::unknown_figure();
  exact::Rational sum = memory::ChipsInAll::evaluate(count->value(), one->value());
  std::string text = report::value_text(sum, {.dimension = units::kBytes}) + " = " +
                     std::string(chips) + " × " + std::string(of_one);
  return {std::move(sum), std::move(text)};
}

// The nominal memory as the index has it; of an instance or system derived from its chips.
Cell memory_cell(const catalog::Catalogue& catalogue, const Listing& listing) {
  if (!catalog::holds_chips(listing.kind)) return memory_cell(listing.memory);
  const Listing* chip = catalogue.listing(listing.chip);
  return chip == nullptr ? Cell::unknown_figure() : memory_cell(listing.chips, chip->memory);
}

// A cell that needs more than the index: the figure that the column names.
base::Result<Cell> figure_cell(const std::string& key, Loaded& loaded) {
  const std::string_view name = key == "memory" ? "memory_capacity" : std::string_view(key);
  ULLAGE_TRY(const provenance::Node* const node, loaded.figure(name));
  if (!known(node)) return Cell::unknown_figure();
  Cell cell(*node->value, report::figure_text(*node));
  ULLAGE_TRY(const provenance::Tier tier, loaded.tier(name));
  if (tier != provenance::Tier::primary) cell.tier = name_of(tier);
  return cell;
}

base::Result<Cell> cell_of(const catalog::Catalogue& catalogue, const Listing& listing,
                           const ListedColumn& column, bool by_index, Loaded& loaded) {
  const std::string& key = column.key;
  if (key == "id") {
    const std::string id(listing.id);
    return Cell(listing.current ? id : id + "@" + std::string(listing.version));
  }
  if (key == "kind") return Cell(name_of(listing.kind));
  if (key == "name") return Cell(listing.name);
  if (key == "vendor" || key == "publisher") return Cell(listing.vendor);
  if (key == "status") return Cell(listing.status);
  if (key == "version") {
    return Cell(std::string(listing.version) + (listing.overlaid ? " (overlay)" : ""));
  }
  if (key == "memory" && by_index) return memory_cell(catalogue, listing);
  if (listing.kind == EntryKind::model && is_card_word(key)) {
    ULLAGE_TRY(const plan::Shown* const shown, loaded.shown());
    const catalog::TextFact* const fact = shown->entry->attribute(key);
    if (fact == nullptr || fact->value.empty()) return Cell::unknown_figure();
    return Cell(fact->value);
  }
  return figure_cell(key, loaded);
}

base::Result<Cell> partition_cell(const Listing& chip, const catalog::PartitionListing& partition,
                                  const ListedColumn& column, bool by_index, Loaded& loaded) {
  const std::string& key = column.key;
  if (key == "id") return Cell(std::string(chip.id) + ":" + std::string(partition.name));
  if (key == "kind") return Cell(partition.kind);
  if (key == "vendor") return Cell(chip.vendor);
  if (key == "status") return Cell(chip.status);
  if (key == "version") return Cell(chip.version);
  if (key == "memory" && by_index) {
    return partition.chips.empty() ? memory_cell(partition.memory)
                                   : memory_cell(partition.chips, chip.memory);
  }
  if (key != "name") return figure_cell(key, loaded);
  ULLAGE_TRY(const plan::Shown* const shown, loaded.shown());
  return Cell(shown->entry->name);
}

}  // namespace

base::Result<Listed> list_entries(catalog::Catalogue& catalogue, const base::FileSystem& files,
                                  bool models, const EntryFilter& filter) {
  Listed listed;
  listed.what = models ? "models" : "hardware";
  ULLAGE_TRY(const Choice choice, read_filter(catalogue, models, filter));
  ULLAGE_TRY(const ModelChoice cards, ModelChoice::read(filter.model, catalogue));
  ULLAGE_TRY(listed.columns, read_columns(models, filter.columns));
  constexpr std::array kHardware{EntryKind::chip, EntryKind::instance, EntryKind::system};
  constexpr std::array kModels{EntryKind::model};
  const std::span<const EntryKind> kinds =
      models ? std::span<const EntryKind>(kModels) : std::span<const EntryKind>(kHardware);
  for (const EntryKind kind : kinds) {
    for (const Listing& listing : catalogue.listings()) {
      if (listing.kind != kind || !choice.by_index(listing)) continue;
      Loaded loaded(catalogue, versioned_id(listing));
      ULLAGE_TRY(const bool wanted, choice.by_content(catalogue, loaded));
      if (!wanted) continue;
      if (models && filter.model.given()) {
        ULLAGE_TRY(const catalog::Entry* const card, catalogue.load(listing));
        ULLAGE_TRY(const bool asked, cards.matches(*card, catalogue, files));
        if (!asked) continue;
      }
      std::vector<Cell>& row = listed.rows.emplace_back();
      for (const ListedColumn& column : listed.columns) {
        ULLAGE_TRY(Cell cell, cell_of(catalogue, listing, column, !filter.columns, loaded));
        row.push_back(std::move(cell));
      }
    }
  }
  return listed;
}

base::Result<Listed> list_partitions(catalog::Catalogue& catalogue, const EntryFilter& filter) {
  Listed listed;
  listed.what = "partitions";
  EntryFilter of_chip = filter;
  of_chip.kind.reset();
  ULLAGE_TRY(const Choice choice, read_filter(catalogue, false, of_chip));
  if (filter.columns) {
    ULLAGE_TRY(listed.columns, read_columns(false, filter.columns));
  } else {
    listed.columns = {"id", "kind", {"memory", "B"}};
  }
  std::string_view chip;
  if (filter.of) {
    ULLAGE_TRY(const catalog::Entry* const entry, catalogue.hardware(*filter.of));
    chip = entry->id;
    if (entry->kind != EntryKind::chip) {
      return usage("--of " + base::printable(*filter.of) + " is no chip",
                   "partitions are those of a chip: `ullage list hardware --kind chip`");
    }
  }
  for (const Listing& listing : catalogue.listings()) {
    if (listing.kind != EntryKind::chip || !listing.current || !choice.by_index(listing)) continue;
    if (!chip.empty() && listing.id != chip) continue;
    for (const catalog::PartitionListing& partition : catalogue.partitions(listing)) {
      Loaded loaded(catalogue, versioned_id(listing) + ":" + std::string(partition.name));
      ULLAGE_TRY(const bool wanted, choice.by_content(catalogue, loaded));
      if (!wanted) continue;
      std::vector<Cell>& row = listed.rows.emplace_back();
      for (const ListedColumn& column : listed.columns) {
        ULLAGE_TRY(Cell cell, partition_cell(listing, partition, column, !filter.columns, loaded));
        row.push_back(std::move(cell));
      }
    }
  }
  return listed;
}

}  // namespace ullage::cli
