// A failure is not ignored.
// refused: (ignoring return|nodiscard)
#include "formulas.hpp"

namespace ullage::compile_fail {

void forget() {
  exact::Rational::parse("1");
}

}  // namespace ullage::compile_fail
