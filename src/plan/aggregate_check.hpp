// Totals that a vendor prints for an instance or system, held against its parts: lint's rule
// `aggregate`.
#pragma once

#include <vector>

#include "base/finding.hpp"
#include "catalog/lint.hpp"

namespace ullage::plan {

// A finding for each claim of the entries that differs from the sum of its parts for no known cause
// (aggregate.hpp). Call it after Lint::check.
std::vector<base::Finding> check_aggregates(catalog::Lint& lint);

}  // namespace ullage::plan
