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

// Whether a count of the family was held against an exact total that a source states
// (docs/families.md). The others were held against rounded ones and are counted with a warning.
bool is_compared_exactly(std::string_view model_type);

// Whether a model_type is known and left out because no published total was found to hold a count
// against.
bool is_refused(std::string_view model_type);

// Whether a family counts the text model alone though its checkpoints hold a vision tower, because
// nothing was found to hold a count of the tower against.
bool leaves_out_tower(std::string_view model_type);

// The family of a configuration without model_type whose keys are a publisher's own, or nullptr.
const Family* recognise(const document::Value& root);

// The family of a model_type, or nullptr.
const Family* find_family(std::string_view model_type);

}  // namespace ullage::import
