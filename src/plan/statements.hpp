// Rules of a card that speak of a device.
#pragma once

#include "catalog/entry.hpp"

namespace ullage::plan {

// Whether a statement concerns a chip: `applies_to` names one of its families, its id or `*`.
bool applies(const catalog::Statement& statement, const catalog::Entry& chip);

}  // namespace ullage::plan
