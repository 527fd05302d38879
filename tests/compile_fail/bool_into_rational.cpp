// A truth value is no number.
// refused: deleted (function|constructor)
#include "formulas.hpp"

namespace ullage::compile_fail {

exact::Rational yes() {
  return exact::Rational(true);
}

}  // namespace ullage::compile_fail
