// What the headers of a checkpoint list, gathered in groups of equal tensors: a model of 120,000
// tensors has a few dozen groups.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "catalog/storage_format.hpp"
#include "import/name_set.hpp"

namespace ullage::import {

// Tensors with one name but for its numbers, one format and one shape.
struct StoredGroup {
  std::string name;   // a number between points is a star: `model.layers.*.mlp.up_proj.weight`
  std::string first;  // the first of them as it is called
  std::string where;  // the file of that one, and the byte at which its header lists it
  const catalog::StorageFormat* format = nullptr;
  std::vector<std::uint64_t> shape;  // the slowest axis first
  std::uint64_t bytes = 0;           // of one tensor
  std::uint64_t tensors = 0;
  // Of each star: the lowest and the highest number.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;
  std::map<std::uint64_t, std::uint64_t> by_layer;  // tensors by the first number

  // Elements of one tensor as the header lists them. It fits, because the bytes do.
  std::uint64_t elements() const;
};

// One tensor as a header lists it.
struct ListedTensor {
  std::string_view name;
  const catalog::StorageFormat* format = nullptr;
  std::span<const std::uint64_t> shape;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  // the byte of the file at which it is listed
};

// The bytes of a tensor of that shape, every row in whole groups of the format. Error out_of_range
// where a row is no whole number of groups, the bits are no whole bytes, or 64 bits do not hold
// them; its message starts with the tensor's name.
base::Result<std::uint64_t> stored_bytes(std::string_view name,
                                         const catalog::StorageFormat& format,
                                         std::span<const std::uint64_t> shape);

class StoredTensors {
 public:
  // Errors: duplicate_key where the name is there already; out_of_range beyond the limits on
  // tensors and groups.
  base::Result<void> add(const ListedTensor& tensor, const std::string& file);

  const std::vector<StoredGroup>& groups() const { return groups_; }
  // The groups of a name with stars.
  std::vector<const StoredGroup*> called(const std::string& name) const;
  std::uint64_t tensors() const { return names_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  const NameSet& names() const { return names_; }

 private:
  StoredGroup& group_of(const ListedTensor& tensor, const std::string& file);

  NameSet names_;
  std::vector<StoredGroup> groups_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::multimap<std::string, std::size_t, std::less<>> by_name_;
  std::uint64_t bytes_ = 0;
  std::string key_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace ullage::import
