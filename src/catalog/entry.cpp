// Look-ups within one entry.
#include "catalog/entry.hpp"

#include <algorithm>

namespace ullage::catalog {

std::string_view name_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::chip:
      return "chip";
    case EntryKind::instance:
      return "instance";
    case EntryKind::system:
      return "system";
    case EntryKind::model:
      return "model";
    case EntryKind::partition:
      return "partition";
  }
  return "chip";
}

namespace {

std::string written(const Entry& entry, std::string_view name) {
  const FigureFact* fact = entry.figure(name);
  if (fact == nullptr || !fact->known()) return {};
  return fact->claims.front().written;
}

}  // namespace

std::string memory_text_of(const Entry& entry) {
  return written(entry, "memory_capacity");
}

std::string chips_text_of(const Entry& entry) {
  return written(entry, "chips");
}

const TextFact* Entry::attribute(std::string_view attribute_name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const TextFact& fact) {
    return fact.name == attribute_name;
  });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace ullage::catalog
