// Reads figures on demand.
#include "catalog/figure_list.hpp"

#include <algorithm>

namespace ullage::catalog {

bool FigureFact::conflicted() const {
  return std::any_of(claims.begin(), claims.end(), [this](const provenance::Claim& claim) {
    return !provenance::agree(claims.front(), claim);
  });
}

const FigureFact& FigureList::operator[](std::size_t index) const {
  const Slot& slot = slots_[index];
  if (!slot.fact) slot.fact = read_(index);
  return *slot.fact;
}

std::optional<std::size_t> FigureList::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].name() == name) return i;
  }
  return std::nullopt;
}

const FigureFact* FigureList::find(std::string_view name) const {
  const auto index = index_of(name);
  return index ? &(*this)[*index] : nullptr;
}

void FigureList::set(FigureFact fact) {
  if (const auto index = index_of(fact.name)) {
    slots_[*index].fact = std::move(fact);
    return;
  }
  slots_.push_back({.deferred_name = {}, .fact = std::move(fact)});
}

void FigureList::defer(const std::vector<std::string_view>& names, Reader read) {
  base::require(slots_.empty(), "figures are deferred in a list that holds some");
  slots_.reserve(names.size());
  for (const std::string_view name : names)
    slots_.push_back({.deferred_name = name, .fact = std::nullopt});
  read_ = std::move(read);
}

void FigureList::read_all() const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    (*this)[i];
}

}  // namespace ullage::catalog
