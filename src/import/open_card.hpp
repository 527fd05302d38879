// A card that is at hand as an entry, as a model.
#pragma once

#include <memory>

#include "import/open.hpp"

namespace ullage::import {

// Totals, native format and shape of the card; a variant must have what it takes from its base
// (Catalogue::complete_variant). Errors: those of the family that counts its architecture.
base::Result<model::Model> open_card(OpenContext& context,
                                     std::shared_ptr<const catalog::Entry> card);

}  // namespace ullage::import
