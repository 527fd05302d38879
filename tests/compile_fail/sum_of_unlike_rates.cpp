// Dense and sparse rates do not add up.
// refused: (cannot convert|no matching member function for call to .sum.)
#include "formulas.hpp"

namespace ullage::compile_fail {

void total(provenance::Graph& graph) {
  graph.sum<units::DenseRate>("rate", {dense_rate(graph), sparse_rate(graph)});
}

}  // namespace ullage::compile_fail
