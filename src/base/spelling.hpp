// Nearest spelling: what a person probably meant by a name that does not exist.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ullage::base {

// Edit distance (insertion, deletion, substitution, swap of neighbours), case ignored. Stops early
// and returns `limit + 1` once the distance must exceed `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// Up to `most` candidates near `word`, nearest first, ties in the order given. Near means within a
// third of its length (at least 2), or holding every word part of it (`h100` in
// `nvidia-h100-pcie`).
std::vector<std::string> nearest(std::string_view word,
                                 std::span<const std::string_view> candidates,
                                 std::size_t most = 5);

// `did you mean a, b or c?`, or an empty text where there is no suggestion.
std::string did_you_mean(const std::vector<std::string>& suggestions);

// ASCII letters in lower case, other bytes as they are.
std::string lower(std::string_view text);

}  // namespace ullage::base
