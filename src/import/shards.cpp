// Numbers in file names.
#include "import/shards.hpp"

#include <algorithm>
#include <map>

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::uint64_t kMostShards = 100'000;
constexpr std::size_t kShown = 3;

std::optional<std::uint64_t> number_of(std::string_view digits) {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  std::uint64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder == "." ? name : base::join(folder, name);
}

}  // namespace

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string_view name_in_folder(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string ShardName::of(std::uint64_t shard) const {
  const auto padded = [&](std::uint64_t value) {
    std::string text = std::to_string(value);
    if (text.size() < digits) text.insert(0, digits - text.size(), '0');
    return text;
  };
  return stem + "-" + padded(shard) + "-of-" + padded(count) + ending;
}

std::optional<ShardName> shard_name(std::string_view name) {
  const auto point = name.rfind('.');
  if (point == std::string_view::npos) return std::nullopt;
  const std::string_view body = name.substr(0, point);
  const auto of = body.rfind("-of-");
  if (of == std::string_view::npos) return std::nullopt;
  const auto dash = body.rfind('-', of == 0 ? 0 : of - 1);
  if (dash == std::string_view::npos || dash >= of) return std::nullopt;
  const std::string_view digits = body.substr(dash + 1, of - dash - 1);
  const auto number = number_of(digits);
  const auto count = number_of(body.substr(of + 4));
  if (!number || !count) return std::nullopt;
  return ShardName{.stem = std::string(body.substr(0, dash)),
                   .ending = std::string(name.substr(point)),
                   .number = *number,
                   .count = *count,
                   .digits = digits.size()};
}

base::Result<std::vector<std::string>> shards_of(const base::FileSystem& files,
                                                 const std::string& path) {
  const auto shard = shard_name(name_in_folder(path));
  if (!shard) return std::vector<std::string>{path};
  if (shard->number == 0 || shard->number > shard->count || shard->count > kMostShards) {
    return Diagnostic{.code = Code::out_of_range,
                      .message = "shard " + std::to_string(shard->number) + " of " +
                                 std::to_string(shard->count) + " cannot be",
                      .span = {path, 0, 0},
                      .hint = "shards count from 1: model-00001-of-00003",
                      .notes = {}};
  }
  const std::string folder = folder_of(path);
  std::vector<std::string> all;
  std::vector<std::string> missing;
  for (std::uint64_t i = 1; i <= shard->count; ++i) {
    const std::string name = shard->of(i);
    all.push_back(joined(folder, name));
    if (files.kind_of(all.back()) == base::PathKind::missing) missing.push_back(name);
  }
  if (missing.empty()) return all;
  std::string names;
  for (std::size_t i = 0; i < missing.size() && i < kShown; ++i)
    names += (i == 0 ? "" : ", ") + missing[i];
  if (missing.size() > kShown) names += " …";
  return Diagnostic{.code = Code::file_unreadable,
                    .message = std::to_string(missing.size()) + " of " +
                               std::to_string(shard->count) +
                               " shards are missing: " + base::printable(names),
                    .span = {path, 0, 0},
                    .hint = "every shard has a header of its own; fetch the others",
                    .notes = {}};
}

base::Result<FolderCheckpoint> find_checkpoint(const base::FileSystem& files,
                                               const std::string& folder, std::string_view ending) {
  ULLAGE_TRY(const std::vector<std::string> names, files.list(folder));
  // By what stands before the number, or the whole name: the first file of each set.
  std::map<std::string, std::string> sets;
  for (const std::string& name : names) {
    // Adapters are laid over a model; they are none.
    if (!name.ends_with(ending) || name.starts_with("adapter_")) continue;
    const auto shard = shard_name(name);
    const std::string key = shard ? shard->stem + "-of-" + std::to_string(shard->count)
                                  : name.substr(0, name.size() - ending.size());
    sets.emplace(key, name);
  }
  FolderCheckpoint found;
  if (sets.empty()) return found;
  auto chosen = sets.find("model");
  if (chosen == sets.end()) {
    const auto is_model = [](const auto& set) { return set.first.starts_with("model-of-"); };
    if (std::count_if(sets.begin(), sets.end(), is_model) == 1) {
      chosen = std::find_if(sets.begin(), sets.end(), is_model);
    } else if (sets.size() == 1) {
      chosen = sets.begin();
    }
  }
  if (chosen == sets.end()) {
    for (const auto& [key, name] : sets)
      found.rivals.push_back(name);
    return found;
  }
  const auto shard = shard_name(chosen->second);
  if (!shard) {
    found.files.push_back(joined(folder, chosen->second));
    return found;
  }
  for (std::uint64_t i = 1; i <= std::min(shard->count, kMostShards); ++i) {
    const std::string path = joined(folder, shard->of(i));
    (files.kind_of(path) == base::PathKind::missing ? found.missing : found.files).push_back(path);
  }
  return found;
}

}  // namespace ullage::import
