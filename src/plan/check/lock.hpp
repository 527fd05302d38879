// Lock files: the figures that a set of plans rests on, and whether they still are.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalogue.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// An entry that was used, with the digest of its file.
struct LockedEntry {
  std::string id;
  std::string version;
  std::string digest;
};

struct LockedWorkload {
  std::string file;
  std::string workload;
  std::string role;
  std::string model;     // as the plan names it
  std::string revision;  // empty where the plan pins none
  std::string verdict;
  LockedEntry device;
  LockedEntry card;
  std::vector<std::pair<std::string, std::string>> figures;  // name to exact value
};

// What the rows of a check rest on, in their order. Rows of what cannot be read are left out.
std::vector<LockedWorkload> lock_of(const provenance::Answer& answer,
                                    catalog::Catalogue& catalogue);

// Reads ullage/lock/1. Errors at their place.
base::Result<std::vector<LockedWorkload>> read_lock(std::string_view text, const std::string& file);

// Adds the error `lock-drift` to rows whose figures, card, device or revision differ from what is
// locked, naming the figure and what it does to the verdict; a workload that is not locked, or
// locked and gone, likewise. With `only`, that row alone is compared and nothing is said of others.
void compare_with_lock(const std::vector<LockedWorkload>& locked, const std::string& lock_file,
                       catalog::Catalogue& catalogue, provenance::Answer& answer,
                       std::optional<std::size_t> only = std::nullopt);

}  // namespace ullage::plan
