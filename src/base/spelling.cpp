// Edit distance and the choice of suggestions.
#include "base/spelling.hpp"

#include <algorithm>
#include <optional>

namespace ullage::base {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_word_character(char letter) {
  return (lower(letter) >= 'a' && lower(letter) <= 'z') || (letter >= '0' && letter <= '9');
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  bool inside = false;
  for (const char letter : text) {
    if (is_word_character(letter)) {
      if (!inside) parts.emplace_back();
      parts.back() += lower(letter);
    }
    inside = is_word_character(letter);
  }
  return parts;
}

bool holds_part(const std::vector<std::string>& parts, const std::string& wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// 0 where every part of the word is a part of the candidate: the word is the candidate's short
// name. 1 where each part at least begins one.
std::optional<std::size_t> holding_distance(const std::vector<std::string>& word,
                                            std::string_view candidate) {
  if (word.empty()) return std::nullopt;
  const std::vector<std::string> parts = parts_of(candidate);
  std::size_t distance = 0;
  for (const std::string& wanted : word) {
    if (holds_part(parts, wanted)) continue;
    const bool begun = std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return part.starts_with(wanted);
    });
    if (!begun || wanted.size() < 2) return std::nullopt;
    distance = 1;
  }
  return distance;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& letter : lowered)
    letter = lower(letter);
  return lowered;
}

// Optimal string alignment with three rows; a row whose best entry, like the one before it, exceeds
// the limit cannot lead back below it.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  std::size_t previous_best = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[j - 1]);
      std::size_t distance = previous[j - 1] + (x == y ? 0 : 1);
      distance = std::min({distance, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2])) {
        distance = std::min(distance, before[j - 2] + 1);
      }
      current[j] = distance;
      best = std::min(best, distance);
    }
    if (best > limit && previous_best > limit) return limit + 1;
    previous_best = best;
    before.swap(previous);
    previous.swap(current);
  }
  return std::min(previous[b.size()], limit + 1);
}

std::vector<std::string> nearest(std::string_view word,
                                 std::span<const std::string_view> candidates, std::size_t most) {
  struct Ranked {
    std::size_t distance;
    std::string_view candidate;
  };
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  const std::vector<std::string> parts = parts_of(word);
  std::vector<Ranked> ranked;
  for (const std::string_view candidate : candidates) {
    std::size_t distance = edit_distance(word, candidate, limit);
    // A word of which nothing remains is no misspelling.
    if (distance >= std::max(word.size(), candidate.size())) distance = limit + 1;
    if (const auto holding = holding_distance(parts, candidate)) {
      distance = std::min(distance, *holding);
    }
    if (distance <= limit) ranked.push_back({distance, candidate});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.distance < b.distance; });
  std::vector<std::string> names;
  for (const Ranked& entry : ranked) {
    if (names.size() == most) break;
    if (std::find(names.begin(), names.end(), entry.candidate) == names.end()) {
      names.emplace_back(entry.candidate);
    }
  }
  return names;
}

std::string did_you_mean(const std::vector<std::string>& suggestions) {
  if (suggestions.empty()) return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    if (i > 0) text += i + 1 == suggestions.size() ? " or " : ", ";
    text += suggestions[i];
  }
  return text + '?';
}

}  // namespace ullage::base
