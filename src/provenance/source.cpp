// Names of the enumerations that describe sources and claims.
#include "provenance/source.hpp"

namespace ullage::provenance {

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::primary:
      return "primary";
    case Tier::quoted:
      return "quoted";
    case Tier::secondary:
      return "secondary";
  }
  return "primary";
}

std::string_view name_of(Relation relation) {
  switch (relation) {
    case Relation::pinned:
      return "pinned";
    case Relation::other_page:
      return "other-page";
    case Relation::older_version:
      return "older-version";
    case Relation::different_scope:
      return "different-scope";
    case Relation::recomputed:
      return "recomputed";
    case Relation::secondary_source:
      return "secondary-source";
  }
  return "pinned";
}

}  // namespace ullage::provenance
