// Any bytes as a config.json: counted or refused with a reason, never a crash; the parts of a count
// sum to it, and no part is below nothing.
#include <cstdint>
#include <string>

#include "catalog/catalogue.hpp"
#include "check.hpp"
#include "import/open.hpp"
#include "memory/weights.hpp"

namespace {

using namespace ullage;

catalog::Catalogue& catalogue() {
  static catalog::Catalogue shared{catalog::embedded_catalogue()};
  return shared;
}

void demand_sums(provenance::Graph& graph, const model::Model& model) {
  const auto weights = memory::weigh(graph, model, {}, catalogue());
  if (!weights.ok()) {
    test::demand_refusal(weights.error());
    return;
  }
  if (!model.inventory) return;
  exact::Rational sum;
  for (const memory::ComponentCount& part : weights->components) {
    const exact::Rational parameters = graph.value(part.parameters);
    test::demand(parameters >= exact::Rational(0), "a part below nothing");
    sum += parameters;
  }
  test::demand(sum == graph.value(weights->parameters), "parts that are not the whole");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  base::MemoryFileSystem files;
  files.files["m/config.json"] = std::string(reinterpret_cast<const char*>(bytes), length);
  provenance::Graph graph;
  import::OpenContext context{catalogue(), files, graph, std::nullopt};
  const auto model = import::open_model(context, "m");
  if (!model.ok()) {
    test::demand_refusal(model.error());
    return 0;
  }
  demand_sums(graph, *model);
  return 0;
}
