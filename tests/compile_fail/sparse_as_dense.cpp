// A sparse figure is not assigned to a dense one.
// refused: (could not convert|no viable conversion) .*SparseRate
#include "formulas.hpp"

namespace ullage::compile_fail {

provenance::Figure<units::DenseRate> dense(provenance::Graph& graph) {
  return sparse_rate(graph);
}

}  // namespace ullage::compile_fail
