// The derivation graph: every figure of an answer, each with its origin. A figure can only be made
// by one of the functions here, and each of them asks where the number comes from.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "exact/interval.hpp"
#include "exact/rational.hpp"
#include "provenance/source.hpp"
#include "units/measure.hpp"

namespace ullage::provenance {

enum class FigureKind : std::uint8_t { published, given, assumed, derived };
std::string_view name_of(FigureKind kind);

// Why a figure has no value.
enum class Absence : std::uint8_t { none, unpublished, unsupported };
std::string_view name_of(Absence absence);

// Index of a figure in its Graph. Only a Graph makes one.
class FigureId {
 public:
  std::uint32_t index() const { return index_; }
  bool operator==(const FigureId&) const = default;
  auto operator<=>(const FigureId&) const = default;

 private:
  friend class Graph;
  explicit FigureId(std::uint32_t index) : index_(index) {}
  std::uint32_t index_;
};

// A figure whose unit is known to the compiler. `Graph::narrow` checks an id at run time.
template <class Measure>
class Figure {
 public:
  FigureId id() const { return id_; }

 private:
  friend class Graph;
  explicit Figure(FigureId id) : id_(id) {}
  FigureId id_;
};

// Where a given figure stands: a flag as typed, or a place in the user's file.
struct Given {
  std::string where;    // `--working-memory 32GB`, `config.json:7:18`
  std::string locator;  // `key hidden_size`; empty for flags
};

// One figure with everything that is known about it.
struct Node {
  std::string name;
  FigureKind kind = FigureKind::given;
  units::Unit unit;
  std::optional<exact::Rational> value;  // nothing: unknown, see `absence` and `unknown`
  std::optional<exact::Interval> range;  // what conflicting claims allow, where the graph carries
                                         // ranges and they differ; it holds the value
  Absence absence = Absence::none;
  std::string unknown;             // why there is no value
  std::string formula;             // derived: in words, `parameters × bits ÷ 8`
  std::vector<std::string> terms;  // derived: what the formula calls its inputs, where that is
                                   // not their names
  std::string citation;            // derived: paper and equation, or engine file
  std::vector<FigureId> inputs;    // derived: in the order of the formula
  std::vector<Claim> claims;  // published: the pinned claim first, then every other; derived: what
                              // sources print for the same quantity
  std::string where;          // given: flag or file:line:column; assumed: whose default
  std::string locator;        // given: the key
  std::string note;
};

class Graph {
 public:
  // From here on a published figure whose claims disagree has the range of those that speak of the
  // same thing today (`speaks_of_today`), and what is derived from it has one too. The value stays
  // that of the pinned claim.
  void carry_ranges() { carries_ranges_ = true; }
  // Takes every range away again.
  void forget_ranges();
  // The figure's range, or its value as a point; Defect where it is unknown.
  exact::Interval interval(FigureId id) const;
  bool has_range(FigureId id) const { return (*this)[id].range.has_value(); }
  // Gives a figure made by `derived` the range that its formula has. A point and a range without
  // bounds leave it without one; the latter is said in its note. Defect where the value lies
  // outside.
  void set_range(FigureId id, const exact::Interval& range);

  // A published figure. `claims` holds at least one claim, the pinned one first; its quantity is
  // the figure's value. Defect where the first claim names no source or no locator.
  FigureId published(std::string name, std::vector<Claim> claims, std::string note = {});
  // A figure that the checked sources do not print, or that the thing does not have.
  FigureId unknown(std::string name, units::Unit unit, Absence absence, std::string why);
  FigureId given(std::string name, const units::Quantity& quantity, Given given);
  // A default of ours; `why` says whose and that it can be set.
  FigureId assumed(std::string name, const units::Quantity& quantity, std::string why);
  // A figure computed over others. Unknown inputs make it unknown, with their reason; `value` is
  // then not used. Prefer `derive<Formula>` and `sum`, which compute it, and its range.
  FigureId derived(std::string name, units::Unit unit, std::string formula, std::string citation,
                   std::vector<FigureId> inputs, exact::Rational value);

