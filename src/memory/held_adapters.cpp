// Elements of memory/adapters × adapters × 2 B.
#include "memory/held_adapters.hpp"

#include "memory/adapters.hpp"

namespace ullage::memory {

using exact::Rational;
using model::Extent;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;

base::Result<Figure<Bytes>> adapter_bytes(Graph& graph, const model::Model& model,
                                          const Extent& number, const Extent& rank) {
  if (!model.inventory) {
    return base::Diagnostic{.code = base::Code::unknown_figure,
                            .message = "the shape of " + base::printable(model.name) +
                                       " is not known, so adapters cannot be counted",
                            .span = {},
                            .hint = "name a config.json, or leave out --lora-adapters",
                            .notes = {}};
  }
  ULLAGE_TRY(const auto groups, adapters(graph, *model.inventory, rank, {"all-linear"}));
  std::vector<Figure<Bytes>> parts;
  for (const model::TensorGroup& group : groups) {
    std::vector<FigureId> inputs{number.figure};
    Rational elements = 1;
    const auto factor = [&](const Extent& extent) {
      elements *= extent.value;
      inputs.push_back(extent.figure);
    };
    for (const Extent& extent : group.repeat)
      factor(extent);
    for (const model::Axis& axis : group.shape) {
      for (const Extent& extent : axis)
        factor(extent);
    }
    parts.push_back(graph.derived<Bytes>(group.name + ", held", "adapters × elements × 2 B",
                                         "Hu et al., LoRA, arXiv 2106.09685, section 4.1",
                                         std::move(inputs), number.value * elements * Rational(2)));
  }
  return graph.sum("LoRA adapters", parts);
}

}  // namespace ullage::memory
