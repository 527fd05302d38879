// A formula over a dense rate takes no sparse one.
// refused: a formula takes exactly the measures that it declares
#include "formulas.hpp"

namespace ullage::compile_fail {

void half(provenance::Graph& graph) {
  graph.derive<HalfRate>(sparse_rate(graph));
}

}  // namespace ullage::compile_fail
