// Nor does one slip in through an aggregate.
// refused: deleted (function|constructor)
#include "formulas.hpp"

namespace ullage::compile_fail {

units::Quantity power() {
  return {.value = 0.5F, .unit = {.dimension = units::kWatts}};
}

}  // namespace ullage::compile_fail
