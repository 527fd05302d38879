// Computes each factor that a statement gives, and says where the two differ.
#include "plan/generation.hpp"

#include <algorithm>

#include "plan/quotient.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using catalog::Comparison;
using catalog::Statement;
using exact::Rational;
using provenance::Claim;
using provenance::FigureId;
using provenance::Graph;

constexpr unsigned kFactorDigits = 2;

Claim claim_of(const Statement& statement, const Comparison& comparison) {
  Claim claim;
  claim.quantity = {comparison.value, {.dimension = units::kNumber}};
  claim.printed = statement.text;
  claim.written = comparison.factor;
  claim.last_place = comparison.last_place;
  claim.source = statement.source;
  claim.locator = statement.locator;
  claim.note = statement.note;
  return claim;
}

// `6.80`, as many decimals as the statement has and two at least.
std::string factor_text(const Rational& value, const Comparison& comparison) {
  const auto point = comparison.factor.find('.');
  const auto stated = point == std::string::npos ? 0 : comparison.factor.size() - point - 1;
  const unsigned digits = std::max(kFactorDigits, static_cast<unsigned>(stated) + 1);
  return value.to_decimal(digits, exact::Rounding::nearest);
}

base::Note note_of(const Graph& graph, FigureId factor, const Statement& statement,
                   const Comparison& comparison, const DeviceFigures& newer,
                   const DeviceFigures& older) {
  const std::string subject =
      newer.entry().id + " " + comparison.figure + ": " + newer.entry().vendor + " states " +
      comparison.factor + " times that of " + older.entry().id +
      (comparison.against == comparison.figure ? "" : " (there " + comparison.against + ")");
  base::Note note{"generation-factor", Severity::note, subject, statement.source,
                  statement.locator};
  if (!graph.known(factor)) {
    note.text += "; the published figures give none: " + graph[factor].unknown;
  } else {
    const Rational& value = graph.value(factor);
    const Rational difference = value - comparison.value;
    const Rational half = comparison.last_place / Rational(2);
    const bool differs = exact::max(difference, -difference) > half;
    note.text +=
        differs ? ", but the published figures give " : ", and the published figures give ";
    note.text += factor_text(value, comparison);
    if (differs) note.level = Severity::warning;
  }
  if (!statement.note.empty()) note.text += "; " + statement.note;
  return note;
}

}  // namespace

void add_generation_factors(Graph& graph, const std::vector<const catalog::FigureName*>& figures,
                            DeviceFigures& newer, DeviceFigures& older, provenance::Row& row) {
  for (const Statement& statement : newer.entry().statements) {
    for (const Comparison& comparison : statement.compares) {
      if (comparison.with != older.entry().id) continue;
      const catalog::FigureName* own = catalog::find_hardware_figure(comparison.figure);
      const catalog::FigureName* other = catalog::find_hardware_figure(comparison.against);
      if (own == nullptr || other == nullptr) continue;  // the loader knows both
      if (std::find(figures.begin(), figures.end(), own) == figures.end()) continue;
      const std::string name = "factor_" + comparison.figure + "_over_" + older.entry().id;
      const bool given = std::any_of(row.results.begin(), row.results.end(),
                                     [&](const auto& result) { return result.name == name; });
      if (given) continue;  // another version of the same device is compared too
      const FigureId factor =
          quotient(graph,
                   {.name = "factor of " + comparison.figure,
                    .unit = {.dimension = units::kNumber},
                    .formula = comparison.figure + " of " + newer.entry().id + " ÷ " +
                               comparison.against + " of " + older.entry().id},
                   newer.bring(*own), older.bring(*other));
      if (graph.known(factor)) graph.keep_beside(factor, {claim_of(statement, comparison)});
      row.results.push_back({name, factor});
      row.notes.push_back(note_of(graph, factor, statement, comparison, newer, older));
    }
  }
}

}  // namespace ullage::plan
