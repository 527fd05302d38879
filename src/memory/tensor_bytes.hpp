// Bytes of one tensor in a storage format.
#pragma once

#include <optional>
#include <vector>

#include "catalog/storage_format.hpp"

namespace ullage::memory {

// The bytes that a tensor of `shape` (outputs first) takes in `format`, with its scales. Exact:
// blocks that the shape does not fill have a scale of their own. Nothing where the format does not
// say how it stores such a shape.
std::optional<exact::Rational> tensor_bytes(const catalog::StorageFormat& format,
                                            const std::vector<exact::Rational>& shape);

}  // namespace ullage::memory
