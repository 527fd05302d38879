// Weights of the most loaded device of a layout.
#pragma once

#include <string>
#include <vector>

#include "memory/shards.hpp"
#include "memory/weights.hpp"

namespace ullage::memory {

struct ComponentBytes {
  model::Component component;
  provenance::Figure<units::Bytes> bytes;
};

struct DeviceWeights {
  std::size_t stage = 0;  // the largest one
  provenance::Figure<units::Count> elements;
  provenance::Figure<units::Bytes> bytes;  // as stored where every tensor's format is known, else
                                           // elements × bits ÷ 8; unknown where no width is stated
  std::vector<ComponentBytes> components;  // they sum to `bytes`
  std::vector<base::Note> notes;           // of the layout, and on what the bytes rest
};

// What one device of the largest stage holds. Errors: those of `shard`; unknown_name for a format.
base::Result<DeviceWeights> device_weights(provenance::Graph& graph, const model::Model& model,
                                           const Weights& weights, const Layout& layout,
                                           catalog::Catalogue& catalogue);

}  // namespace ullage::memory
