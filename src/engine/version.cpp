// Reads up to three numbers.
#include "engine/version.hpp"

#include <array>
#include <charconv>

namespace ullage::engine {

base::Result<Version> parse_version(std::string_view text) {
  const auto fault = [&] {
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "`" + base::printable(text, 60) + "` is no version",
                            .span = {},
                            .hint = "numbers such as 0.6, 0.10.1 or v0.24.0",
                            .notes = {}};
  };
  std::string_view rest = text;
  if (rest.starts_with('v') || rest.starts_with('b')) rest.remove_prefix(1);
  std::array<std::int64_t, 3> numbers{Version::kNewest, Version::kNewest, Version::kNewest};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), numbers[i]);
    if (failure != std::errc() || numbers[i] < 0 || numbers[i] >= Version::kNewest) return fault();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.empty()) break;
    const bool more = rest.front() == '.' && rest.size() > 1 && i + 1 < numbers.size() &&
                      rest[1] >= '0' && rest[1] <= '9';
    if (!more) {
      const bool suffix = rest.starts_with(".dev") || rest.starts_with(".post") ||
                          rest.starts_with("rc") || rest.starts_with("post") ||
                          rest.front() == '-' || rest.front() == '+';
      if (!suffix) return fault();
      break;
    }
    rest.remove_prefix(1);
  }
  return Version{numbers[0], numbers[1], numbers[2]};
}

}  // namespace ullage::engine
