// A figure without an origin: only a Graph makes an id.
// refused: private
#include "formulas.hpp"

namespace ullage::compile_fail {

provenance::FigureId invented() {
  return provenance::FigureId(0);
}

}  // namespace ullage::compile_fail
