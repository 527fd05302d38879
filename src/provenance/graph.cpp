// Makes figures, and refuses to make one without an origin.
#include "provenance/graph.hpp"

#include <algorithm>

namespace ullage::provenance {

std::string_view name_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::published:
      return "published";
    case FigureKind::given:
      return "given";
    case FigureKind::assumed:
      return "assumed";
    case FigureKind::derived:
      return "derived";
  }
  return "derived";
}

std::string_view name_of(Absence absence) {
  switch (absence) {
    case Absence::none:
      return "none";
    case Absence::unpublished:
      return "unpublished";
    case Absence::unsupported:
      return "unsupported";
  }
  return "none";
}

FigureId Graph::add(Node node) {
  nodes_.push_back(std::move(node));
  return FigureId(static_cast<std::uint32_t>(nodes_.size() - 1));
}

FigureId Graph::published(std::string name, std::vector<Claim> claims, std::string note) {
  base::require(!claims.empty(), "a published figure needs a claim: " + name);
  base::require(!claims.front().source.empty() && !claims.front().locator.empty(),
                "a published figure needs a source and a locator: " + name);
  Node node;
  node.name = std::move(name);
  node.kind = FigureKind::published;
  node.unit = claims.front().quantity.unit;
  node.value = claims.front().quantity.value;
  node.claims = std::move(claims);
  node.note = std::move(note);
  if (carries_ranges_) {
    const exact::Interval range = range_of(node.claims);
    if (!range.is_point()) node.range = range;
  }
  return add(std::move(node));
}

FigureId Graph::unknown(std::string name, units::Unit unit, Absence absence, std::string why) {
  base::require(absence != Absence::none && !why.empty(),
                "an unknown figure needs the reason: " + name);
  Node node;
  node.name = std::move(name);
  node.kind = FigureKind::published;
  node.unit = unit;
  node.absence = absence;
  node.unknown = std::move(why);
  return add(std::move(node));
}

FigureId Graph::given(std::string name, const units::Quantity& quantity, Given given) {
  base::require(!given.where.empty(), "a given figure needs the place where it was given: " + name);
  Node node;
  node.name = std::move(name);
  node.kind = FigureKind::given;
  node.unit = quantity.unit;
  node.value = quantity.value;
  node.where = std::move(given.where);
  node.locator = std::move(given.locator);
  return add(std::move(node));
}

FigureId Graph::assumed(std::string name, const units::Quantity& quantity, std::string why) {
  base::require(!why.empty(), "an assumed figure needs to say whose default it is: " + name);
  Node node;
  node.name = std::move(name);
  node.kind = FigureKind::assumed;
  node.unit = quantity.unit;
  node.value = quantity.value;
  node.where = std::move(why);
  return add(std::move(node));
}

FigureId Graph::derived(std::string name, units::Unit unit, std::string formula,
                        std::string citation, std::vector<FigureId> inputs, exact::Rational value) {
  base::require(!formula.empty(), "a derived figure needs its formula: " + name);
  Node node;
  node.name = std::move(name);
  node.kind = FigureKind::derived;
  node.unit = unit;
  node.formula = std::move(formula);
  node.citation = std::move(citation);
  for (FigureId input : inputs) {
    base::require(input.index() < nodes_.size(), "an input of another graph: " + node.name);
    const Node& source = (*this)[input];
    if (source.value || !node.unknown.empty()) continue;
    node.absence = source.absence;
    node.unknown = source.name + ": " + source.unknown;
  }
  node.inputs = std::move(inputs);
  if (node.unknown.empty()) node.value = std::move(value);
  return add(std::move(node));
}

void Graph::forget_ranges() {
  carries_ranges_ = false;
  for (Node& node : nodes_)
    node.range.reset();
}

exact::Interval Graph::interval(FigureId id) const {
  const Node& node = (*this)[id];
  return node.range ? *node.range : exact::Interval(value(id));
}

void Graph::set_range(FigureId id, const exact::Interval& range) {
  Node& node = nodes_[id.index()];
  base::require(node.value.has_value(), "a range of an unknown figure: " + node.name);
  if (!range.is_bounded()) {
    annotate(id, "conflicting claims give no bounds: a divisor may be zero");
    return;
  }
  base::require(range.holds(*node.value), "a range without its value: " + node.name);
  if (!range.is_point()) node.range = range;
}

void Graph::sum_ranges(FigureId id, const std::vector<FigureId>& parts) {
  const bool ranged =
      std::any_of(parts.begin(), parts.end(), [this](FigureId part) { return has_range(part); });
  if (!ranged || !known(id)) return;
  exact::Interval total;
  for (FigureId part : parts)
    total += interval(part);
  set_range(id, total);
}

void Graph::name_terms(FigureId id, std::vector<std::string> terms) {
  Node& node = nodes_[id.index()];
  base::require(terms.size() == node.inputs.size(), "a formula names each of its inputs");
  node.terms = std::move(terms);
}

void Graph::keep_beside(FigureId id, std::vector<Claim> claims) {
  Node& node = nodes_[id.index()];
  base::require(node.kind == FigureKind::derived, "claims beside a figure that is not derived");
  node.claims = std::move(claims);
}

void Graph::annotate(FigureId id, std::string note) {
  std::string& existing = nodes_[id.index()].note;
  if (!existing.empty()) existing += "; ";
  existing += note;
}

const exact::Rational& Graph::value(FigureId id) const {
  const Node& node = (*this)[id];
  base::require(node.value.has_value(), "value of an unknown figure: " + node.name);
  return *node.value;
}

base::Diagnostic Graph::mismatch(FigureId id, const units::Unit& wanted) const {
  const Node& node = (*this)[id];
  return {.code = base::Code::kind_mismatch,
          .message = node.name + " is " + units::describe(node.unit) + ", but " +
                     units::describe(wanted) + " is needed",
          .span = {},
          .hint = "figures of different kinds are never converted into each other",
          .notes = {}};
}

}  // namespace ullage::provenance
