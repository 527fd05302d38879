// Kimi-Linear (Kimi delta attention beside latent attention) and Kimi-K2.5 (Kimi-K2 with a vision
// tower). Tensors as Moonshot's modeling_kimi.py and modeling_kimi_k25.py define them.
#include <set>

#include "import/families/families.hpp"
#include "import/latent_attention.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Extent;
using model::Inventory;

struct LayerKinds {
  std::optional<Extent> delta;
  std::optional<Extent> latent;
};

// kda_layers and full_attn_layers, which count from 1 and must name each layer once.
base::Result<LayerKinds> read_kinds(ConfigReader& config, ConfigReader& linear,
                                    const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto delta, linear.numbers("kda_layers"));
  ULLAGE_TRY(const auto full, linear.numbers("full_attn_layers"));
  std::set<std::int64_t> named(delta.begin(), delta.end());
  named.insert(full.begin(), full.end());
  const auto length = static_cast<std::int64_t>(delta.size() + full.size());
  if (length != total || static_cast<std::int64_t>(named.size()) != total || *named.begin() != 1 ||
      *named.rbegin() != total) {
    return linear.fault(base::Code::out_of_range, "kda_layers",
                        "kda_layers and full_attn_layers do not name each of the " +
                            std::to_string(total) + " layers once",
                        "they count from 1");
  }
  const std::vector<std::int64_t> latent = layers_where(total, [&](std::int64_t layer) {
    return std::find(full.begin(), full.end(), layer + 1) != full.end();
  });
  return LayerKinds{
      layers_of_kind(config, layers, "layers with delta attention", other_layers(total, latent),
                     "kda_layers"),
      layers_of_kind(config, layers, "layers with latent attention", latent, "full_attn_layers")};
}

base::Result<MixtureShape> read_mixture(ConfigReader& config) {
  ULLAGE_TRY(Extent experts, config.count("num_experts"));
  ULLAGE_TRY(Extent chosen, config.count("num_experts_per_token"));
  ULLAGE_TRY(Extent width, config.count("moe_intermediate_size"));
  if (chosen.value > experts.value) {
    return config.fault(base::Code::out_of_range, "num_experts_per_token",
                        "num_experts_per_token " + chosen.value.to_string() +
                            " is more than num_experts " + experts.value.to_string());
  }
  MixtureShape shape{.routed = {std::move(experts), std::move(chosen), std::move(width)},
                     .shared = {},
                     .correction_bias = true};
  ULLAGE_TRY(const auto shared, config.optional_number("num_shared_experts"));
  if (shared.value_or(0) == 0) return shape;
  ULLAGE_TRY(const Extent number, config.count("num_shared_experts"));
  shape.shared =
      config.derived("shared expert width", number.value * shape.routed.intermediate.value,
                     "num_shared_experts × moe_intermediate_size",
                     {number.figure, shape.routed.intermediate.figure});
  return shape;
}

}  // namespace

base::Result<Inventory> read_kimi_linear(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  const Extent& hidden = decoder.hidden;
  ULLAGE_TRY(ConfigReader linear, config.nested("linear_attn_config"));
  ULLAGE_TRY(const LayerKinds kinds, read_kinds(config, linear, decoder.layers));
  ULLAGE_TRY(const KimiDeltaShape delta, read_kimi_delta_shape(linear));
  ULLAGE_TRY(const LatentShape latent, read_latent_shape(config));
  ULLAGE_TRY(const MixtureShape mixture, read_mixture(config));
  ULLAGE_TRY(const SparseLayers sparse, read_dense_first(config, decoder.layers));
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  for (const char* key : {"head_dim", "num_key_value_heads"})
    config.find(key);  // latent attention has widths of its own
  if (modules) {
    return config.fault(base::Code::unsupported_architecture, "num_nextn_predict_layers",
                        "MTP modules are not counted in this family",
                        "published checkpoints have none");
  }
  Inventory inventory;
  add_embeddings(inventory, decoder);
  if (kinds.delta) {
    TensorList list(inventory, "layers.*.", {*kinds.delta});
    add_kimi_delta(list, hidden, delta);
    inventory.caches.push_back(kimi_delta_cache(config, *kinds.delta, delta));
  }
  if (kinds.latent) {
    TensorList list(inventory, "layers.*.", {*kinds.latent});
    add_latent_attention(config, list, hidden, latent);
    inventory.caches.push_back(latent_cache(*kinds.latent, latent));
  }
  if (sparse.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *sparse.dense, hidden, intermediate, false);
  }
  if (sparse.sparse) {
    TensorList list(inventory, "layers.*.", {*sparse.sparse});
    add_mixture(list, hidden, mixture);
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_kimi_k25(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_kimi_k2(text));
  config.find("use_unified_vision_chunk");  // how images become tokens
  inventory.formats_known = false;          // its four-bit checkpoints are not those of Kimi-K2
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_CHECK(add_moon_vision(vision, inventory));
  return inventory;
}

}  // namespace ullage::import
