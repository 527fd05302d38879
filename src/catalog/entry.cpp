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

bool FigureFact::conflicted() const {
  return std::any_of(claims.begin(), claims.end(), [this](const provenance::Claim& claim) {
    return !agree(claims.front(), claim);
  });
}

std::string memory_text_of(const Entry& entry) {
  const FigureFact* fact = entry.figure("memory_capacity");
  if (fact == nullptr || !fact->known()) return {};
  return fact->claims.front().written;
}

const FigureFact* Entry::figure(std::string_view figure_name) const {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const FigureFact& fact) { return fact.name == figure_name; });
  return found == figures.end() ? nullptr : &*found;
}

const TextFact* Entry::attribute(std::string_view attribute_name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const TextFact& fact) {
    return fact.name == attribute_name;
  });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace ullage::catalog
