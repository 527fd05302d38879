// The header of a GGUF file, version 2 or 3: metadata and the table of tensors. The layout is that
// of llama.cpp's ggml/src/gguf.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.hpp"
#include "catalog/storage_format.hpp"
#include "import/stored_tensors.hpp"

namespace ullage::import {

// A value of the metadata. Floating-point values and long arrays are passed over: of them only
// place and count are kept.
struct GgufValue {
  enum class Kind : std::uint8_t { number, text, real, numbers, other };
  Kind kind = Kind::other;
  std::int64_t number = 0;            // number
  std::string text;                   // text
  std::vector<std::int64_t> numbers;  // numbers: an array of whole numbers or truths
  std::uint64_t count = 0;            // entries of an array
  std::uint64_t offset = 0;           // the byte of the file at which its key stands
};

struct GgufFile {
  std::vector<std::string> paths;  // every file of a split one
  std::map<std::string, GgufValue, std::less<>> metadata;
  StoredTensors tensors;
  std::uint64_t padding = 0;                // bytes between tensors
  std::vector<std::uint64_t> header_bytes;  // of each file, up to its tensors

  // Where the value of a key stands: `x.gguf, byte 42`.
  std::string where(const GgufValue& value) const;
};

// Reads the headers of one file, or of the parts of a split one in their order. Errors name the
// byte: syntax (no GGUF, another version, a byte order that is not little-endian, lengths and
// counts beyond the file); unknown_name of a tensor type; duplicate_key; out_of_range (offsets that
// are not aligned, overlap or lie outside, shapes that their type cannot hold, parts that do not
// belong together).
base::Result<GgufFile> read_gguf(const base::FileSystem& files,
                                 const std::vector<std::string>& paths,
                                 const catalog::StorageFormats& formats);

}  // namespace ullage::import
