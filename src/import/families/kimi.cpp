// Kimi-Linear (Kimi delta attention beside latent attention), Kimi-K3 (the same with gates, experts
// in a narrower width and residuals over blocks of layers) and Kimi-K2.5 (Kimi-K2 with a vision
// tower). Tensors as Moonshot's modeling_kimi.py, modeling_kimi_linear.py and modeling_kimi_k25.py
// define them.
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

namespace {

// Experts that work between two projections in a width of their own; the shared ones do not.
void add_latent_mixture(TensorList& list, const Extent& hidden, const MixtureShape& shape,
                        const Extent& width, bool normed) {
  using model::Component;
  using model::Split;
  const ExpertShape& routed = shape.routed;
  list.add("mlp.gate.weight", Component::router, {{routed.experts}, {hidden}});
  if (shape.correction_bias) {
    list.add("mlp.gate.e_score_correction_bias", Component::router, {{routed.experts}});
  }
  list.add("mlp.routed_expert_down_proj.weight", Component::experts, {{width}, {hidden}});
  list.add("mlp.routed_expert_up_proj.weight", Component::experts, {{hidden}, {width}});
  if (normed) list.add("mlp.routed_expert_norm.weight", Component::norms, {{width}});
  const auto expert = [&](const char* name, std::vector<model::Axis> axes, Split split) {
    list.add_routed(name, std::move(axes), split, routed.experts, routed.chosen);
  };
  expert("mlp.experts.*.gate_proj.weight", {{routed.intermediate}, {width}}, Split::columns);
  expert("mlp.experts.*.up_proj.weight", {{routed.intermediate}, {width}}, Split::columns);
  expert("mlp.experts.*.down_proj.weight", {{width}, {routed.intermediate}}, Split::rows);
  if (!shape.shared) return;
  add_gated_projections(list, "mlp.shared_experts.", Component::shared_experts, hidden,
                        *shape.shared);
}

// A norm and one row that weigh earlier blocks, before attention, before the MLP and at the end.
base::Result<void> add_block_residuals(ConfigReader& config, Inventory& inventory,
                                       const DecoderShape& decoder) {
  ULLAGE_TRY(const auto block, config.optional_number("attn_res_block_size"));
  if (block.value_or(0) == 0) return {};
  const Extent two = config.derived("two", 2, "a norm and a row", {decoder.hidden.figure});
  const auto part = model::Component::attention;
  TensorList list(inventory, "layers.*.", {decoder.layers});
  list.add("self_attention_res_{norm,proj}.weight", part, {{two}, {decoder.hidden}});
  list.add("mlp_res_{norm,proj}.weight", part, {{two}, {decoder.hidden}});
  TensorList(inventory, "", {})
      .add("output_attn_res_{norm,proj}.weight", part, {{two}, {decoder.hidden}});
  return {};
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
    ULLAGE_TRY(const bool gated, config.flag("mla_use_output_gate", false));
    if (gated) {
      list.add("self_attn.g_proj.weight", model::Component::attention,
               {{latent.heads, latent.value}, {hidden}}, model::Split::columns);
    }
  }
  if (sparse.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *sparse.dense, hidden, intermediate, false);
  }
  if (sparse.sparse) {
    TensorList list(inventory, "layers.*.", {*sparse.sparse});
    ULLAGE_TRY(const auto width, config.optional_count("routed_expert_hidden_size"));
    ULLAGE_TRY(const bool normed, config.flag("latent_moe_use_norm", false));
    if (width) {
      add_latent_mixture(list, hidden, mixture, *width, normed);
    } else {
      add_mixture(list, hidden, mixture);
    }
  }
  ULLAGE_CHECK(add_block_residuals(config, inventory, decoder));
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_kimi_k3(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  text.find("num_expert_group");  // among how many groups a router chooses
  text.find("cross_attention_hidden_size");
  ULLAGE_TRY(Inventory inventory, read_kimi_linear(text));
  if (config.find("vision_config") == nullptr) {
    config.note("vision-absent", "the configuration has no vision_config: no tower is counted");
    return inventory;
  }
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_CHECK(add_moon_vision(vision, inventory));
  return inventory;
}

// Moonlight behind MoonViT.
base::Result<Inventory> read_kimi_vl(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_kimi_k2(text));
  inventory.formats_known = false;  // no FP8 checkpoint of it was found
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_CHECK(add_moon_vision(vision, inventory, hidden));
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
