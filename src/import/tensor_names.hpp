// What a stored tensor is, by its name: the part of the model that it belongs to, and whether it is
// a weight at all.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/inventory.hpp"

namespace ullage::import {

enum class StoredRole : std::uint8_t {
  parameter,
  scale,   // of a quantised weight: scales, zero points, group indices, code books
  buffer,  // a constant that the program could compute: rotary frequencies, masks, positions
};

struct NameReading {
  model::Component component = model::Component::other;
  StoredRole role = StoredRole::parameter;
  model::Split split = model::Split::replicated;
  bool routed = false;  // one of the experts that a router chooses from
  bool copy = false;    // of the table or the head, inside a prediction layer
};

// Of checkpoints as transformers and its kin name them; a number between points is a star.
// A name that tells no part is `other`.
NameReading read_checkpoint_name(std::string_view name);

// Of a GGUF file, gguf-py/gguf/constants.py, TENSOR_NAMES.
NameReading read_gguf_name(std::string_view name);

}  // namespace ullage::import
