// Entries and cards as a table: which of them, and which of their facts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalogue.hpp"
#include "cli/listing.hpp"
#include "cli/model_filter.hpp"

namespace ullage::cli {

// As typed; absent ones choose everything.
struct EntryFilter {
  std::optional<std::string> vendor;
  std::optional<std::string> kind;
  std::optional<std::string> memory_at_least;
  std::optional<std::string> precision;
  std::optional<std::string> interconnect;
  std::optional<std::string> family;
  std::optional<std::string> columns;
  std::optional<std::string> of;  // of partitions: their chip
  ModelFilter model;              // of model cards
};

// Chips, then instances, then systems, each by id; or model cards. Entries are loaded only where a
// filter or column needs more than the index holds. Errors: usage for a filter that does not apply,
// a name that nothing has, a column given twice.
base::Result<Listed> list_entries(catalog::Catalogue& catalogue, const base::FileSystem& files,
                                  bool models, const EntryFilter& filter);

// The partitions of every chip, or of the one that `filter.of` names, by chip and in the order of
// its file; filters and columns as above, those of vendor and family by the chip.
base::Result<Listed> list_partitions(catalog::Catalogue& catalogue, const EntryFilter& filter);

}  // namespace ullage::cli
