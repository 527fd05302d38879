// One entry of the catalogue with every figure, unknown and conflict; aggregates of instances and
// systems are computed beside what the vendor prints.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// `entry` is what was found, for renderers that want more than rows.
struct Shown {
  provenance::Answer answer;
  const catalog::Entry* entry = nullptr;
  std::vector<std::string> derived = {};  // of a model: results that its card does not state
};

// ID or ID@VERSION of a device or model. One row. Errors of the catalogue.
base::Result<Shown> show(catalog::Catalogue& catalogue, const std::string& id);

// Adds to a shown model what its card means for memory (show_model.hpp). Costs a count of the
// shape, which listings do not need.
void derive_memory(Shown& shown, catalog::Catalogue& catalogue);

}  // namespace ullage::plan
