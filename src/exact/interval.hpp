// Ranges of exact numbers: the same formulas over what several claims allow.
#pragma once

#include <concepts>

#include "exact/rational.hpp"

namespace ullage::exact {

// Every number from `low` to `high`, both included. An operation gives the smallest interval that
// holds every result of numbers of its operands, so that a formula over intervals holds the exact
// value of each choice; where one quantity stands in a formula twice, it may hold more. A quotient
// whose divisor may be zero has no bounds, and nothing computed from it has any.
class Interval {
 public:
  Interval() = default;  // zero
  template <std::integral T>
  requires(!std::same_as<T, bool>) Interval(T value) : Interval(Rational(value)) {}
  Interval(const Rational& value) : low_(value), high_(value) {}
  Interval(double) = delete;
  Interval(float) = delete;
  Interval(long double) = delete;
  Interval(bool) = delete;

  // Defect where low > high.
  static Interval between(const Rational& low, const Rational& high);
  // The smallest interval that holds both.
  static Interval around(const Interval& a, const Interval& b);

  // Bounds; Defect where there are none.
  const Rational& low() const;
  const Rational& high() const;
  bool is_bounded() const { return bounded_; }
  bool is_point() const { return bounded_ && low_ == high_; }
  bool holds(const Rational& value) const;

  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);
  Interval operator-() const;
  Interval& operator+=(const Interval& other) { return *this = *this + other; }
  Interval& operator*=(const Interval& other) { return *this = *this * other; }
  friend bool operator==(const Interval& a, const Interval& b) = default;

  Interval floor() const;
  Interval ceil() const;

 private:
  static Interval unbounded();

  Rational low_;
  Rational high_;
  bool bounded_ = true;

  friend Interval min(const Interval& a, const Interval& b);
  friend Interval max(const Interval& a, const Interval& b);
};

Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);

}  // namespace ullage::exact
