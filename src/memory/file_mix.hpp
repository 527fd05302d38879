// Mixes of llama.cpp: a file called by a format's name holds tensors of several formats.
#pragma once

#include <string>

#include "catalog/catalogue.hpp"
#include "model/model.hpp"

namespace ullage::memory {

// The inventory as a file of `format` stores it. Nothing, with the reason in `unknown`, where the
// rule says nothing about the model's tensors: latent attention, recurrent layers, encoders.
base::Result<std::optional<model::Inventory>> store_as_file(provenance::Graph& graph,
                                                            const model::Model& model,
                                                            const catalog::StorageFormat& format,
                                                            const catalog::StorageFormats& formats,
                                                            std::string& unknown);

}  // namespace ullage::memory
