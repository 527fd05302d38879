// Counts a configuration written in a test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/note.hpp"
#include "exact/rational.hpp"
#include "model/inventory.hpp"

namespace ullage::testing {

struct CountedConfig {
  exact::Rational total;
  exact::Rational stored;
  exact::Rational active;
  std::map<std::string, exact::Rational> components;  // sums to `total`, which is asserted
  std::string payload;                                // bytes, or why they are not known
  model::Inventory inventory;
  std::vector<base::Note> notes;

  exact::Rational part(const std::string& component) const;  // 0 where the model has none
  // Elements that a further token, or a sequence, keeps in caches of that kind.
  exact::Rational per_token(model::CacheKind kind) const;
  exact::Rational per_sequence(model::CacheKind kind) const;
  // The window of the caches of that kind; 0 where there is none.
  exact::Rational window(model::CacheKind kind) const;
  bool noted(const std::string& code) const;
};

// Elements of all parts in one layer.
exact::Rational elements_of(const std::vector<model::CachePart>& parts);

// Fails the test where the configuration is refused.
CountedConfig count_config(const std::string& json);

// The refusal of a configuration; fails the test where it is counted.
base::Diagnostic refusal_of(const std::string& json);

// hidden 8, two layers, 4 heads of 2, 2 KV heads, MLP 16, vocabulary 10; one key a line.
std::string small_config(const std::string& type, const std::string& more = "");

// The parts of small_config: q 8×8, k and v 4×8, o 8×8; gate, up, down; norms of 8.
inline constexpr int kAttention = 2 * (64 + 32 + 32 + 64);
inline constexpr int kAttentionBiases = 2 * (8 + 4 + 4 + 8);
inline constexpr int kGated = 2 * 3 * 16 * 8;
inline constexpr int kUngated = 2 * 2 * 16 * 8;
inline constexpr int kUngatedBiases = 2 * (16 + 8);
inline constexpr int kTable = 10 * 8;
inline constexpr int kTwoNorms = 2 * 2 * 8 + 8;
inline constexpr int kOneNorm = 2 * 8 + 8;
inline constexpr int kFourNorms = 2 * 4 * 8 + 8;

}  // namespace ullage::testing
