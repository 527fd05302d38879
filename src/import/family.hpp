// Families of models: which configuration is counted by which importer.
#pragma once

#include <string>
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

// What a family's count was held against where only rounded totals of its models are published, as
// a note says it; empty where an exact one is. Every tensor of these follows from the source that
// the family cites (docs/families.md).
std::string_view rounded_total(std::string_view model_type);

// Whether a model_type is known and left out because no published total was found to hold a count
// against.
bool is_refused(std::string_view model_type);

// The family of a configuration without model_type whose keys are a publisher's own, or nullptr.
const Family* recognise(const document::Value& root);

// The family whose name the first of these class names carries (`Qwen3MoeForCausalLM` is
// `qwen3_moe`), or nullptr.
const Family* family_of_classes(const std::vector<std::string>& classes);

// The family of a model_type, or nullptr.
const Family* find_family(std::string_view model_type);

}  // namespace ullage::import
