// Keeps the divisor from being zero.
#include "plan/quotient.hpp"

namespace ullage::plan {

using provenance::FigureId;

FigureId quotient(provenance::Graph& graph, QuotientName name, FigureId dividend,
                  FigureId divisor) {
  const bool known = graph.known(dividend) && graph.known(divisor);
  if (known && graph.value(divisor).is_zero()) {
    return graph.unknown(std::move(name.name), name.unit, provenance::Absence::unpublished,
                         graph[divisor].name + " is 0, by which nothing can be divided");
  }
  exact::Rational value;
  if (known) value = graph.value(dividend) / graph.value(divisor);
  const FigureId id = graph.derived(std::move(name.name), name.unit, std::move(name.formula), "",
                                    {dividend, divisor}, value);
  if (known && (graph.has_range(dividend) || graph.has_range(divisor))) {
    graph.set_range(id, graph.interval(dividend) / graph.interval(divisor));
  }
  return id;
}

}  // namespace ullage::plan
