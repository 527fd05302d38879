// Everything that the other files of this folder do wrong, done right.
#include "formulas.hpp"

namespace ullage::compile_fail {

exact::Rational from_whole_numbers() {
  exact::Rational value = 3;
  value += exact::Rational(static_cast<long long>(true));
  return value * exact::Rational::ratio(1, 2).value();
}

units::Quantity quantity() {
  return {.value = 700, .unit = {.dimension = units::kWatts}};
}

void figures(provenance::Graph& graph) {
  const auto dense = dense_rate(graph);
  const auto sparse = sparse_rate(graph);
  graph.derive<HalfRate>(dense);
  graph.sum<units::DenseRate>("dense", {dense, dense});
  graph.sum<units::SparseRate>("sparse", {sparse, sparse});
  const provenance::FigureId id = dense.id();
  const base::Result<provenance::Figure<units::DenseRate>> narrowed =
      graph.narrow<units::DenseRate>(id);
  if (narrowed.ok()) graph.derive<HalfRate>(*narrowed);
}

bool used_result() {
  return exact::Rational::parse("1").ok();
}

}  // namespace ullage::compile_fail
