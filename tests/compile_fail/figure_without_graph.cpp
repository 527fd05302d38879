// A figure without an origin: only a Graph makes one, even from an id of another.
// refused: private
#include "formulas.hpp"

namespace ullage::compile_fail {

provenance::Figure<units::DenseRate> relabelled(provenance::FigureId id) {
  return provenance::Figure<units::DenseRate>(id);
}

}  // namespace ullage::compile_fail
