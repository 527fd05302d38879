// Which model cards `ullage list models` shows.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"

namespace ullage::cli {

// As typed; absent ones choose everything. A card that does not say what a filter asks for is not
// shown by it.
struct ModelFilter {
  std::optional<std::string> attention;         // words of the attribute: gqa, mla, hybrid …
  std::optional<std::string> experts;           // yes, no, or how many
  std::optional<std::string> size_at_least;     // parameters, 7B
  std::optional<std::string> size_at_most;      // parameters, 70B
  std::optional<std::string> context_at_least;  // tokens, 128k
  std::optional<std::string> licence;           // words of the attribute: apache-2.0
  std::optional<std::string> fits_on;           // a device
  std::optional<std::string> devices;           // how many of it; 1 where it is not said

  bool given() const {
    return attention || experts || size_at_least || size_at_most || context_at_least || licence ||
           fits_on || devices;
  }
};

// The filter, checked and read.
class ModelChoice {
 public:
  // Errors: usage for a value that none can have, --devices without --fits-on; unknown_name for a
  // device.
  static base::Result<ModelChoice> read(const ModelFilter& filter, catalog::Catalogue& catalogue);

  // Whether the card is asked for. `fits-on` is `ullage fit` of the card in its native format with
  // that many devices: perfectly balanced, working memory and reserve as there.
  base::Result<bool> matches(const catalog::Entry& card, catalog::Catalogue& catalogue,
                             const base::FileSystem& files) const;

 private:
  std::optional<std::string> attention_;  // lower case
  std::optional<std::string> licence_;    // lower case
  std::optional<bool> has_experts_;
  std::optional<exact::Rational> experts_, least_, most_, context_, devices_;
  std::string fits_on_;
};

}  // namespace ullage::cli
