// The index file beside a configuration: what the checkpoint really stores.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.hpp"
#include "provenance/graph.hpp"

namespace ullage::import {

struct CheckpointIndex {
  std::string file;
  std::optional<provenance::FigureId> total_size;  // bytes of every tensor, `metadata.total_size`
  bool stores_head = false;                        // whether the weight map names a head
  bool names_tensors = false;                      // whether there is a weight map at all
  bool stores_vision = false;                      // a vision tower
  std::int64_t last_layer = -1;                    // the highest number in `layers.N.`
  bool stores_module = false;                      // tensors of multi-token prediction by name
  bool stores_module_copies = false;               // with a table or head inside a layer
};

// Reads model.safetensors.index.json or pytorch_model.bin.index.json in `folder`, the first that
// exists; nothing where there is none. Error where it is there and cannot be read.
base::Result<std::optional<CheckpointIndex>> read_checkpoint_index(const base::FileSystem& files,
                                                                   const std::string& folder,
                                                                   provenance::Graph& graph);

}  // namespace ullage::import
