// The header of a .safetensors file. Its layout is that of the safetensors library,
// safetensors/src/tensor.rs: eight bytes with the length of the header, JSON of that length, and
// behind it the tensors without gaps.
#pragma once

#include <string>
#include <string_view>

#include "base/file_system.hpp"
#include "catalog/storage_format.hpp"
#include "import/stored_tensors.hpp"

namespace ullage::import {

// Adds what the header of the file lists to `tensors`; returns the bytes of the file that were
// read, the length and the header. No tensor is read. Errors, each with the byte of the file:
// syntax (a header longer than the file or than 100,000,000 bytes, no JSON); missing_key,
// wrong_type, unknown_name of a dtype; out_of_range where offsets overlap, leave gaps, lie outside
// of the file or are not what dtype and shape need; duplicate_key.
base::Result<std::uint64_t> read_safetensors(const base::FileSystem& files, const std::string& path,
                                             const catalog::StorageFormats& formats,
                                             StoredTensors& tensors);

// The same over the bytes of a header at hand, its length first, of a file of `file_size` bytes.
base::Result<std::uint64_t> read_safetensors_header(std::string_view bytes, std::uint64_t file_size,
                                                    const std::string& path,
                                                    const catalog::StorageFormats& formats,
                                                    StoredTensors& tensors);

}  // namespace ullage::import
