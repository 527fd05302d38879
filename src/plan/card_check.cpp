// Counts cards from their architectures.
#include "plan/card_check.hpp"

#include <algorithm>
#include <memory>

#include "base/file_system.hpp"
#include "catalog/variants.hpp"
#include "import/open_card.hpp"
#include "memory/weights.hpp"
#include "plan/card_causes.hpp"

namespace ullage::plan {
namespace {

using catalog::Entry;
using catalog::FigureFact;
using exact::Rational;
using provenance::Claim;
using provenance::Graph;

bool rounds_to(const Rational& counted, const Claim& claim) {
  const Rational difference = counted - claim.quantity.value;
  if (difference.is_zero()) return true;
  if (claim.last_place <= Rational(1)) return false;  // all digits are written
  return exact::max(difference, -difference) <= claim.last_place / Rational(2);
}

// Claims of a figure that the count does not give. One is kept as a conflict where another claim of
// the figure agrees with the shape, or is pinned over it with a reason.
void compare(const Entry& card, std::string_view name, const Rational& counted, CardCount& count) {
  const FigureFact* const fact = card.figure(name);
  if (fact == nullptr) return;
  for (const Claim& claim : fact->claims) {
    if (rounds_to(counted, claim)) continue;
    count.differences.push_back({.figure = std::string(name),
                                 .claim = &claim,
                                 .counted = counted,
                                 .cause = {},
                                 .kept = fact->claims.size() > 1 || !claim.note.empty()});
  }
}

Rational context_of(const Entry& card) {
  const FigureFact* const fact = card.figure("context_length");
  return fact != nullptr && fact->known() ? fact->claims.front().quantity.value : Rational(0);
}

// What the difference is, with the card's own words where no cause is known.
std::string in_words(const CardDifference& difference) {
  std::string text = difference.figure + ": " + difference.claim->source + " states " +
                     difference.claim->written + ", the shape gives " +
                     difference.counted.to_string();
  if (!difference.cause.empty()) return text + ": " + difference.cause;
  const std::string& own =
      difference.claim->note.empty() ? difference.claim->pinned : difference.claim->note;
  if (difference.kept) {
    text += "; kept by the card";
    return own.empty() ? text : text + ": " + own;
  }
  return text;
}

}  // namespace

CardCount count_card(const Entry& card, catalog::Catalogue& catalogue) {
  CardCount count;
  if (!card.architecture) {
    count.unknown = "the card has no architecture";
    return count;
  }
  const base::MemoryFileSystem no_files{};
  Graph graph;
  import::OpenContext context{catalogue, no_files, graph, std::nullopt};
  auto model = import::open_card(context, std::make_shared<const Entry>(card));
  if (!model || !model->inventory) {
    count.unknown = model ? "the family gives no inventory" : model.error().message;
    return count;
  }
  model->stated_checkpoint_bytes.reset();  // the bytes are to be counted
  memory::WeightChoice choice;
  choice.by_group = false;
  if (model->native_format.empty()) choice.bits = Rational(16);
  const auto weights = memory::weigh(graph, *model, choice, catalogue);
  if (!weights) {
    count.unknown = weights.error().message;
    return count;
  }
  ShapeTotals totals;
  totals.parameters = graph.value(weights->parameters);
  totals.stored = weights->parameters_stored ? graph.value(*weights->parameters_stored)
                                             : graph.value(weights->parameters);
  if (graph.known(weights->payload.id())) totals.bytes = graph.value(weights->payload);
  totals.inventory = &*model->inventory;
  totals.form = weights->stored.get();
  totals.context = context_of(card);
  compare(card, "parameters", totals.parameters, count);
  compare(card, "parameters_stored", totals.stored, count);
  if (totals.bytes) compare(card, "checkpoint_bytes", *totals.bytes, count);
  for (CardDifference& difference : count.differences) {
    const Claim& claim = *difference.claim;
    difference.cause =
        difference.figure == "checkpoint_bytes"
            ? bytes_cause(totals, claim.quantity.value)
            : parameters_cause(totals, claim.quantity.value, claim.last_place, catalogue.formats());
  }
  return count;
}

std::vector<base::Finding> check_cards(catalog::Lint& lint, catalog::Catalogue& catalogue) {
  std::vector<base::Finding> findings;
  for (const catalog::LintedEntry& linted : lint.entries()) {
    if (linted.entry.kind != catalog::EntryKind::model || linted.entry.name.empty()) continue;
    Entry card = linted.entry;
    if (!card.variant_of.empty()) {
      const Entry* const base = lint.model(card.variant_of);
      if (base == nullptr) continue;  // a finding of its own
      catalog::inherit(*base, card);
    }
    const CardCount count = count_card(card, catalogue);
    if (!count.unknown.empty() && card.architecture) {
      findings.push_back(catalog::finding(
          "card-count", card.id + ": the architecture is not counted: " + count.unknown,
          {linted.document->file, 1, 1}, "`ullage list families` shows what is counted"));
    }
    for (const CardDifference& difference : count.differences) {
      // What a variant inherits stands at its base already.
      if (difference.claim->span.file != linted.document->file) continue;
      const bool explained = !difference.cause.empty() || difference.kept;
      findings.push_back(catalog::finding(
          "card-count", card.id + " " + in_words(difference), difference.claim->span,
          explained ? "" : "keep both as claims, one pinned with the reason"));
      if (explained) findings.back().level = base::Severity::note;
    }
  }
  return findings;
}

}  // namespace ullage::plan
