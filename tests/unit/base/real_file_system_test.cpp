// What the disk may hold instead of a readable regular file, each with its own message.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/file_system.hpp"

using namespace ullage::base;
using Names = std::vector<std::string>;

namespace {

constexpr std::uint64_t kLimit = 1 << 20;
const RealFileSystem kDisk;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ullage-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return join(path_, name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// The message of a read that must fail; every failure needs a place and a hint.
std::string refusal(const std::string& path, std::uint64_t limit = kLimit) {
  const auto read = kDisk.read(path, limit);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().code == Code::file_unreadable);
  CHECK(read.error().span == Span{path, 0, 0});
  CHECK_FALSE(read.error().hint.empty());
  return read.error().message;
}

// Standard input replaced by a file for the life of the object.
class StandardInput {
 public:
  explicit StandardInput(int replacement) : saved_(::dup(STDIN_FILENO)) {
    if (replacement >= 0) {
      ::dup2(replacement, STDIN_FILENO);
    } else {
      ::close(STDIN_FILENO);
    }
  }
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int saved_;
};

}  // namespace

TEST_CASE("a regular file is read to the last byte") {
  const TemporaryFolder folder;
  const std::string content("a\0\xff\r\n", 5);
  write(folder / "a", content);
  write(folder / "empty", "");
  CHECK(kDisk.read(folder / "a", kLimit).value() == content);
  CHECK(kDisk.read(folder / "empty", kLimit).value().empty());
  CHECK(kDisk.read(folder / "empty", 0).value().empty());
  std::filesystem::create_symlink(folder / "a", folder / "link");
  CHECK(kDisk.read(folder / "link", kLimit).value() == content);
  CHECK(kDisk.kind_of(folder / "link") == PathKind::file);
}

TEST_CASE("a file of exactly the limit is read, one byte more is refused") {
  const TemporaryFolder folder;
  write(folder / "a", std::string(1000, 'x'));
  CHECK(kDisk.read(folder / "a", 1000).value().size() == 1000);
  CHECK(kDisk.read(folder / "a", ~0ull).value().size() == 1000);
  CHECK(refusal(folder / "a", 999) == "this is larger than the limit of 999 bytes");
}

TEST_CASE("missing files and wrong paths are told apart") {
  const TemporaryFolder folder;
  write(folder / "a", "x");
  CHECK(refusal(folder / "b") == "there is no such file");
  CHECK(refusal(folder / "a/b") == "a part of this path is a file where a folder is needed");
  CHECK(refusal(folder / std::string(300, 'n')) == "this path is too long for the system");
  CHECK(refusal("") == "the path is empty");
  CHECK(refusal((folder / "a") + std::string("\0b", 2)) == "the path holds a NUL byte");
  CHECK(kDisk.kind_of(folder / "b") == PathKind::missing);
  CHECK(kDisk.kind_of(folder / "a/b") == PathKind::missing);
}

TEST_CASE("folders, pipes, sockets and devices are refused without waiting") {
  const TemporaryFolder folder;
  CHECK(refusal(folder.path()) == "this is a folder, not a file");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(refusal(folder / "pipe") == "this is a pipe, not a regular file");
  CHECK(kDisk.kind_of(folder / "pipe") == PathKind::other);
  CHECK(refusal("/dev/zero") == "this is a device, not a regular file");
  CHECK(kDisk.kind_of("/dev/null") == PathKind::other);

  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder / "socket";
  REQUIRE(path.size() < sizeof(address.sun_path));
  path.copy(address.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(refusal(path) == "this is a socket, not a regular file");
  ::close(socket);
}

TEST_CASE("links that lead in a loop or nowhere are refused") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder / "b", folder / "a");
  std::filesystem::create_symlink(folder / "a", folder / "b");
  std::filesystem::create_symlink(folder / "gone", folder / "c");
  CHECK(refusal(folder / "a") == "the symbolic links of this path lead in a loop");
  CHECK(kDisk.kind_of(folder / "a") == PathKind::other);
  CHECK(refusal(folder / "c") == "there is no such file");
  CHECK(kDisk.kind_of(folder / "c") == PathKind::missing);
}

TEST_CASE("a file without permission is refused") {
  const TemporaryFolder folder;
  write(folder / "a", "secret");
  REQUIRE(::chmod((folder / "a").c_str(), 0) == 0);
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  // Root may read everything; become somebody else for the attempt.
  const uid_t self = ::geteuid();
  constexpr uid_t kNobody = 65534;
  if (self == 0) REQUIRE(::seteuid(kNobody) == 0);
  CHECK(refusal(folder / "a") == "no permission to read this");
  if (self == 0) REQUIRE(::seteuid(0) == 0);
}

TEST_CASE("a file that grows while it is read is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  write(path, std::string(8 << 20, 'x'));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    const int log = ::open(path.c_str(), O_WRONLY | O_APPEND);
    while (!done && ::write(log, "y", 1) == 1) {
    }
    ::close(log);
  });
  std::string message;
  for (int attempt = 0; attempt < 200 && message.empty(); ++attempt) {
    const auto read = kDisk.read(path, 64 << 20);
    if (!read.ok()) message = read.error().message;
  }
  done = true;
  writer.join();
  CHECK(message.starts_with("the file changed while it was read: "));
  CHECK(message.ends_with(" bytes at first, then more"));
}

TEST_CASE("files of /proc, which state no size, are read") {
  const auto read = kDisk.read("/proc/self/status", kLimit);
  REQUIRE(read.ok());
  CHECK(read.value().starts_with("Name:"));
  CHECK(refusal("/proc/self/status", 10) == "this is larger than the limit of 10 bytes");
}

TEST_CASE("a folder lists its names sorted, without itself and its parent") {
  const TemporaryFolder folder;
  write(folder / "b", "");
  write(folder / "B", "");
  write(folder / ".a", "");
  CHECK(kDisk.list(folder.path()).value() == Names{".a", "B", "b"});
  CHECK(kDisk.list(folder / "b").error().message == "this is not a folder");
  CHECK(kDisk.list(folder / "none").error().message == "there is no such folder");
  CHECK_FALSE(kDisk.list("").ok());
  CHECK(kDisk.kind_of(folder.path()) == PathKind::folder);
}

TEST_CASE("standard input is read to its end or to the limit") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "abc", 3) == 3);
  ::close(ends[1]);
  {
    const StandardInput replaced(ends[0]);
    CHECK(kDisk.read_standard_input(3).value() == "abc");
  }
  ::close(ends[0]);
  const int endless = ::open("/dev/zero", O_RDONLY);
  {
    const StandardInput replaced(endless);
    const auto read = kDisk.read_standard_input(100'000);
    CHECK(read.error().message == "this is larger than the limit of 100000 bytes");
    CHECK(read.error().span.file == "-");
  }
  ::close(endless);
  const StandardInput closed(-1);
  CHECK(kDisk.read_standard_input(3).error().message == "standard input is closed");
}

TEST_CASE("a folder on standard input is refused") {
  const TemporaryFolder folder;
  const int opened = ::open(folder.path().c_str(), O_RDONLY);
  {
    const StandardInput replaced(opened);
    CHECK(kDisk.read_standard_input(3).error().message == "this is a folder, not a file");
  }
  ::close(opened);
}
