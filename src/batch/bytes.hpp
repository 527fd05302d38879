// Bytes of an input as they come: a file, standard input, or what a compressed one holds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace ullage::batch {

// Whether somebody asked to end: what was read is answered, and nothing more is read. A signal
// handler may set it.
std::atomic<bool>& interruption();

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Puts up to `most` bytes at `to` as soon as there are any; 0 at the end, or after an
  // interruption. Error file_unreadable; syntax for a compressed stream that is damaged or ends too
  // soon.
  virtual base::Result<std::size_t> read(char* to, std::size_t most) = 0;
  // Bytes taken from the disk, and how many there are; nothing where that is not known.
  virtual std::uint64_t taken() const = 0;
  virtual std::optional<std::uint64_t> size() const = 0;
};

// A path, or `-`. `.gz` and `.zst` are unpacked while they are read. Error file_unreadable.
base::Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

// `NAME: why`, error syntax: of a compressed stream that cannot be unpacked.
base::Diagnostic damaged_stream(const std::string& name, const std::string& why);

// What unpacks `packed`. `name` is for messages.
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed, std::string name);
std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> packed, std::string name);

}  // namespace ullage::batch
