// The file system of tests: a map of paths.
#include <algorithm>

#include "base/file_faults.hpp"
#include "base/file_system.hpp"

namespace ullage::base {
namespace {

std::string without_final_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  return path;
}

// What the paths of everything below a folder begin with.
std::string prefix_of(const std::string& folder) {
  if (folder.empty() || folder == ".") return {};
  return folder == "/" ? folder : folder + '/';
}

}  // namespace

PathKind MemoryFileSystem::kind_of(const std::string& path) const {
  if (files.contains(path)) return PathKind::file;
  const std::string prefix = prefix_of(without_final_slashes(path));
  const auto below = files.lower_bound(prefix);
  const bool is_folder = below != files.end() && below->first.starts_with(prefix);
  return is_folder ? PathKind::folder : PathKind::missing;
}

Result<std::string> MemoryFileSystem::read(const std::string& path, std::uint64_t limit) const {
  const auto found = files.find(path);
  if (found == files.end()) {
    return kind_of(path) == PathKind::folder ? folder_as_file(path) : missing_file(path);
  }
  if (found->second.size() > limit) return too_large(path, limit);
  return found->second;
}

Result<std::uint64_t> MemoryFileSystem::size_of(const std::string& path) const {
  const auto found = files.find(path);
  if (found != files.end()) return std::uint64_t{found->second.size()};
  return kind_of(path) == PathKind::folder ? folder_as_file(path) : missing_file(path);
}

Result<std::string> MemoryFileSystem::read_part(const std::string& path, std::uint64_t offset,
                                                std::uint64_t length) const {
  const auto found = files.find(path);
  if (found == files.end()) {
    return kind_of(path) == PathKind::folder ? folder_as_file(path) : missing_file(path);
  }
  if (offset >= found->second.size()) return std::string();
  return found->second.substr(offset, length);
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& path) const {
  switch (kind_of(path)) {
    case PathKind::file:
      return file_as_folder(path);
    case PathKind::missing:
    case PathKind::other:
      return missing_folder(path);
    case PathKind::folder:
      break;
  }
  const std::string prefix = prefix_of(without_final_slashes(path));
  std::vector<std::string> names;
  for (auto entry = files.lower_bound(prefix); entry != files.end(); ++entry) {
    if (!entry->first.starts_with(prefix)) break;
    const std::string rest = entry->first.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('/'));
    if (!name.empty()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::string> MemoryFileSystem::read_standard_input(std::uint64_t limit) const {
  if (standard_input.size() > limit) return too_large("-", limit);
  return standard_input;
}

}  // namespace ullage::base
