// Names stand one behind the other in blocks that never move.
#include "import/name_set.hpp"

#include <algorithm>

namespace ullage::import {

std::string_view NameSet::add(std::string_view name) {
  constexpr std::size_t kBlock = 1u << 20;
  if (names_.contains(name)) return {};
  const std::size_t length = std::max<std::size_t>(name.size(), 1);
  if (room_ - used_ < length) {
    room_ = std::max(kBlock, length);
    blocks_.push_back(std::make_unique<char[]>(room_));
    used_ = 0;
  }
  char* const start = blocks_.back().get() + used_;
  std::copy(name.begin(), name.end(), start);
  used_ += length;
  const std::string_view stored(start, name.size());
  names_.insert(stored);
  return stored;
}

}  // namespace ullage::import
