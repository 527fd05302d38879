// Joins texts and values side by side.
#include "model/term.hpp"

#include <algorithm>

namespace ullage::model {

using exact::Rational;
using provenance::FigureId;

namespace {

std::string text_of(const Rational& number) {
  if (number.is_whole()) return number.to_string();
  const std::string decimal = number.to_significant(12);
  const auto back = Rational::parse(decimal);
  return back.ok() && *back == number ? decimal : number.to_string();
}

}  // namespace

Term::Term(const Rational& number)
    : text_(text_of(number)),
      value_(number),
      binding_(text_.find('/') == std::string::npos ? Binding::atom : Binding::product),
      constant_(true) {}

Term::Term(const Extent& extent) : text_(extent.name), value_(extent.value) {
  inputs_.push_back(extent.figure);
}

Term::Term(const Axis& axis) : Term(1) {
  for (const Extent& extent : axis)
    *this = *this * Term(extent);
}

Term::Term(const provenance::Graph& graph, FigureId figure) : text_(graph[figure].name) {
  if (graph.known(figure)) value_ = graph.value(figure);
  inputs_.push_back(figure);
}

Term Term::joined(const Term& a, const Term& b, std::string text, Rational value, Binding binding) {
  Term result(std::move(text), std::move(value), binding);
  result.inputs_ = a.inputs_;
  for (const FigureId input : b.inputs_)
    result.add_input(input);
  return result;
}

void Term::add_input(FigureId figure) {
  if (std::find(inputs_.begin(), inputs_.end(), figure) == inputs_.end()) inputs_.push_back(figure);
}

std::string Term::within(Binding outer) const {
  return binding_ < outer ? "(" + text_ + ")" : text_;
}

bool Term::is_constant(std::int64_t number) const {
  return constant_ && value_ == Rational(number);
}

Term operator+(const Term& a, const Term& b) {
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (a.constant_ && b.constant_) return {a.value_ + b.value_};
  return Term::joined(a, b, a.text_ + " + " + b.text_, a.value_ + b.value_, Term::Binding::sum);
}

Term operator-(const Term& a, const Term& b) {
  if (b.is_constant(0)) return a;
  return Term::joined(a, b, a.text_ + " − " + b.within(Term::Binding::product), a.value_ - b.value_,
                      Term::Binding::sum);
}

Term operator*(const Term& a, const Term& b) {
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_constant(0) || b.is_constant(0)) return {0};
  if (a.constant_ && b.constant_) return {a.value_ * b.value_};
  return Term::joined(a, b,
                      a.within(Term::Binding::product) + " × " + b.within(Term::Binding::product),
                      a.value_ * b.value_, Term::Binding::product);
}

Term operator/(const Term& a, const Term& b) {
  if (b.is_constant(1)) return a;
  if (a.is_constant(0)) return a;
  if (a.constant_ && b.constant_) return {a.value_ / b.value_};
  return Term::joined(a, b,
                      a.within(Term::Binding::product) + " ÷ " + b.within(Term::Binding::atom),
                      a.value_ / b.value_, Term::Binding::product);
}

Term max(const Term& a, const Term& b) {
  return Term::joined(a, b, "max(" + a.text_ + ", " + b.text_ + ")", exact::max(a.value_, b.value_),
                      Term::Binding::atom);
}

Term min(const Term& a, const Term& b) {
  return Term::joined(a, b, "min(" + a.text_ + ", " + b.text_ + ")", exact::min(a.value_, b.value_),
                      Term::Binding::atom);
}

Term floor(const Term& a) {
  Term result("⌊" + a.text_ + "⌋", a.value_.floor(), Term::Binding::atom);
  result.inputs_ = a.inputs_;
  return result;
}

Term nothing(std::string why, FigureId because) {
  Term result("0: " + std::move(why), 0, Term::Binding::atom);
  result.constant_ = true;
  result.inputs_.push_back(because);
  return result;
}

Extent extent_of(const provenance::Graph& graph, FigureId figure) {
  return {graph[figure].name, graph.value(figure), figure};
}

Rational product_of(const Axis& axis) {
  Rational value = 1;
  for (const Extent& extent : axis)
    value *= extent.value;
  return value;
}

}  // namespace ullage::model
