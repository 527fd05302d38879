// Descriptors, links and renames.
#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace ullage::cli {
namespace {

using base::Diagnostic;

// Where the path leads.
base::Result<std::string> output_target(const std::string& path) {
  const auto refused = [&](std::string why) {
    return Diagnostic{.code = base::Code::usage,
                      .message = "--output-file " + base::printable(path) + ": " + std::move(why),
                      .span = {},
                      .hint = "name a regular file, or leave the flag out for standard output",
                      .notes = {}};
  };
  if (path.empty() || path == "-") return refused("this names no file");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return refused(std::strerror(errno));
    if (lstat(path.c_str(), &status) == 0) return refused("a link that leads nowhere");
    return path;
  }
  if (!S_ISREG(status.st_mode)) return refused("this is not a regular file");
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return refused(std::strerror(errno));
  std::string target(resolved);
  std::free(resolved);
  return target;
}

}  // namespace

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

base::Result<OutputFile> OutputFile::beside(const std::string& path) {
  ULLAGE_TRY(std::string target, output_target(path));
  struct stat before {};
  const bool replaces = stat(target.c_str(), &before) == 0;
  std::string temporary = target + ".ullage-" + std::to_string(getpid());
  OutputFile file(std::move(target), std::move(temporary));
  file.descriptor_ = open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) return file.failed("cannot be created");
  // A file that is replaced keeps its permissions.
  if (replaces && fchmod(file.descriptor_, before.st_mode & 07777) != 0) {
    return file.failed("cannot be written");
  }
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

base::Result<void> OutputFile::commit() {
  if (fsync(descriptor_) != 0) return failed("cannot be written");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return failed("cannot be renamed into place");
  close(std::exchange(descriptor_, -1));
  return {};
}

Diagnostic OutputFile::failed(const char* step) const {
  return {.code = base::Code::file_unreadable,
          .message = std::string("--output-file: ") + step + ": " + std::strerror(errno),
          .span = {path_, 0, 0},
          .hint = {},
          .notes = {}};
}

}  // namespace ullage::cli
