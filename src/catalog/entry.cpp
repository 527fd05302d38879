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
  }
  return "chip";
}

std::string memory_text_of(const Entry& entry) {
  const FigureFact* fact = entry.figure("memory_capacity");
  if (fact == nullptr || !fact->known()) return {};
  return fact->claims.front().written;
}

const TextFact* Entry::attribute(std::string_view attribute_name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const TextFact& fact) {
    return fact.name == attribute_name;
  });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace ullage::catalog
