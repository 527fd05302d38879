// Checks degrees and makes them figures.
#include "plan/layout.hpp"

namespace ullage::plan {
namespace {

constexpr std::int64_t kMostRanks = 65'536;
constexpr std::int64_t kMostLayers = 100'000;

base::Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

base::Result<std::int64_t> number(const GivenNumber& given, std::int64_t most) {
  const auto value = given.value.to_int64();
  if (value && *value >= 1 && *value <= most) return *value;
  return usage(given.where + " is beyond " + std::to_string(most), "a whole number of at least 1");
}

base::Result<memory::Degree> degree(provenance::Graph& graph, const char* name,
                                    const std::optional<GivenNumber>& given) {
  if (!given) return memory::Degree{};
  ULLAGE_TRY(const std::int64_t value, number(*given, kMostRanks));
  return memory::Degree{value, graph.given(name, {given->value, {}}, {given->where, ""})};
}

}  // namespace

base::Result<memory::Layout> layout_of(provenance::Graph& graph, const LayoutChoice& choice) {
  memory::Layout layout;
  ULLAGE_TRY(layout.tensor, degree(graph, "tensor-parallel degree", choice.tensor));
  ULLAGE_TRY(layout.pipeline, degree(graph, "pipeline-parallel degree", choice.pipeline));
  ULLAGE_TRY(layout.expert, degree(graph, "expert-parallel degree", choice.expert));
  for (const GivenNumber& layers : choice.layer_split) {
    ULLAGE_TRY(const std::int64_t value, number(layers, kMostLayers));
    layout.layer_split.push_back(value);
  }
  if (layout.layer_split.empty()) return layout;
  const auto stages = static_cast<std::int64_t>(layout.layer_split.size());
  if (choice.pipeline && layout.pipeline.value != stages) {
    return usage(choice.layer_split.front().where + " names " + std::to_string(stages) +
                     " stages, but " + choice.pipeline->where + " is given too",
                 "one number of layers for each stage");
  }
  if (!choice.pipeline) {
    layout.pipeline = {stages, graph.given("pipeline-parallel degree", {stages, {}},
                                           {choice.layer_split.front().where, ""})};
  }
  return layout;
}

}  // namespace ullage::plan
