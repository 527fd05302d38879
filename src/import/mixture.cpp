// Lists the tensors of a mixture and counts the layers that have one.
#include "import/mixture.hpp"

#include <algorithm>

namespace ullage::import {

using document::Type;
using model::Component;
using model::Extent;
using model::Split;

base::Result<MixtureShape> read_deepseek_mixture(ConfigReader& config, bool correction_bias) {
  ULLAGE_TRY(ExpertShape routed,
             read_expert_shape(config, "n_routed_experts", "moe_intermediate_size"));
  MixtureShape shape{.routed = std::move(routed), .shared = {}, .correction_bias = correction_bias};
  ULLAGE_TRY(const auto shared, config.optional_number("n_shared_experts"));
  if (shared.value_or(0) == 0) return shape;
  ULLAGE_TRY(const Extent number, config.count("n_shared_experts"));
  shape.shared =
      config.derived("shared expert width", number.value * shape.routed.intermediate.value,
                     number.name + " × " + shape.routed.intermediate.name,
                     {number.figure, shape.routed.intermediate.figure});
  return shape;
}

void add_gated_projections(TensorList& layers, std::string_view prefix, Component component,
                           const Extent& hidden, const Extent& intermediate) {
  const std::string start(prefix);
  layers.add(start + "gate_proj.weight", component, {{intermediate}, {hidden}}, Split::columns);
  layers.add(start + "up_proj.weight", component, {{intermediate}, {hidden}}, Split::columns);
  layers.add(start + "down_proj.weight", component, {{hidden}, {intermediate}}, Split::rows);
}

void add_mixture(TensorList& layers, const Extent& hidden, const MixtureShape& shape) {
  const ExpertShape& routed = shape.routed;
  layers.add("mlp.gate.weight", Component::router, {{routed.experts}, {hidden}});
  if (shape.correction_bias) {
    layers.add("mlp.gate.e_score_correction_bias", Component::router, {{routed.experts}});
  }
  const auto expert = [&](const char* name, std::vector<model::Axis> axes, Split split) {
    layers.add_routed(name, std::move(axes), split, routed.experts, routed.chosen);
  };
  expert("mlp.experts.*.gate_proj.weight", {{routed.intermediate}, {hidden}}, Split::columns);
  expert("mlp.experts.*.up_proj.weight", {{routed.intermediate}, {hidden}}, Split::columns);
  expert("mlp.experts.*.down_proj.weight", {{hidden}, {routed.intermediate}}, Split::rows);
  if (!shape.shared) return;
  add_gated_projections(layers, "mlp.shared_experts.", Component::shared_experts, hidden,
                        *shape.shared);
  if (shape.shared_gate) {
    layers.add("mlp.shared_expert_gate.weight", Component::shared_experts, {{hidden}});
  }
}

base::Result<SparseLayers> read_dense_first(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto first, config.optional_number("first_k_dense_replace"));
  const document::Value* frequency = config.find("moe_layer_freq");
  const bool listed = frequency != nullptr && frequency->type == Type::array;
  std::string source = "first_k_dense_replace";
  std::vector<std::int64_t> dense;
  std::vector<std::int64_t> sparse;
  const auto put = [&](std::int64_t layer, bool is_dense) {
    (is_dense ? dense : sparse).push_back(layer);
  };
  if (config.find("mlp_layer_types") != nullptr) {
    source = "mlp_layer_types";
    ULLAGE_TRY(const auto words, layer_words(config, source, total));
    for (std::int64_t i = 0; i < total; ++i) {
      const std::string& word = words[static_cast<std::size_t>(i)];
      if (word != "dense" && word != "sparse") {
        return unknown_layer(config, source, word, "dense, sparse");
      }
      put(i, word == "dense");
    }
  } else if (listed) {
    source = "moe_layer_freq";
    ULLAGE_TRY(const auto numbers, layer_numbers(config, source, total));
    for (std::int64_t i = 0; i < total; ++i)
      put(i, numbers[static_cast<std::size_t>(i)] == 0);
  } else {
    ULLAGE_TRY(const auto every, config.optional_count("moe_layer_freq"));
    const std::int64_t step = every ? every->value.to_int64().value_or(1) : 1;
    for (std::int64_t i = 0; i < total; ++i)
      put(i, i < first.value_or(0) || i % step != 0);
  }
  return SparseLayers{
      layers_of_kind(config, layers, "dense layers", std::move(dense), source),
      layers_of_kind(config, layers, "layers with experts", std::move(sparse), source)};
}

}  // namespace ullage::import