  // Keeps what others print for the same quantity beside a derived figure.
  void keep_beside(FigureId id, std::vector<Claim> claims);

  // Adds a remark that every explanation of the figure shows.
  void annotate(FigureId id, std::string note);

  const Node& operator[](FigureId id) const { return nodes_[id.index()]; }
  std::size_t size() const { return nodes_.size(); }
  bool known(FigureId id) const { return (*this)[id].value.has_value(); }
  // The value; Defect where it is unknown.
  const exact::Rational& value(FigureId id) const;
  template <class M>
  const exact::Rational& value(Figure<M> figure) const {
    return value(figure.id());
  }

  // The figure as one of measure M. Error `kind_mismatch` naming both sides where its unit is not
  // one that M accepts: this is where a sparse rate is refused as a dense one.
  template <class M>
  base::Result<Figure<M>> narrow(FigureId id) const {
    if (!M::accepts((*this)[id].unit)) return mismatch(id, M::kUnit);
    return Figure<M>(id);
  }

  // Applies a formula: a struct with `Output`, `Inputs` (a tuple of measures), `kName`, `kFormula`,
  // `kTerms` (what the formula calls each input), `kCitation` and a template `evaluate` over the
  // number type. The same template serves batches (plain Rationals) and intervals.
  template <class Formula, class... M>
  Figure<typename Formula::Output> derive(Figure<M>... inputs) {
    static_assert(std::is_same_v<std::tuple<M...>, typename Formula::Inputs>,
                  "a formula takes exactly the measures that it declares");
    const std::array<FigureId, sizeof...(M)> ids{inputs.id()...};
    exact::Rational value;
    if ((known(inputs.id()) && ...)) value = Formula::evaluate(this->value(inputs)...);
    const FigureId id =
        derived(std::string(Formula::kName), Formula::Output::kUnit, std::string(Formula::kFormula),
                std::string(Formula::kCitation), {ids.begin(), ids.end()}, std::move(value));
    name_terms(id, {Formula::kTerms.begin(), Formula::kTerms.end()});
    if (known(id) && (has_range(inputs.id()) || ...)) {
      set_range(id, Formula::evaluate(interval(inputs.id())...));
    }
    return Figure<typename Formula::Output>(id);
  }

  // The sum of parts of one measure: children that add up to their parent. Zero for no parts.
  template <class M>
  Figure<M> sum(std::string name, const std::vector<Figure<M>>& parts, std::string formula = {}) {
    exact::Rational total;
    std::vector<FigureId> ids;
    for (const Figure<M>& part : parts) {
      ids.push_back(part.id());
      if (known(part.id())) total += value(part);
    }
    if (formula.empty()) formula = "sum of its parts";
    const std::vector<FigureId> added = ids;
    const FigureId id = derived(std::move(name), M::kUnit, std::move(formula), {}, std::move(ids),
                                std::move(total));
    sum_ranges(id, added);
    return Figure<M>(id);
  }

  // Typed forms of the makers above, for figures whose measure is known where they are made.
  template <class M>
  Figure<M> given(std::string name, exact::Rational value, Given given) {
    return Figure<M>(this->given(std::move(name), {std::move(value), M::kUnit}, std::move(given)));
  }
  template <class M>
  Figure<M> assumed(std::string name, exact::Rational value, std::string why) {
    return Figure<M>(this->assumed(std::move(name), {std::move(value), M::kUnit}, std::move(why)));
  }
  template <class M>
  Figure<M> derived(std::string name, std::string formula, std::string citation,
                    std::vector<FigureId> inputs, exact::Rational value) {
    return Figure<M>(derived(std::move(name), M::kUnit, std::move(formula), std::move(citation),
                             std::move(inputs), std::move(value)));
  }

 private:
  FigureId add(Node node);
  void name_terms(FigureId id, std::vector<std::string> terms);
  void sum_ranges(FigureId id, const std::vector<FigureId>& parts);
  base::Diagnostic mismatch(FigureId id, const units::Unit& wanted) const;

  std::deque<Node> nodes_;
  bool carries_ranges_ = false;
};

}  // namespace ullage::provenance
