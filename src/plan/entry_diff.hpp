// What two entries, or two versions of one, state differently.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalogue.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

enum class Change : std::uint8_t { changed, added, removed };

struct FigureChange {
  std::string name;
  Change change = Change::changed;
};

// One row: results `before_NAME`, `after_NAME` and, where both are known and of one unit,
// `ratio_NAME` = after ÷ before, for each figure that is stated differently; attributes likewise in
// words. Statements that only one side has are notes `statement-removed` and `statement-added`.
struct EntryDiff {
  provenance::Answer answer;
  const catalog::Entry* before = nullptr;
  const catalog::Entry* after = nullptr;
  std::vector<FigureChange> figures;     // in the order of the figure table
  std::vector<FigureChange> attributes;  // in the order of the files
};

// Compares what the entries state, pinned claim with pinned claim; totals that only follow from
// chips are not among it. Errors of the catalogue; usage for a device against a model.
base::Result<EntryDiff> diff_entries(catalog::Catalogue& catalogue, const std::string& before,
                                     const std::string& after);

}  // namespace ullage::plan
