// Arithmetic over figures that keeps its text: `12 × hidden_size + 4 × num_key_value_heads ×
// head_dim` with the value and every figure in it, so that a formula is written once.
#pragma once

#include <string>
#include <vector>

#include "model/inventory.hpp"

namespace ullage::model {

class Term {
 public:
  Term(const exact::Rational& number);  // a constant of the formula, written as it is
  Term(std::int64_t number) : Term(exact::Rational(number)) {}
  Term(int number) : Term(exact::Rational(number)) {}
  Term(const Extent& extent);
  Term(const Axis& axis);  // the product of its extents; 1 where it has none
  // The figure under its own name. An unknown one makes the term unknown.
  Term(const provenance::Graph& graph, provenance::FigureId figure);

  friend Term operator+(const Term& a, const Term& b);
  friend Term operator-(const Term& a, const Term& b);
  friend Term operator*(const Term& a, const Term& b);
  // Defect where b is zero.
  friend Term operator/(const Term& a, const Term& b);
  friend Term max(const Term& a, const Term& b);
  friend Term min(const Term& a, const Term& b);
  friend Term floor(const Term& a);
  // Zero, said with its reason, and the figure that makes it so.
  friend Term nothing(std::string why, provenance::FigureId because);

  // Whether it is the constant `number`, and no figure of that value.
  bool is_constant(std::int64_t number) const;
  const std::string& text() const { return text_; }
  const exact::Rational& value() const { return value_; }
  const std::vector<provenance::FigureId>& inputs() const { return inputs_; }

  // A derived figure with this formula.
  template <class Measure>
  provenance::Figure<Measure> derive(provenance::Graph& graph, std::string name,
                                     std::string citation = {}) const {
    return graph.derived<Measure>(std::move(name), text_, std::move(citation), inputs_, value_);
  }

 private:
  enum class Binding : std::uint8_t { sum, product, atom };

  Term(std::string text, exact::Rational value, Binding binding)
      : text_(std::move(text)), value_(std::move(value)), binding_(binding) {}
  static Term joined(const Term& a, const Term& b, std::string text, exact::Rational value,
                     Binding binding);
  std::string within(Binding outer) const;
  void add_input(provenance::FigureId figure);

  std::string text_;
  exact::Rational value_;
  Binding binding_ = Binding::atom;
  bool constant_ = false;
  std::vector<provenance::FigureId> inputs_;  // each once, in the order of the text
};

Term nothing(std::string why, provenance::FigureId because);

// The extent of a figure: its name, value and id. Defect where it is unknown.
Extent extent_of(const provenance::Graph& graph, provenance::FigureId figure);

// The product of an axis's extents.
exact::Rational product_of(const Axis& axis);

}  // namespace ullage::model
