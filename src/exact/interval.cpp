// Bounds of each operation. Those that grow with their operands take bound by bound; products look
// at every corner, since a negative factor swaps them.
#include "exact/interval.hpp"

namespace ullage::exact {

Interval Interval::between(const Rational& low, const Rational& high) {
  base::require(low <= high, "an interval whose low end lies above its high end");
  Interval result;
  result.low_ = low;
  result.high_ = high;
  return result;
}

Interval Interval::around(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_) return unbounded();
  return between(exact::min(a.low_, b.low_), exact::max(a.high_, b.high_));
}

Interval Interval::unbounded() {
  Interval result;
  result.bounded_ = false;
  return result;
}

const Rational& Interval::low() const {
  base::require(bounded_, "the low end of an interval without bounds");
  return low_;
}

const Rational& Interval::high() const {
  base::require(bounded_, "the high end of an interval without bounds");
  return high_;
}

bool Interval::holds(const Rational& value) const {
  return !bounded_ || (low_ <= value && value <= high_);
}

Interval operator+(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_) return Interval::unbounded();
  return Interval::between(a.low_ + b.low_, a.high_ + b.high_);
}

Interval operator-(const Interval& a, const Interval& b) {
  return a + -b;
}

Interval operator*(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_) return Interval::unbounded();
  if (a.low_.sign() >= 0 && b.low_.sign() >= 0) {
    return Interval::between(a.low_ * b.low_, a.high_ * b.high_);
  }
  const Interval low_corners =
      Interval::around(Interval(a.low_ * b.low_), Interval(a.low_ * b.high_));
  const Interval high_corners =
      Interval::around(Interval(a.high_ * b.low_), Interval(a.high_ * b.high_));
  return Interval::around(low_corners, high_corners);
}

Interval operator/(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_ || b.holds(Rational(0))) return Interval::unbounded();
  return a * Interval::between(Rational(1) / b.high_, Rational(1) / b.low_);
}

Interval Interval::operator-() const {
  return bounded_ ? between(-high_, -low_) : unbounded();
}

Interval Interval::floor() const {
  return bounded_ ? between(low_.floor(), high_.floor()) : unbounded();
}

Interval Interval::ceil() const {
  return bounded_ ? between(low_.ceil(), high_.ceil()) : unbounded();
}

Interval min(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_) return Interval::unbounded();
  return Interval::between(min(a.low_, b.low_), min(a.high_, b.high_));
}

Interval max(const Interval& a, const Interval& b) {
  if (!a.bounded_ || !b.bounded_) return Interval::unbounded();
  return Interval::between(max(a.low_, b.low_), max(a.high_, b.high_));
}

}  // namespace ullage::exact
