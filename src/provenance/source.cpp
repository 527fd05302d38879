// Names of the enumerations that describe sources and claims, and what claims allow together.
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

bool agree(const Claim& a, const Claim& b) {
  if (a.quantity.unit != b.quantity.unit) return true;  // of different kinds: nothing to compare
  const exact::Rational difference = a.quantity.value - b.quantity.value;
  if (difference.is_zero()) return true;
  // A recomputed claim carries more digits than a page prints: it agrees when it rounds to it.
  const bool recomputed = a.relation == Relation::recomputed || b.relation == Relation::recomputed;
  if (!recomputed) return false;
  const exact::Rational half = exact::max(a.last_place, b.last_place) / exact::Rational(2);
  return exact::max(difference, -difference) <= half;
}

bool speaks_of_today(Relation relation) {
  switch (relation) {
    case Relation::pinned:
    case Relation::other_page:
    case Relation::recomputed:
    case Relation::secondary_source:
      return true;
    case Relation::older_version:
    case Relation::different_scope:
      return false;
  }
  return false;
}

exact::Interval range_of(const std::vector<Claim>& claims) {
  base::require(!claims.empty(), "a range of no claim");
  exact::Interval range(claims.front().quantity.value);
  for (const Claim& claim : claims) {
    if (!speaks_of_today(claim.relation) || agree(claims.front(), claim)) continue;
    range = exact::Interval::around(range, claim.quantity.value);
  }
  return range;
}

}  // namespace ullage::provenance
