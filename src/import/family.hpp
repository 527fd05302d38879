// Families of models: which configuration is counted by which importer.
#pragma once

#include <string_view>
#include <vector>

#include "import/config_reader.hpp"
#include "model/inventory.hpp"

namespace ullage::import {

// One model family. `read` asks the reader for the keys that it needs and lists every tensor.
struct Family {
  std::string_view model_type;  // of the config
  std::string_view what;        // one line for lists: `dense decoder, grouped-query attention`
  std::string_view citation;    // where the tensors are defined
  base::Result<model::Inventory> (*read)(ConfigReader&);
};

// Every family that is counted, sorted by model_type.
const std::vector<Family>& families();

// Whether a count of the family was held against a total that a source states (docs/families.md).
// The others are counted with a warning.
bool is_verified(std::string_view model_type);

// The family of a model_type, or nullptr.
const Family* find_family(std::string_view model_type);

}  // namespace ullage::import
