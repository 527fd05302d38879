// A truth value is no number.
// refused: (use of|call to) deleted (function|constructor)
#include "formulas.hpp"

namespace ullage::compile_fail {

exact::Rational yes() {
  return exact::Rational(true);
}

}  // namespace ullage::compile_fail
