// The names that a checkpoint gives, each once.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace ullage::import {

// Keeps the characters itself, so that the text they were read from may go.
class NameSet {
 public:
  // The stored copy of the name, or an empty view where it is there already. Empty names are
  // names too: of them only the first is new, and its copy has a non-null address.
  std::string_view add(std::string_view name);
  bool contains(std::string_view name) const { return names_.contains(name); }
  std::size_t size() const { return names_.size(); }
  const std::unordered_set<std::string_view>& names() const { return names_; }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;  // of the last block
  std::size_t room_ = 0;
  std::unordered_set<std::string_view> names_;
};

}  // namespace ullage::import
