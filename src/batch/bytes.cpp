// Reads descriptors.
#include "batch/bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ullage::batch {
namespace {

base::Diagnostic unreadable(const std::string& path, const std::string& why) {
  return {.code = base::Code::file_unreadable,
          .message = base::printable(path) + ": " + why,
          .span = {},
          .hint = {},
          .notes = {}};
}

class Descriptor final : public ByteSource {
 public:
  Descriptor(int descriptor, std::string path, std::optional<std::uint64_t> size)
      : descriptor_(descriptor), path_(std::move(path)), size_(size) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  base::Result<std::size_t> read(char* to, std::size_t most) override {
    ssize_t got = -1;
    do {
      if (interruption()) return std::size_t{0};
      got = ::read(descriptor_, to, most);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return unreadable(path_, std::strerror(errno));
    taken_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }
  std::uint64_t taken() const override { return taken_; }
  std::optional<std::uint64_t> size() const override { return size_; }

 private:
  int descriptor_;
  std::string path_;
  std::optional<std::uint64_t> size_;
  std::uint64_t taken_ = 0;
};

std::optional<std::uint64_t> size_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

std::atomic<bool>& interruption() {
  static std::atomic<bool> interrupted = false;
  return interrupted;
}

base::Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) {
  if (path == "-") {
    return std::unique_ptr<ByteSource>(
        std::make_unique<Descriptor>(STDIN_FILENO, path, size_of(STDIN_FILENO)));
  }
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(path, std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    return unreadable(path, "is a folder");
  }
  std::unique_ptr<ByteSource> bytes =
      std::make_unique<Descriptor>(descriptor, path, size_of(descriptor));
  if (path.ends_with(".gz")) return gunzip(std::move(bytes), path);
  if (path.ends_with(".zst")) return unzstd(std::move(bytes), path);
  return bytes;
}

base::Diagnostic damaged_stream(const std::string& name, const std::string& why) {
  return {.code = base::Code::syntax,
          .message = base::printable(name) + ": " + why,
          .span = {},
          .hint = {},
          .notes = {}};
}

}  // namespace ullage::batch
