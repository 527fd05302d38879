// LoRA adapters held at once beside a model that serves.
#pragma once

#include "model/model.hpp"

namespace ullage::memory {

// Bytes of `number` adapters of `rank` on every matrix of a layer (`all-linear`), in 16 bits. Error
// unknown_figure for a model without a known shape; those of `adapters`.
base::Result<provenance::Figure<units::Bytes>> adapter_bytes(provenance::Graph& graph,
                                                             const model::Model& model,
                                                             const model::Extent& number,
                                                             const model::Extent& rank);

}  // namespace ullage::memory
