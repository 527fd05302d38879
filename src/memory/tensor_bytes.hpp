// Bytes of one tensor in a storage format.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "catalog/storage_format.hpp"

namespace ullage::memory {

// The bytes that a tensor of `shape` (outputs first) takes in `format`: codes, scales, zero points,
// the words and groups that the shape does not fill, and what stands with every tensor. Exact; each
// stored array rounds up to whole bytes. `kept_dtype` is the model's own dtype as configurations
// write it (`bfloat16`), which some records name. Nothing where the format does not say how it
// stores such a shape.
std::optional<exact::Rational> tensor_bytes(const catalog::StorageFormat& format,
                                            const std::vector<exact::Rational>& shape,
                                            std::string_view kept_dtype = "bfloat16");

}  // namespace ullage::memory
