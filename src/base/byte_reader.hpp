// Bounds-checked reading of little-endian binary formats.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace ullage::base {

// A cursor over bytes that somebody else owns. Every read checks the bounds; a read beyond the end
// is a syntax fault at the byte offset (`line` 0, the offset in the message) and moves nothing.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining() const { return bytes_.size() - offset_; }
  bool at_end() const { return remaining() == 0; }

  Result<std::uint8_t> u8();
  Result<std::uint32_t> u32();
  Result<std::uint64_t> u64();
  // Unsigned LEB128, at most ten bytes.
  Result<std::uint64_t> varint();
  // The next `count` bytes, borrowed.
  Result<std::string_view> take(std::uint64_t count);

 private:
  Diagnostic beyond(std::uint64_t wanted) const;

  std::string_view bytes_;
  std::string file_;
  std::uint64_t offset_ = 0;
};

}  // namespace ullage::base
