// The model of a GGUF file: weights from its tensor table, caches from its metadata.
#pragma once

#include <string>
#include <vector>

#include "import/open.hpp"

namespace ullage::import {

// `paths` are the parts of a split file, or the one file. Errors: those of read_gguf; missing_key
// and out_of_range of metadata at their byte.
base::Result<model::Model> open_gguf(OpenContext& context, std::string name,
                                     const std::vector<std::string>& paths);

}  // namespace ullage::import
