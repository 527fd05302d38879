// Rates with structured sparsity against dense ones.
#include <algorithm>
#include <optional>

#include "catalog/lint.hpp"
#include "catalog/printed_numbers.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;
using provenance::Claim;

base::Span span_of_figure(const LintedEntry& linted, const FigureFact& fact) {
  const document::Value* figures = linted.document->root.find("figures");
  if (figures == nullptr) return fact.span;
  for (const document::Member& member : figures->members) {
    if (member.key == fact.name) return linted.document->span(member);
  }
  return fact.span;
}

// What the patterns allow over the dense rate: `4:16` keeps 4 of 16 values and so gives up to 4
// times. Several patterns give anything up to the best one.
struct Sparsity {
  Rational most{2};
  bool several = false;
  std::string text = "2:4";
};

// The patterns of the attribute, `2:4` where it is silent: the one that every vendor means which
// does not say otherwise. Nothing where it is not a list of N:M.
std::optional<Sparsity> sparsity_of(const TextFact* fact) {
  if (fact == nullptr || fact->value.empty()) return Sparsity{};
  Sparsity sparsity{.most = Rational(0), .several = false, .text = fact->value};
  std::string_view rest = fact->value;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view pattern = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    sparsity.several = sparsity.several || !rest.empty();
    while (pattern.starts_with(' '))
      pattern.remove_prefix(1);
    const std::size_t colon = std::min(pattern.find(':'), pattern.size());
    const auto kept = Rational::parse(pattern.substr(0, colon));
    const auto of = Rational::parse(pattern.substr(std::min(colon + 1, pattern.size())));
    if (!kept || !of || kept->sign() <= 0 || *of < *kept) return std::nullopt;
    sparsity.most = exact::max(sparsity.most, *of / *kept);
  }
  return sparsity;
}

// Whether a note of the figure says why the two rates stand as they do: it names one of them.
bool explained(const FigureFact& fact, const Claim& with, const Claim& without) {
  for (const std::string* note : {&fact.note, &fact.claims.front().note}) {
    const PrintedNumbers named(*note);
    for (const Claim* claim : {&with, &without}) {
      const auto written = units::parse_written(claim->written);
      if (written && named.name(*written)) return true;
    }
  }
  return false;
}

std::string times(const Rational& ratio) {
  std::string text = ratio.to_decimal(3, exact::Rounding::nearest);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + "×";
}

}  // namespace

void lint_rates(const LintedEntry& linted, const TextFact* patterns,
                std::vector<base::Finding>& findings) {
  const auto sparsity = sparsity_of(patterns);
  if (!sparsity) {
    if (linted.entry.attribute("sparsity_patterns") == nullptr) return;  // a fault of the chip's
    findings.push_back(finding(
        "out-of-range", "attributes.sparsity_patterns is no list of patterns",
        linted.document->span(*linted.document->root.find("attributes")->find("sparsity_patterns")),
        "N:M, N:M …, of every M values N are kept"));
    return;
  }
  for (const FigureFact& fact : linted.entry.figures) {
    if (!fact.name.starts_with("sparse_") || !fact.known()) continue;
    const FigureFact* dense = linted.entry.figure("dense_" + fact.name.substr(7));
    if (dense == nullptr || !dense->known()) continue;
    const Claim& with = fact.claims.front();
    const Claim& without = dense->claims.front();
    // Zero is also what a claim has that could not be read.
    if (without.quantity.value.is_zero() || with.quantity.value.is_zero()) continue;
    const Rational ratio = with.quantity.value / without.quantity.value;
    const std::string both = with.written + " is " + times(ratio) + " the dense " + without.written;
    const base::Span span = span_of_figure(linted, fact);
    if (ratio == Rational(1)) {
      findings.push_back(finding("sparse-equals-dense", fact.name + ": " + both, span,
                                 "a rate that the source does not mark as sparse is dense"));
      continue;
    }
    // Vendors cut as well as round: one unit of the last digit on either side is allowed.
    const Rational highest =
        sparsity->most * (without.quantity.value + without.last_place) + with.last_place;
    const Rational lowest =
        sparsity->most * (without.quantity.value - without.last_place) - with.last_place;
    const std::string allowed =
        sparsity->text + " gives " + (sparsity->several ? "up to " : "") + times(sparsity->most);
    const bool noted = explained(fact, with, without) || explained(*dense, with, without);
    if (with.quantity.value > highest || ratio < Rational(1)) {
      findings.push_back(finding("sparse-ratio", fact.name + ": " + both, span, allowed));
      if (noted) findings.back().level = base::Severity::note;
    } else if (!sparsity->several && with.quantity.value < lowest && !noted) {
      findings.push_back(finding("sparse-below-pattern", fact.name + ": " + both, span,
                                 allowed + "; a note may say why the device does not reach it"));
    }
  }
}

}  // namespace ullage::catalog
