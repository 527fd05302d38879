// Groups by name, format and shape.
#include "import/stored_tensors.hpp"

#include <algorithm>

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::size_t kMostTensors = 2'000'000;
constexpr std::size_t kMostGroups = 20'000;

Diagnostic refused(Code code, std::string message, const std::string& file, std::string hint) {
  return {.code = code,
          .message = std::move(message),
          .span = {file, 0, 0},
          .hint = std::move(hint),
          .notes = {}};
}

// Writes the name with a star for each number between points, and the numbers.
void with_stars(std::string_view name, std::string& stars, std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t kDigits = 18;  // what 64 bits hold for certain
  numbers.clear();
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    const std::string_view part = name.substr(start, end - start);
    const bool number =
        !part.empty() && part.size() <= kDigits &&
        std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number) {
      std::uint64_t value = 0;
      for (const char digit : part)
        value = value * 10 + static_cast<std::uint64_t>(digit - '0');
      numbers.push_back(value);
      stars += '*';
    } else {
      stars += part;
    }
    if (end < name.size()) stars += '.';
    start = end + 1;
  }
}

}  // namespace

std::uint64_t StoredGroup::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t axis : shape)
    product *= axis;
  return product;
}

base::Result<std::uint64_t> stored_bytes(std::string_view name,
                                         const catalog::StorageFormat& format,
                                         std::span<const std::uint64_t> shape) {
  const auto fault = [&](const std::string& what) {
    std::string axes;
    for (const std::uint64_t axis : shape)
      axes += (axes.empty() ? "" : ", ") + std::to_string(axis);
    return Diagnostic{.code = Code::out_of_range,
                      .message = base::printable(name) + ": a tensor of [" + axes + "] in " +
                                 format.name + " " + what,
                      .span = {},
                      .hint = "the file is damaged or was made by a faulty program",
                      .notes = {}};
  };
  if (!shape.empty() && shape.back() % format.group != 0) {
    return fault("does not fill its last axis with groups of " + std::to_string(format.group));
  }
  // A product with a zero in it is zero, however large the other factors are.
  exact::Rational elements = 1;
  for (const std::uint64_t axis : shape)
    elements *= exact::Rational(axis);
  const exact::Rational& bits = format.stored_bits ? *format.stored_bits : *format.bits;
  const exact::Rational bytes = elements * bits / exact::Rational(8);
  if (!bytes.is_whole()) return fault("has no whole number of bytes");
  const auto whole = bytes.to_int64();
  if (!whole) return fault("has more bytes than 63 bits count");
  return static_cast<std::uint64_t>(*whole);
}

base::Result<void> StoredTensors::add(const ListedTensor& tensor, const std::string& file) {
  if (names_.size() >= kMostTensors) {
    return refused(Code::out_of_range,
                   "the checkpoint lists more than " + std::to_string(kMostTensors) + " tensors",
                   file, "no published model has as many; check the file");
  }
  if (names_.add(tensor.name).data() == nullptr) {
    return refused(Code::duplicate_key,
                   "byte " + std::to_string(tensor.offset) + ": the tensor " +
                       base::printable(tensor.name) + " is listed twice",
                   file, "a checkpoint stores each tensor once, in one shard");
  }
  StoredGroup& group = group_of(tensor, file);
  if (groups_.size() > kMostGroups) {
    return refused(
        Code::out_of_range,
        "the checkpoint lists more than " + std::to_string(kMostGroups) + " kinds of tensors", file,
        "no published model has as many; check the file");
  }
  ++group.tensors;
  bytes_ += tensor.bytes;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    group.numbers[i].first = std::min(group.numbers[i].first, numbers_[i]);
    group.numbers[i].second = std::max(group.numbers[i].second, numbers_[i]);
  }
  if (!numbers_.empty()) ++group.by_layer[numbers_.front()];
  return {};
}

StoredGroup& StoredTensors::group_of(const ListedTensor& tensor, const std::string& file) {
  key_.clear();
  with_stars(tensor.name, key_, numbers_);
  const std::size_t name_length = key_.size();
  key_ += '\0';
  key_ += tensor.format->name;
  for (const std::uint64_t axis : tensor.shape)
    key_ += '\0' + std::to_string(axis);
  const auto found = by_key_.find(key_);
  if (found != by_key_.end()) return groups_[found->second];
  by_key_.emplace(key_, groups_.size());
  StoredGroup group;
  group.name = key_.substr(0, name_length);
  group.first = std::string(tensor.name);
  group.where = file + ", byte " + std::to_string(tensor.offset);
  group.format = tensor.format;
  group.shape.assign(tensor.shape.begin(), tensor.shape.end());
  group.bytes = tensor.bytes;
  for (const std::uint64_t number : numbers_)
    group.numbers.emplace_back(number, number);
  by_name_.emplace(group.name, groups_.size());
  groups_.push_back(std::move(group));
  return groups_.back();
}

std::vector<const StoredGroup*> StoredTensors::called(const std::string& name) const {
  std::vector<const StoredGroup*> found;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto entry = begin; entry != end; ++entry)
    found.push_back(&groups_[entry->second]);
  return found;
}

}  // namespace ullage::import
