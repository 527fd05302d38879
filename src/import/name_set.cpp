// Names stand one behind the other in blocks that never move.
#include "import/name_set.hpp"

#include <algorithm>

namespace ullage::import {

std::string_view NameSet::add(std::string_view name) {
  constexpr std::size_t kBlock = 1u << 20;
  const std::size_t length = std::max<std::size_t>(name.size(), 1);
  if (room_ - used_ < length) {
    room_ = std::max(kBlock, length);
    blocks_.push_back(std::make_unique<char[]>(room_));
    used_ = 0;
  }
  char* const start = blocks_.back().get() + used_;
  std::copy(name.begin(), name.end(), start);
  const std::string_view stored(start, name.size());
  // Copied before it is known to be new, so that it is looked up once; the next name overwrites a
  // copy that was not needed.
  if (!names_.insert(stored).second) return {};
  used_ += length;
  return stored;
}

}  // namespace ullage::import
