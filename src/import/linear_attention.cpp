// Tensors as transformers defines them in models/qwen3_next and models/qwen3_5, and as
// Kimi-Linear's modeling_kimi.py does.
#include "import/linear_attention.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;
using model::Split;

model::CacheGroup recurrent_cache(std::string name, const Extent& layers, model::Axis state,
                                  const Extent& heads, const Extent& channels, const Extent& taps,
                                  std::string format) {
  return {.name = std::move(name),
          .kind = model::CacheKind::recurrent,
          .layers = layers,
          .per_token = {},
          .per_sequence = {{"ssm", std::move(state), heads, std::move(format)},
                           {"conv", {channels, taps}, channels}},
          .window = {},
          .compress = {}};
}

base::Result<Extent> kept_taps(ConfigReader& config, const Extent& kernel) {
  if (kernel.value > exact::Rational(1)) {
    return config.derived("inputs kept", kernel.value - exact::Rational(1), kernel.name + " − 1",
                          {kernel.figure});
  }
  return config.fault(base::Code::out_of_range, kernel.name, kernel.name + " is 1",
                      "a convolution over one input keeps none");
}

base::Result<DeltaNetShape> read_delta_net_shape(ConfigReader& config) {
  ULLAGE_TRY(Extent key_heads, config.count("linear_num_key_heads"));
  ULLAGE_TRY(Extent value_heads, config.count("linear_num_value_heads"));
  ULLAGE_TRY(Extent key_dim, config.count("linear_key_head_dim"));
  ULLAGE_TRY(Extent value_dim, config.count("linear_value_head_dim"));
  ULLAGE_TRY(Extent kernel, config.count("linear_conv_kernel_dim"));
  ULLAGE_TRY(Extent taps, kept_taps(config, kernel));
  ULLAGE_TRY(const auto format, config.optional_text("mamba_ssm_dtype"));
  return DeltaNetShape{std::move(key_heads), std::move(value_heads), std::move(key_dim),
                       std::move(value_dim), std::move(kernel),      std::move(taps),
                       format.value_or("")};
}

namespace {

// Queries, keys and values side by side: what the convolution runs over.
Extent delta_channels(ConfigReader& config, const DeltaNetShape& shape) {
  const exact::Rational keys = shape.key_heads.value * shape.key_dim.value;
  const exact::Rational values = shape.value_heads.value * shape.value_dim.value;
  return config.derived("convolution channels", exact::Rational(2) * keys + values,
                        "2 × key heads × key width + value heads × value width",
                        {shape.key_heads.figure, shape.key_dim.figure, shape.value_heads.figure,
                         shape.value_dim.figure});
}

}  // namespace

void add_delta_net(ConfigReader& config, TensorList& layers, const Extent& hidden,
                   const DeltaNetShape& shape) {
  const Extent channels = delta_channels(config, shape);
  const model::Axis values{shape.value_heads, shape.value_dim};
  layers.add("linear_attn.in_proj_qkv.weight", Component::attention, {{channels}, {hidden}},
             Split::columns);
  layers.add("linear_attn.in_proj_z.weight", Component::attention, {values, {hidden}},
             Split::columns);
  layers.add("linear_attn.in_proj_b.weight", Component::attention, {{shape.value_heads}, {hidden}},
             Split::columns);
  layers.add("linear_attn.in_proj_a.weight", Component::attention, {{shape.value_heads}, {hidden}},
             Split::columns);
  layers.add("linear_attn.conv1d.weight", Component::attention, {{channels}, {shape.kernel}},
             Split::columns);
  layers.add("linear_attn.dt_bias", Component::attention, {{shape.value_heads}}, Split::columns);
  layers.add("linear_attn.A_log", Component::attention, {{shape.value_heads}}, Split::columns);
  layers.add("linear_attn.norm.weight", Component::norms, {{shape.value_dim}});
  layers.add("linear_attn.out_proj.weight", Component::attention, {{hidden}, values}, Split::rows);
}

model::CacheGroup delta_net_cache(ConfigReader& config, const Extent& layers,
                                  const DeltaNetShape& shape) {
  return recurrent_cache("layers.*.linear_attn", layers,
                         {shape.value_heads, shape.key_dim, shape.value_dim}, shape.value_heads,
                         delta_channels(config, shape), shape.taps, shape.state_format);
}

base::Result<KimiDeltaShape> read_kimi_delta_shape(ConfigReader& linear) {
  ULLAGE_TRY(Extent heads, linear.count("num_heads"));
  ULLAGE_TRY(Extent head_dim, linear.count("head_dim"));
  ULLAGE_TRY(Extent kernel, linear.count("short_conv_kernel_size"));
  ULLAGE_TRY(Extent taps, kept_taps(linear, kernel));
  ULLAGE_TRY(const bool full_rank, linear.flag("use_full_rank_gate", false));
  return KimiDeltaShape{std::move(heads), std::move(head_dim), std::move(kernel), std::move(taps),
                        full_rank};
}

void add_kimi_delta(TensorList& layers, const Extent& hidden, const KimiDeltaShape& shape) {
  const model::Axis inner{shape.heads, shape.head_dim};
  for (const char* name : {"q", "k", "v"}) {
    layers.add("self_attn." + std::string(name) + "_proj.weight", Component::attention,
               {inner, {hidden}}, Split::columns);
    layers.add("self_attn." + std::string(name) + "_conv1d.weight", Component::attention,
               {inner, {shape.kernel}}, Split::columns);
  }
  layers.add("self_attn.A_log", Component::attention, {{shape.heads}}, Split::columns);
  layers.add("self_attn.dt_bias", Component::attention, {inner}, Split::columns);
  for (const char* gate : {"f", "g"}) {
    if (shape.full_rank_gate && gate[0] == 'g') {
      layers.add("self_attn.g_proj.weight", Component::attention, {inner, {hidden}},
                 Split::columns);
      continue;
    }
    layers.add("self_attn." + std::string(gate) + "_a_proj.weight", Component::attention,
               {{shape.head_dim}, {hidden}});
    layers.add("self_attn." + std::string(gate) + "_b_proj.weight", Component::attention,
               {inner, {shape.head_dim}}, Split::columns);
  }
  layers.add("self_attn.b_proj.weight", Component::attention, {{shape.heads}, {hidden}},
             Split::columns);
  layers.add("self_attn.o_norm.weight", Component::norms, {{shape.head_dim}});
  layers.add("self_attn.o_proj.weight", Component::attention, {{hidden}, inner}, Split::rows);
}

model::CacheGroup kimi_delta_cache(ConfigReader& config, const Extent& layers,
                                   const KimiDeltaShape& shape) {
  const Extent channels = config.derived(
      "convolution channels", exact::Rational(3) * shape.heads.value * shape.head_dim.value,
      "3 × num_heads × head_dim", {shape.heads.figure, shape.head_dim.figure});
  return recurrent_cache("layers.*.self_attn", layers,
                         {shape.heads, shape.head_dim, shape.head_dim}, shape.heads, channels,
                         shape.taps, "");
}

}  // namespace ullage::import
