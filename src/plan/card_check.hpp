// The register checks itself: what each card states against what its own shape gives; lint's rule
// `card-count`.
#pragma once

#include <string>
#include <vector>

#include "base/finding.hpp"
#include "catalog/lint.hpp"

namespace ullage::plan {

// A total that a card states and its shape does not give.
struct CardDifference {
  std::string figure;  // parameters, parameters_stored, checkpoint_bytes
  const provenance::Claim* claim = nullptr;
  exact::Rational counted;  // what the shape gives
  std::string cause;        // empty where nothing known gives exactly the difference
  bool kept = false;        // whether the card holds the figure as one claim beside the shape's
};

struct CardCount {
  std::string unknown;  // why the shape gives no count; empty where it does
  std::vector<CardDifference> differences;
};

// Counts the card's architecture and compares every claim of its totals. A claim of few digits
// agrees when the count rounds to it. `unknown` says so where the card has no architecture.
CardCount count_card(const catalog::Entry& card, catalog::Catalogue& catalogue);

// A finding for each difference of every card at hand: a note where its cause is known or the card
// keeps it beside the shape's count with a reason, else an error. Call it after Lint::check.
std::vector<base::Finding> check_cards(catalog::Lint& lint, catalog::Catalogue& catalogue);

}  // namespace ullage::plan
