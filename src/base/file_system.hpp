// Reading files behind an interface, so that everything above runs in tests without a disk.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace ullage::base {

enum class PathKind : std::uint8_t { missing, file, folder, other };

// What the rooms above may ask of a disk. Paths are as the user typed them: relative ones are taken
// from the working folder.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // What stands at `path`, symbolic links followed. A loop of links or a lack of permission is
  // `other`.
  virtual PathKind kind_of(const std::string& path) const = 0;

  // The whole content of a regular file of at most `limit` bytes. Errors: file_unreadable with the
  // reason (missing, a folder, a device or pipe, larger than the limit, permission).
  virtual Result<std::string> read(const std::string& path, std::uint64_t limit) const = 0;

  // The length of a regular file in bytes. Errors: file_unreadable, as for read.
  virtual Result<std::uint64_t> size_of(const std::string& path) const = 0;

  // The `length` bytes of a regular file behind `offset`, fewer only where it ends before; nothing
  // else of it is read. Errors: file_unreadable, as for read.
  virtual Result<std::string> read_part(const std::string& path, std::uint64_t offset,
                                        std::uint64_t length) const = 0;

  // The names (not paths) in a folder, sorted bytewise.
  virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;

  // Everything on standard input, at most `limit` bytes.
  virtual Result<std::string> read_standard_input(std::uint64_t limit) const = 0;
};

// The machine's own files.
class RealFileSystem final : public FileSystem {
 public:
  PathKind kind_of(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override;
  Result<std::uint64_t> size_of(const std::string& path) const override;
  Result<std::string> read_part(const std::string& path, std::uint64_t offset,
                                std::uint64_t length) const override;
  Result<std::vector<std::string>> list(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;
};

// Files in memory, for tests. Folders exist where a file lies below them.
class MemoryFileSystem final : public FileSystem {
 public:
  std::map<std::string, std::string> files;
  std::string standard_input;

  PathKind kind_of(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override;
  Result<std::uint64_t> size_of(const std::string& path) const override;
  Result<std::string> read_part(const std::string& path, std::uint64_t offset,
                                std::uint64_t length) const override;
  Result<std::vector<std::string>> list(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;
};

// `folder/name` with exactly one slash between them.
std::string join(std::string_view folder, std::string_view name);

}  // namespace ullage::base
