// Checkpoints by their headers: alone, or beside a configuration with which they are compared.
#pragma once

#include <string>
#include <vector>

#include "import/header_inventory.hpp"
#include "import/open.hpp"

namespace ullage::import {

// Lets what lies in `folder` beside a configuration decide what its family's rule assumes:
// prediction modules, towers, heads that are stored again, and the bytes. `chosen` are the
// safetensors files to read where the user named them; empty for those that the folder's index or
// its names give. Differences between shape and headers become notes. Errors: every fault of an
// index or header.
base::Result<void> follow_checkpoint(OpenContext& context, const std::string& folder,
                                     const std::vector<std::string>& chosen, model::Model& model);

// The model of safetensors files without a configuration: parameters and bytes, no caches.
base::Result<model::Model> open_safetensors(OpenContext& context, std::string name,
                                            const std::vector<std::string>& paths);

// The model of an index whose shards are not at hand: its bytes, and nothing else.
base::Result<model::Model> open_index(OpenContext& context, std::string name,
                                      const std::string& path);

// Says what a checkpoint stores beside its weights: the usual reason why published totals differ.
void note_beside(const HeaderSums& sums, const std::string& where, model::Model& model);

// `m/model-00001-of-00062.safetensors and 61 more`.
std::string name_files(const std::vector<std::string>& paths);

}  // namespace ullage::import
