// Where a number comes from: sources, and the claims that they make.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "exact/interval.hpp"
#include "units/quantity.hpp"

namespace ullage::provenance {

// How near the text that was read is to the publisher: its own text, a transcription that names it,
// or a third party.
enum class Tier : std::uint8_t { primary, quoted, secondary };
std::string_view name_of(Tier tier);

struct Source {
  std::string id;
  std::string title;
  std::string publisher;
  std::string url;
  std::string revision;  // version, commit or date of the text
  std::string checked;   // day on which it was read, YYYY-MM-DD
  Tier tier = Tier::primary;
  std::string note;
};

// How a claim relates to the pinned one.
enum class Relation : std::uint8_t {
  pinned,
  other_page,        // another current page by the same publisher
  older_version,     // an earlier version of a page
  different_scope,   // counts something else under the same name
  recomputed,        // computed here from another published figure
  secondary_source,  // a third party
};
std::string_view name_of(Relation relation);

// One source's statement of one figure.
struct Claim {
  units::Quantity quantity;
  std::string printed;         // what the source literally prints; empty for a recomputed claim
  std::string written;         // number and unit as the entry writes them: `96 GiB`
  exact::Rational last_place;  // one step of the last digit written, in base units: its precision
  std::string source;          // id of a Source; further ids that print the same in `also`
  std::vector<std::string> also;
  std::string locator;
  Tier tier = Tier::primary;
  std::string checked;
  Relation relation = Relation::pinned;
  std::string pinned;      // the reason for the pin, where claims disagree
  std::string derivation;  // how a recomputed claim was computed
  std::string note;
  base::Span span;  // where the entry states it
};

// Whether two claims of one figure say the same. A recomputed claim agrees with a printed one when
// it rounds to it; claims of different kinds or directions are not compared.
bool agree(const Claim& a, const Claim& b);

// Whether a claim of that relation speaks of the same thing today as the pinned one: another page,
// a third party, a computation. An older version and another scope do not.
bool speaks_of_today(Relation relation);

// From the lowest to the highest of the pinned claim (the first) and of those that disagree with it
// and speak of the same thing today, in the same unit.
exact::Interval range_of(const std::vector<Claim>& claims);

}  // namespace ullage::provenance
