// A million tokens take a million ÷ rate seconds.
#include "plan/cost.hpp"

namespace ullage::plan {

using exact::Rational;
using provenance::FigureId;

FigureId cost_per_million_tokens(provenance::Graph& graph, FigureId price, FigureId rate) {
  constexpr std::int64_t kMillion = 1'000'000;
  const units::Unit unit{.dimension = {.dollar = 1}};
  const bool known = graph.known(price) && graph.known(rate);
  const std::string name = "cost per million tokens";
  if (known && graph.value(rate).is_zero()) {
    return graph.unknown(name, unit, provenance::Absence::unpublished,
                         graph[rate].name + " is 0 tokens/s");
  }
  Rational value;
  if (known) value = graph.value(price) / graph.value(rate) * Rational(kMillion);
  const FigureId id =
      graph.derived(name, unit, graph[price].name + " ÷ " + graph[rate].name + " × 1,000,000", "",
                    {price, rate}, value);
  if (known && (graph.has_range(price) || graph.has_range(rate))) {
    graph.set_range(id, graph.interval(price) / graph.interval(rate) * exact::Interval(kMillion));
  }
  return id;
}

}  // namespace ullage::plan
