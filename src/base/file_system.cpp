// Reading the machine's own files through POSIX calls, so that nothing but a regular file is ever
// waited for.
#include "base/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file_faults.hpp"

namespace ullage::base {
namespace {

constexpr std::size_t kChunk = 64 * 1024;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

Diagnostic system_fault(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
      return missing_file(path);
    case ENOTDIR:
      return unreadable(path, "a part of this path is a file where a folder is needed",
                        "check the path");
    case EISDIR:
      return folder_as_file(path);
    case ELOOP:
      return unreadable(path, "the symbolic links of this path lead in a loop",
                        "`ls -l` shows where each link points; name the file itself");
    case EACCES:
    case EPERM:
      return unreadable(path, "no permission to read this",
                        "`ls -l` shows who may read the file and enter its folders");
    case ENAMETOOLONG:
      return unreadable(path, "this path is too long for the system", "check the path");
    case ENXIO:
      return unreadable(path, "nothing stands behind this path that could be read",
                        "name a regular file");
    default:
      return unreadable(path,
                        "the system cannot read this: " + std::generic_category().message(error),
                        "try again, or name another file");
  }
}

// Why `mode` is not that of a regular file, or nothing.
std::optional<Diagnostic> refuse_kind(const std::string& path, mode_t mode) {
  const std::string hint = "put the content in a regular file and name that";
  if (S_ISREG(mode)) return std::nullopt;
  if (S_ISDIR(mode)) return folder_as_file(path);
  if (S_ISFIFO(mode)) return unreadable(path, "this is a pipe, not a regular file", hint);
  if (S_ISSOCK(mode)) return unreadable(path, "this is a socket, not a regular file", hint);
  return unreadable(path, "this is a device, not a regular file", hint);
}

// A path that the C interface would cut at its NUL byte names another file than the caller meant.
std::optional<Diagnostic> refuse_path(const std::string& path) {
  if (path.empty()) return unreadable(path, "the path is empty", "name a file");
  if (path.find('\0') == std::string::npos) return std::nullopt;
  return unreadable(path, "the path holds a NUL byte", "check the path");
}

// One read that outlasts signals and, on a non-blocking standard input, waits. -1 on a fault, with
// errno.
ssize_t read_some(int descriptor, char* target, std::size_t room) {
  for (;;) {
    const ssize_t count = ::read(descriptor, target, room);
    if (count >= 0) return count;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return -1;
    pollfd waiting{descriptor, POLLIN, 0};
    if (::poll(&waiting, 1, -1) < 0 && errno != EINTR) return -1;
  }
}

// A regular file that is open, with its length.
struct OpenFile {
  Descriptor descriptor;
  std::uint64_t size;
};

Result<OpenFile> open_regular(const std::string& path) {
  if (auto refusal = refuse_path(path)) return *std::move(refusal);
  // Asked before opening, because opening a device may act on it; and again afterwards, because
  // the path may have been replaced in between.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_fault(path, errno);
  if (auto refusal = refuse_kind(path, status.st_mode)) return *std::move(refusal);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return system_fault(path, errno);
  if (::fstat(file.number(), &status) != 0) return system_fault(path, errno);
  if (auto refusal = refuse_kind(path, status.st_mode)) return *std::move(refusal);
  return OpenFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

Diagnostic changed_while_read(const std::string& path, std::uint64_t before,
                              const std::string& after) {
  return unreadable(path,
                    "the file changed while it was read: " + std::to_string(before) +
                        " bytes at first, then " + after,
                    "wait until whatever writes it has finished");
}

// Everything up to the end. `announced` is the size that the system stated, 0 where it states none
// (pipes, and the files of /proc): a file that then turns out longer or shorter is being written.
Result<std::string> read_to_end(const std::string& path, int descriptor, std::uint64_t announced,
                                std::uint64_t limit) {
  std::string content;
  std::uint64_t filled = 0;
  for (;;) {
    if (filled == content.size()) {
      // One byte more than announced, so that growth shows.
      content.resize(announced > 0 && filled == 0 ? announced + 1
                                                  : std::max<std::uint64_t>(kChunk, 2 * filled));
    }
    const ssize_t count = read_some(descriptor, content.data() + filled, content.size() - filled);
    if (count < 0) return system_fault(path, errno);
    if (count == 0) break;
    filled += static_cast<std::uint64_t>(count);
    if (announced > 0 && filled > announced) return changed_while_read(path, announced, "more");
    if (filled > limit) return too_large(path, limit);
  }
  if (announced > 0 && filled < announced) {
    return changed_while_read(path, announced, std::to_string(filled));
  }
  content.resize(filled);
  return content;
}

}  // namespace

PathKind RealFileSystem::kind_of(const std::string& path) const {
  if (refuse_path(path)) return PathKind::missing;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? PathKind::missing : PathKind::other;
  }
  if (S_ISREG(status.st_mode)) return PathKind::file;
  return S_ISDIR(status.st_mode) ? PathKind::folder : PathKind::other;
}

Result<std::string> RealFileSystem::read(const std::string& path, std::uint64_t limit) const {
  ULLAGE_TRY(const OpenFile file, open_regular(path));
  if (file.size > limit) return too_large(path, limit);
  return read_to_end(path, file.descriptor.number(), file.size, limit);
}

Result<std::uint64_t> RealFileSystem::size_of(const std::string& path) const {
  ULLAGE_TRY(const OpenFile file, open_regular(path));
  return file.size;
}

Result<std::string> RealFileSystem::read_part(const std::string& path, std::uint64_t offset,
                                              std::uint64_t length) const {
  ULLAGE_TRY(const OpenFile file, open_regular(path));
  if (offset >= file.size) return std::string();
  std::string content(std::min(length, file.size - offset), '\0');
  std::uint64_t filled = 0;
  while (filled < content.size()) {
    const ssize_t count = ::pread(file.descriptor.number(), content.data() + filled,
                                  content.size() - filled, static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_fault(path, errno);
    if (count == 0) return changed_while_read(path, file.size, std::to_string(offset + filled));
    filled += static_cast<std::uint64_t>(count);
  }
  return content;
}

Result<std::vector<std::string>> RealFileSystem::list(const std::string& path) const {
  if (auto refusal = refuse_path(path)) return *std::move(refusal);
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir(path.c_str()), close);
  if (!folder) {
    if (errno == ENOENT) return missing_folder(path);
    return errno == ENOTDIR ? file_as_folder(path) : system_fault(path, errno);
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return system_fault(path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> RealFileSystem::read_standard_input(std::uint64_t limit) const {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) {
    return unreadable("-", "standard input is closed", "pipe or redirect a file into the command");
  }
  return read_to_end("-", STDIN_FILENO, 0, limit);
}

std::string join(std::string_view folder, std::string_view name) {
  while (!name.empty() && name.front() == '/')
    name.remove_prefix(1);
  if (folder.empty()) return std::string(name);
  while (!folder.empty() && folder.back() == '/')
    folder.remove_suffix(1);
  return std::string(folder) + '/' + std::string(name);
}

}  // namespace ullage::base
