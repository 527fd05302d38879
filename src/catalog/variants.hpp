// What a variant of a model takes from the card that it is a variant of: a quantised or fine-tuned
// checkpoint has the same tensors in other formats, or under other terms.
#pragma once

#include <string_view>

#include "catalog/entry.hpp"

namespace ullage::catalog {

// Whether a figure is one of the shape, the same for every variant, and none of one checkpoint
// (`checkpoint_bytes`, `minimum_memory`, `parameters_stored`, `tensors`, `shards`).
bool is_of_shape(std::string_view figure);

// Gives `variant` what it does not state itself: the base's families, figures of the shape, kind of
// attention and model type, statements, and architecture. Keys of its own architecture replace
// those of the base's configuration or are added to it; the places of a configuration that consists
// of both count from the base's file.
void inherit(const Entry& base, Entry& variant);

}  // namespace ullage::catalog
