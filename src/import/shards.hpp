// The files of a checkpoint: one, or numbered shards `model-00001-of-00003.safetensors`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.hpp"

namespace ullage::import {

// The parts of a shard's name.
struct ShardName {
  std::string stem;    // `model`
  std::string ending;  // `.safetensors`
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  std::size_t digits = 0;

  std::string of(std::uint64_t shard) const;  // the name of another shard
};
// Nothing where the name, without its folder, is not numbered.
std::optional<ShardName> shard_name(std::string_view name);

// Every file of the checkpoint that `path` is one shard of, or `path` alone. Errors:
// file_unreadable naming the shards that are missing; out_of_range where the number is none of the
// count.
base::Result<std::vector<std::string>> shards_of(const base::FileSystem& files,
                                                 const std::string& path);

// The folder of a path, `.` where it names none, and the name in it.
std::string folder_of(std::string_view path);
std::string_view name_in_folder(std::string_view path);

// The checkpoint with that ending in a folder: `model.safetensors`, else the shards called `model`,
// else the only file or set of shards. Empty where there is none; where several have a claim,
// `rivals` names them.
struct FolderCheckpoint {
  std::vector<std::string> files;    // shards in their order
  std::vector<std::string> missing;  // shards that should be there
  std::vector<std::string> rivals;
};
base::Result<FolderCheckpoint> find_checkpoint(const base::FileSystem& files,
                                               const std::string& folder, std::string_view ending);

}  // namespace ullage::import
