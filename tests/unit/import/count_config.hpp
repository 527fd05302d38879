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
  bool noted(const std::string& code) const;
};

// Fails the test where the configuration is refused.
CountedConfig count_config(const std::string& json);

// The refusal of a configuration; fails the test where it is counted.
base::Diagnostic refusal_of(const std::string& json);

}  // namespace ullage::testing
