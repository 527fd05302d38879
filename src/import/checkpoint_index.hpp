// The index file beside a configuration: what the checkpoint really stores.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/file_system.hpp"
#include "import/stored_tensors.hpp"
#include "provenance/graph.hpp"

namespace ullage::import {

// What the names of a checkpoint tell, whether an index or the headers list them.
struct CheckpointNames {
  bool stores_head = false;           // a head of its own
  bool stores_table = false;          // an input table
  bool stores_output = false;         // anything that may be a head, under any name
  bool names_tensors = false;         // whether any is named at all
  bool stores_vision = false;         // a vision tower
  std::int64_t last_layer = -1;       // the highest number in `layers.N.`
  bool stores_module = false;         // tensors of multi-token prediction by name
  bool stores_module_copies = false;  // with a table or head inside a layer

  // Takes in one name, or one with stars whose layers go up to `last`.
  void see(std::string_view name, std::int64_t last);
};
CheckpointNames names_of(const StoredTensors& tensors);

struct CheckpointIndex {
  std::string file;
  CheckpointNames names;
  std::optional<provenance::FigureId> total_size;  // bytes of every tensor, `metadata.total_size`
  std::set<std::string> shards;                    // the files that its weight map names
  NameSet tensors;
};

// Reads model.safetensors.index.json or pytorch_model.bin.index.json in `folder`, the first that
// exists; nothing where there is none. Errors: as read_index.
base::Result<std::optional<CheckpointIndex>> read_checkpoint_index(const base::FileSystem& files,
                                                                   const std::string& folder,
                                                                   provenance::Graph& graph);

// Reads one index file. Errors, each at line and column: syntax, wrong_type; duplicate_key where a
// tensor is given to two shards; out_of_range where total_size is no positive number of bytes, or
// a shard's name leads out of the folder.
base::Result<CheckpointIndex> read_index(const base::FileSystem& files, const std::string& path,
                                         provenance::Graph& graph);

}  // namespace ullage::import
