// Reading a file of any size from front to back, piece by piece: only what was asked for and a
// small piece behind it is ever held.
#pragma once

#include <cstdint>
#include <string>

#include "base/file_system.hpp"

namespace ullage::base {

// Little-endian numbers and bytes. A read beyond the end is a syntax fault that names the byte.
class FileCursor {
 public:
  // Of a file of `size` bytes (FileSystem::size_of).
  FileCursor(const FileSystem& files, std::string path, std::uint64_t size)
      : files_(files), path_(std::move(path)), size_(size) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining() const { return size_ - offset_; }
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

  Result<std::uint8_t> u8();
  Result<std::uint16_t> u16();
  Result<std::uint32_t> u32();
  Result<std::uint64_t> u64();
  // The next bytes, copied; the caller bounds their number.
  Result<std::string> take(std::uint64_t count);
  // Passes over bytes without reading them.
  Result<void> skip(std::uint64_t count);

 private:
  Result<std::uint64_t> number(std::uint64_t bytes);
  // Makes the next `count` bytes stand in the piece.
  Result<void> fill(std::uint64_t count);

  const FileSystem& files_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;
  std::string piece_;
  std::uint64_t piece_offset_ = 0;  // of its first byte in the file
};

}  // namespace ullage::base
