// What a model in a GGUF file caches, from the keys of its metadata and the tensors of its layers.
#pragma once

#include "base/note.hpp"
#include "import/gguf_metadata.hpp"

namespace ullage::import {

// Fills the caches of `inventory`; `layers` are those of the main model, without prediction
// modules. A layer keeps keys and values where it has attention tensors, a state where it has those
// of a state space, and nothing where metadata says that it reads another layer's. Windows follow
// the pattern that metadata or, where it is silent, llama.cpp's loader gives the architecture;
// where neither does, every layer counts as full and a note says so. Errors: those of GgufMetadata.
base::Result<void> add_gguf_caches(GgufMetadata& metadata, const StoredTensors& tensors,
                                   const model::Extent& layers, model::Inventory& inventory,
                                   std::vector<base::Note>& notes);

}  // namespace ullage::import
