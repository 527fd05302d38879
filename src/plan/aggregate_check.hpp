// Totals that a vendor prints for an instance or system, held against chips × chip: lint's rule
// `aggregate`.
#pragma once

#include <vector>

#include "base/finding.hpp"
#include "catalog/lint.hpp"

namespace ullage::plan {

// A finding for each printed total of the entries that is further than half a unit of its last
// printed digit from chips × each claim of one chip, unless the claim is derived or a note of it or
// of the figure says why. Call it after Lint::check.
std::vector<base::Finding> check_aggregates(catalog::Lint& lint);

}  // namespace ullage::plan
