// Multiplies out.
#include "model/elements.hpp"

namespace ullage::model {

using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Count;

Figure<Count> elements(Graph& graph, const TensorGroup& group) {
  std::string formula;
  std::vector<FigureId> inputs;
  exact::Rational value = 1;
  const auto factor = [&](const Extent& extent) {
    formula += (formula.empty() ? "" : " × ") + extent.name;
    inputs.push_back(extent.figure);
    value *= extent.value;
  };
  for (const Extent& extent : group.repeat)
    factor(extent);
  for (const Axis& axis : group.shape) {
    for (const Extent& extent : axis)
      factor(extent);
  }
  return graph.derived<Count>(group.name, std::move(formula), {}, std::move(inputs),
                              std::move(value));
}

Figure<Count> active_part(Graph& graph, const TensorGroup& group, Figure<Count> all) {
  const exact::Rational value = graph.value(all) * group.chosen->value / group.experts->value;
  return graph.derived<Count>(group.name + ", active",
                              "elements × " + group.chosen->name + " ÷ " + group.experts->name, {},
                              {all.id(), group.chosen->figure, group.experts->figure}, value);
}

}  // namespace ullage::model
