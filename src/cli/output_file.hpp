// Writing: all of a text to a descriptor, and a file whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace ullage::cli {

// Writes all of it; false with errno where that fails.
bool write_all(int descriptor, std::string_view text);

// A file that is written beside its place and takes it at the end. Left before that, nothing of it
// remains.
class OutputFile {
 public:
  // Links are followed, so that the file behind one is replaced and not the link; only a regular
  // file is ever replaced. Errors: usage for a path that names none, file_unreadable.
  static base::Result<OutputFile> beside(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  int descriptor() const { return descriptor_; }
  // Puts what was written into its place. Error file_unreadable.
  base::Result<void> commit();
  // What `errno` says about a step: `--output-file: cannot be written: No space left on device`.
  base::Diagnostic failed(const char* step) const;

 private:
  OutputFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace ullage::cli
