// Pure state-space models (Mamba, Mamba-2) and Jamba, which puts Mamba beside attention and
// experts. Tensors as transformers defines them in models/mamba, models/mamba2 and models/jamba.
#include "import/families/families.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/state_space.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

// The rank of the time steps: a number, or `auto` for hidden ÷ 16 rounded up.
base::Result<Extent> read_rank(ConfigReader& config, std::string_view key, const Extent& hidden) {
  const document::Value* value = config.find(key);
  if (value != nullptr && value->type != document::Type::string) return config.count(key);
  if (value != nullptr && value->text != "auto") {
    return config.fault(base::Code::wrong_type, key,
                        std::string(key) + " is " + base::printable(value->text),
                        "a whole number or auto");
  }
  return config.derived(std::string(key), (hidden.value / exact::Rational(16)).ceil(),
                        "⌈hidden_size ÷ 16⌉", {hidden.figure});
}

// One norm before the only mixer of a layer.
void add_mixer_norm(TensorList& layers, const Extent& hidden) {
  layers.add("norm.weight", Component::norms, {{hidden}});
}

// Every `period`-th layer from `offset` on.
base::Result<std::vector<std::int64_t>> periodic(ConfigReader& config, std::string_view period_key,
                                                 std::string_view offset_key, std::int64_t total) {
  ULLAGE_TRY(const Extent period, config.count(period_key));
  ULLAGE_TRY(const auto offset, config.optional_number(offset_key));
  const std::int64_t step = period.value.to_int64().value_or(total + 1);
  return layers_where(total,
                      [&](std::int64_t layer) { return layer % step == offset.value_or(0); });
}

base::Result<MambaShape> read_jamba_mixer(ConfigReader& config, const Extent& hidden) {
  ULLAGE_TRY(const Extent expand, config.count("mamba_expand"));
  ULLAGE_TRY(Extent state, config.count("mamba_d_state"));
  ULLAGE_TRY(Extent kernel, config.count("mamba_d_conv"));
  ULLAGE_TRY(Extent taps, kept_taps(config, kernel));
  ULLAGE_TRY(Extent rank, read_rank(config, "mamba_dt_rank", hidden));
  ULLAGE_TRY(const bool conv_bias, config.flag("mamba_conv_bias", true));
  ULLAGE_TRY(const bool bias, config.flag("mamba_proj_bias", false));
  Extent inner = config.derived("inner width", expand.value * hidden.value,
                                "mamba_expand × hidden_size", {expand.figure, hidden.figure});
  return MambaShape{.inner = std::move(inner),
                    .state = std::move(state),
                    .rank = std::move(rank),
                    .kernel = std::move(kernel),
                    .taps = std::move(taps),
                    .conv_bias = conv_bias,
                    .projection_bias = bias,
                    .inner_norms = true};
}

}  // namespace

namespace {

base::Result<Inventory> read_first(ConfigReader& config, bool tied) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, tied));
  ULLAGE_TRY(auto inner, config.optional_count("intermediate_size"));
  if (!inner) {
    ULLAGE_TRY(const Extent expand, config.count("expand"));
    inner = config.derived("inner width", expand.value * decoder.hidden.value,
                           "expand × hidden_size", {expand.figure, decoder.hidden.figure});
  }
  ULLAGE_TRY(Extent state, config.count("state_size"));
  ULLAGE_TRY(Extent kernel, config.count("conv_kernel"));
  ULLAGE_TRY(Extent taps, kept_taps(config, kernel));
  ULLAGE_TRY(Extent rank, read_rank(config, "time_step_rank", decoder.hidden));
  ULLAGE_TRY(const bool conv_bias, config.flag("use_conv_bias", true));
  ULLAGE_TRY(const bool bias, config.flag("use_bias", false));
  const MambaShape shape{.inner = std::move(*inner),
                         .state = std::move(state),
                         .rank = std::move(rank),
                         .kernel = std::move(kernel),
                         .taps = std::move(taps),
                         .conv_bias = conv_bias,
                         .projection_bias = bias,
                         .inner_norms = false};
  Inventory inventory;
  add_embeddings(inventory, decoder);
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  add_mixer_norm(layers, decoder.hidden);
  add_mamba(config, layers, decoder.hidden, shape);
  inventory.caches.push_back(mamba_cache(decoder.layers, shape));
  add_final_norm(inventory, decoder.hidden);
  return inventory;
}

}  // namespace

base::Result<Inventory> read_mamba(ConfigReader& config) {
  return read_first(config, true);
}

// Norms B, C and the time steps without weights, and ties no head.
base::Result<Inventory> read_falcon_mamba(ConfigReader& config) {
  config.find("mixer_rms_eps");
  return read_first(config, false);
}

base::Result<Inventory> read_mamba2(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const Mamba2Shape shape,
             read_mamba2_shape(config, {"num_heads", "head_dim", "n_groups", "state_size",
                                        "conv_kernel", "use_conv_bias", "use_bias"}));
  ULLAGE_TRY(const auto expand, config.optional_count("expand"));
  if (expand && expand->value * decoder.hidden.value != shape.heads.value * shape.head_dim.value) {
    return config.fault(base::Code::out_of_range, "expand",
                        "expand × hidden_size is " +
                            (expand->value * decoder.hidden.value).to_string() +
                            ", but num_heads × head_dim is " +
                            (shape.heads.value * shape.head_dim.value).to_string());
  }
  Inventory inventory;
  add_embeddings(inventory, decoder);
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  add_mixer_norm(layers, decoder.hidden);
  add_mamba2(config, layers, decoder.hidden, shape);
  inventory.caches.push_back(mamba2_cache(config, decoder.layers, shape));
  add_final_norm(inventory, decoder.hidden);
  return inventory;
}

base::Result<Inventory> read_jamba(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const std::int64_t total, layer_total(config, decoder.layers));
  ULLAGE_TRY(const auto attending,
             periodic(config, "attn_layer_period", "attn_layer_offset", total));
  ULLAGE_TRY(auto sparse, periodic(config, "expert_layer_period", "expert_layer_offset", total));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const MambaShape mixer, read_jamba_mixer(config, decoder.hidden));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const ExpertShape experts,
             read_expert_shape(config, "num_experts", "intermediate_size"));
  // With one expert the class builds a plain MLP everywhere.
  if (experts.experts.value == exact::Rational(1)) sparse.clear();
  Inventory inventory;
  add_embeddings(inventory, decoder);
  if (const auto layers = layers_of_kind(config, decoder.layers, "attention layers", attending,
                                         "attn_layer_period")) {
    add_attention(inventory, *layers, decoder.hidden, attention);
    add_attention_cache(inventory, *layers, attention);
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "Mamba layers",
                                         other_layers(total, attending), "attn_layer_period")) {
    TensorList list(inventory, "layers.*.", {*layers});
    add_mamba(config, list, decoder.hidden, mixer);
    inventory.caches.push_back(mamba_cache(*layers, mixer));
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "layers with experts", sparse,
                                         "expert_layer_period")) {
    add_experts(inventory, *layers, decoder.hidden, experts);
  }
  if (const auto layers = layers_of_kind(config, decoder.layers, "dense layers",
                                         other_layers(total, sparse), "expert_layer_period")) {
    add_gated_mlp(inventory, *layers, decoder.hidden, intermediate, false);
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace ullage::import
