// The double in memory answers like a disk.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/file_system.hpp"

using namespace ullage::base;
using Names = std::vector<std::string>;

namespace {

MemoryFileSystem example() {
  MemoryFileSystem files;
  files.files = {{"data/b.yaml", "b"},
                 {"data/a.yaml", "a"},
                 {"data/deep/c.yaml", "c"},
                 {"data-old", "x"},
                 {"/etc/hosts", "h"}};
  files.standard_input = "piped";
  return files;
}

}  // namespace

TEST_CASE("folders exist where a file lies below them") {
  const MemoryFileSystem files = example();
  CHECK(files.kind_of("data") == PathKind::folder);
  CHECK(files.kind_of("data/") == PathKind::folder);
  CHECK(files.kind_of("data/deep") == PathKind::folder);
  CHECK(files.kind_of("dat") == PathKind::missing);
  CHECK(files.kind_of("data/a.yaml") == PathKind::file);
  CHECK(files.kind_of("/") == PathKind::folder);
  CHECK(files.kind_of("/etc") == PathKind::folder);
  CHECK(files.kind_of(".") == PathKind::folder);
  CHECK(MemoryFileSystem().kind_of(".") == PathKind::missing);
}

TEST_CASE("a file is read whole, or the reason is told") {
  const MemoryFileSystem files = example();
  CHECK(files.read("data/a.yaml", 1).value() == "a");
  CHECK(files.read("/etc/hosts", 10).value() == "h");
  CHECK(files.read("data/a.yaml", 0).error().message == "this is larger than the limit of 0 bytes");
  CHECK(files.read("data", 9).error().message == "this is a folder, not a file");
  const auto missing = files.read("data/z.yaml", 9);
  CHECK(missing.error().code == Code::file_unreadable);
  CHECK(missing.error().span.file == "data/z.yaml");
  CHECK(missing.error().message == "there is no such file");
}

TEST_CASE("a folder lists each name once, sorted") {
  const MemoryFileSystem files = example();
  CHECK(files.list("data").value() == Names{"a.yaml", "b.yaml", "deep"});
  CHECK(files.list("data/").value() == Names{"a.yaml", "b.yaml", "deep"});
  CHECK(files.list("/").value() == Names{"etc"});
  CHECK(files.list("data/a.yaml").error().message == "this is not a folder");
  CHECK(files.list("nowhere").error().message == "there is no such folder");
}

TEST_CASE("standard input has a limit too") {
  const MemoryFileSystem files = example();
  CHECK(files.read_standard_input(5).value() == "piped");
  CHECK(files.read_standard_input(4).error().span.file == "-");
}

TEST_CASE("joining leaves one slash") {
  CHECK(join("a", "b") == "a/b");
  CHECK(join("a/", "b") == "a/b");
  CHECK(join("a//", "/b") == "a/b");
  CHECK(join("/", "b") == "/b");
  CHECK(join("", "b") == "b");
}
