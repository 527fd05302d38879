// Versions of engines: `0.6`, `0.10.1`, `0.24.0`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace ullage::engine {

// A series that leaves out its last numbers (`0.6`) stands for the last release of it, so that the
// rules are the last ones known for the series; without any number it is the newest.
struct Version {
  static constexpr std::int64_t kNewest = 1'000'000;

  std::int64_t major = kNewest;
  std::int64_t minor = kNewest;
  std::int64_t patch = kNewest;

  auto operator<=>(const Version&) const = default;
};

// Reads `0.6`, `v0.10.1`, `0.10.1.dev101+g1234`, `b5328`; what stands behind the third number does
// not count. Error usage.
base::Result<Version> parse_version(std::string_view text);

// Whether `version` is at least MAJOR.MINOR.PATCH.
constexpr bool since(const Version& version, std::int64_t major, std::int64_t minor,
                     std::int64_t patch = 0) {
  return version >= Version{major, minor, patch};
}

}  // namespace ullage::engine
