// A Hugging Face configuration to an inventory, by family.
#pragma once

#include <optional>
#include <string>

#include "import/config_reader.hpp"
#include "model/model.hpp"

namespace ullage::import {

// Fills `model` from a parsed configuration: model_type, inventory, native format, notes.
// `assume` counts it as another family, and says so. Errors: unsupported_architecture (exit 3)
// naming the model_type; missing and impossible keys at their place.
base::Result<void> read_config(const document::Document& document, provenance::Graph& graph,
                               const ConfigOrigin& origin, const std::optional<std::string>& assume,
                               model::Model& model);

}  // namespace ullage::import
