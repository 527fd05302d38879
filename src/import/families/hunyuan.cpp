// Hunyuan: dense decoders and a mixture with a shared MLP, norms of each head on q and k, tied
// heads. Per-layer lists hold one number repeated. Tensors as transformers defines them in
// models/hunyuan_v1_dense and models/hunyuan_v1_moe, and as the publisher's modeling_hunyuan.py.
#include <algorithm>

#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/mixture.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

// The number under `key`, or the one that a list repeats for every layer. Error
// unsupported_architecture where layers differ.
base::Result<std::optional<Extent>> uniform_count(ConfigReader& config, std::string_view key) {
  const document::Value* value = config.find(key);
  if (value == nullptr || value->type != document::Type::array) return config.optional_count(key);
  ULLAGE_TRY(const auto numbers, config.numbers(key));
  const bool equal = std::all_of(numbers.begin(), numbers.end(),
                                 [&](std::int64_t n) { return n == numbers.front(); });
  if (numbers.empty() || numbers.front() < 1 || !equal) {
    return config.fault(base::Code::unsupported_architecture, key,
                        std::string(key) + " differs between layers, which is not counted",
                        "published checkpoints have one number for all layers");
  }
  return std::optional(config.counted(std::string(key), numbers.front(), key));
}

base::Result<Extent> required(ConfigReader& config, std::string_view key) {
  ULLAGE_TRY(auto found, uniform_count(config, key));
  if (found) return std::move(*found);
  return config.count(key);
}

base::Result<DenseShape> read_shape(ConfigReader& config, const std::string& class_name) {
  config.spell("head_dim", {"attention_head_dim"});
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, class_name}));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  ULLAGE_TRY(shape.mlp_bias, config.flag("mlp_bias", false));
  ULLAGE_TRY(shape.attention.head_norms, config.flag("use_qk_norm", true));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  ULLAGE_TRY(const bool shared, config.flag("use_cla", false));
  if (shared) {
    return config.fault(base::Code::unsupported_architecture, "use_cla",
                        "layers that share keys and values (use_cla) are not counted in this "
                        "family",
                        "no published total was found to compare them with");
  }
  for (const char* key : {"cla_share_factor", "attention_head_dim", "head_dim"})
    config.find(key);  // of layers that share, which there are none of; the head width again
  return shape;
}

base::Result<MixtureShape> read_mixture(ConfigReader& config) {
  ULLAGE_TRY(Extent experts, required(config, "num_experts"));
  ULLAGE_TRY(Extent chosen, required(config, "moe_topk"));
  ULLAGE_TRY(auto width, uniform_count(config, "moe_intermediate_size"));
  if (!width) {
    ULLAGE_TRY(width, uniform_count(config, "intermediate_size"));
  }
  if (!width) ULLAGE_CHECK(config.count("moe_intermediate_size"));
  if (chosen.value > experts.value) {
    return config.fault(base::Code::out_of_range, "moe_topk",
                        "moe_topk " + chosen.value.to_string() + " is more than num_experts " +
                            experts.value.to_string());
  }
  MixtureShape shape{.routed = {std::move(experts), std::move(chosen), std::move(*width)},
                     .shared = {}};
  ULLAGE_TRY(const bool mixed, config.flag("use_mixed_mlp_moe", true));
  ULLAGE_TRY(const auto shared, uniform_count(config, "num_shared_expert"));
  if (!mixed || !shared) return shape;
  shape.shared =
      config.derived("shared expert width", shared->value * shape.routed.intermediate.value,
                     "num_shared_expert × moe_intermediate_size",
                     {shared->figure, shape.routed.intermediate.figure});
  return shape;
}

}  // namespace

base::Result<Inventory> read_hunyuan_dense(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape, read_shape(config, "HunYuanDenseV1Config (transformers)"));
  return list_dense(config, shape);
}

base::Result<Inventory> read_hunyuan_moe(ConfigReader& config) {
  ULLAGE_TRY(DenseShape shape, read_shape(config, "HunYuanMoEV1Config (transformers)"));
  ULLAGE_TRY(const MixtureShape mixture, read_mixture(config));
  ULLAGE_TRY(const auto skipped, config.optional_number("moe_layer_num_skipped"));
  if (skipped.value_or(0) != 0) {
    return config.fault(base::Code::unsupported_architecture, "moe_layer_num_skipped",
                        "layers without experts are not counted in this family",
                        "published checkpoints skip none");
  }
  config.find("moe_layer_freq");
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  TensorList layers(inventory, "layers.*.", {shape.decoder.layers});
  add_mixture(layers, shape.decoder.hidden, mixture);
  return inventory;
}

}  // namespace ullage::import
