// Bytes of a quantised checkpoint, tensor by tensor: codes, scales, and what is kept in 16 or 32
// bits.
#pragma once

#include <optional>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/inventory.hpp"

namespace ullage::memory {

// The format of one group of a checkpoint in `native`. Error unknown_name where the group names a
// format that the table does not hold.
base::Result<const catalog::StorageFormat*> format_of(const model::TensorGroup& group,
                                                      const catalog::StorageFormat& native,
                                                      catalog::Catalogue& catalogue);

// The bytes that a checkpoint of `inventory` in `native` stores; `elements` holds the count of each
// tensor group in the order of the inventory. Nothing where the family does not say what its
// checkpoints keep in other formats, or where the format's scales do not follow from the shapes.
// Exact: blocks that the shape does not fill have a scale of their own.
base::Result<std::optional<provenance::Figure<units::Bytes>>> checkpoint_payload(
    provenance::Graph& graph, const model::Inventory& inventory,
    const std::vector<provenance::Figure<units::Count>>& elements,
    const catalog::StorageFormat& native, catalog::Catalogue& catalogue);

}  // namespace ullage::memory
