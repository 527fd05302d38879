// No number comes in from floating point.
// refused: deleted (function|constructor)
#include "formulas.hpp"

namespace ullage::compile_fail {

exact::Rational half() {
  return exact::Rational(0.5);
}

}  // namespace ullage::compile_fail
