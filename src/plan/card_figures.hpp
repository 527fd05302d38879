// Pieces of a card as trees, and what files say about the shape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/value.hpp"
#include "import/gguf.hpp"

namespace ullage::plan {

document::Value text_value(std::string text);
document::Value number_value(std::string digits);
document::Value object_value();
void put(document::Value& object, std::string key, document::Value value);
void put_text(document::Value& object, std::string key, std::string text);

// One statement of a file: `{value, printed, source, locator}`.
struct Stated {
  std::string figure;   // `layers`
  std::string value;    // `32`, or `4096 token`
  std::string printed;  // as the file writes it
  std::string locator;  // `num_hidden_layers, line 4`
};

// Numbers of the shape that a configuration states at its root or in the object of its text model,
// under any of their spellings; what is no plain positive number is left out.
std::vector<Stated> shape_of_config(const document::Value& config);
// The same of the metadata of a GGUF file.
std::vector<Stated> shape_of_gguf(const import::GgufFile& file);

}  // namespace ullage::plan
