// Tensors as transformers defines them in models/mamba and models/mamba2.
#include "import/state_space.hpp"

#include "import/linear_attention.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Axis;
using model::Component;
using model::Extent;
using model::Split;

// The input, and B and C of every group: what the convolution runs over.
Extent convolved(ConfigReader& config, const Mamba2Shape& shape) {
  return config.derived(
      "convolution channels",
      shape.heads.value * shape.head_dim.value +
          Rational(2) * shape.groups.value * shape.state.value,
      "heads × head width + 2 × groups × state",
      {shape.heads.figure, shape.head_dim.figure, shape.groups.figure, shape.state.figure});
}

}  // namespace

base::Result<Mamba2Shape> read_mamba2_shape(ConfigReader& config, const Mamba2Keys& keys) {
  ULLAGE_TRY(Extent heads, config.count(keys.heads));
  ULLAGE_TRY(Extent head_dim, config.count(keys.head_dim));
  ULLAGE_TRY(Extent groups, config.count(keys.groups));
  ULLAGE_TRY(Extent state, config.count(keys.state));
  ULLAGE_TRY(Extent kernel, config.count(keys.kernel));
  ULLAGE_TRY(Extent taps, kept_taps(config, kernel));
  ULLAGE_TRY(const bool conv_bias, config.flag(keys.conv_bias, true));
  ULLAGE_TRY(const bool bias, config.flag(keys.projection_bias, false));
  std::string format;
  if (!keys.format.empty()) {
    ULLAGE_TRY(const auto stated, config.optional_text(keys.format));
    format = stated.value_or("");
  }
  return Mamba2Shape{.heads = std::move(heads),
                     .head_dim = std::move(head_dim),
                     .groups = std::move(groups),
                     .state = std::move(state),
                     .kernel = std::move(kernel),
                     .taps = std::move(taps),
                     .conv_bias = conv_bias,
                     .projection_bias = bias,
                     .norm = true,
                     .state_format = std::move(format)};
}

void add_mamba2(ConfigReader& config, TensorList& layers, const Extent& hidden,
                const Mamba2Shape& shape) {
  const Axis inner{shape.heads, shape.head_dim};
  const Extent channels = convolved(config, shape);
  const Extent projected =
      config.derived("projected width",
                     channels.value + shape.heads.value * shape.head_dim.value + shape.heads.value,
                     "convolution channels + heads × head width + heads",
                     {channels.figure, shape.heads.figure, shape.head_dim.figure});
  layers.add("mixer.in_proj.weight", Component::attention, {{projected}, {hidden}}, Split::columns);
  layers.add("mixer.conv1d.weight", Component::attention, {{channels}, {shape.kernel}},
             Split::columns);
  if (shape.conv_bias) {
    layers.add("mixer.conv1d.bias", Component::attention, {{channels}}, Split::columns);
  }
  for (const char* name : {"mixer.A_log", "mixer.D", "mixer.dt_bias"}) {
    layers.add(name, Component::attention, {{shape.heads}}, Split::columns);
  }
  if (shape.norm) layers.add("mixer.norm.weight", Component::norms, {inner}, Split::columns);
  layers.add("mixer.out_proj.weight", Component::attention, {{hidden}, inner}, Split::rows);
  if (!shape.projection_bias) return;
  layers.add("mixer.in_proj.bias", Component::attention, {{projected}}, Split::columns);
  layers.add("mixer.out_proj.bias", Component::attention, {{hidden}});
}

model::CacheGroup mamba2_cache(ConfigReader& config, const Extent& layers,
                               const Mamba2Shape& shape) {
  return recurrent_cache("layers.*.mixer", layers, {shape.heads, shape.head_dim, shape.state},
                         shape.heads, convolved(config, shape), shape.taps, shape.state_format);
}

void add_mamba(ConfigReader& config, TensorList& layers, const Extent& hidden,
               const MambaShape& shape) {
  const Extent two =
      config.derived("input and gate", 2, "side by side in one matrix", {shape.inner.figure});
  const Extent steps = config.derived(
      "time steps, B and C", shape.rank.value + Rational(2) * shape.state.value,
      shape.rank.name + " + 2 × " + shape.state.name, {shape.rank.figure, shape.state.figure});
  layers.add("mamba.in_proj.weight", Component::attention, {{two, shape.inner}, {hidden}},
             Split::columns);
  layers.add("mamba.conv1d.weight", Component::attention, {{shape.inner}, {shape.kernel}},
             Split::columns);
  if (shape.conv_bias) {
    layers.add("mamba.conv1d.bias", Component::attention, {{shape.inner}}, Split::columns);
  }
  layers.add("mamba.x_proj.weight", Component::attention, {{steps}, {shape.inner}}, Split::rows);
  layers.add("mamba.dt_proj.weight", Component::attention, {{shape.inner}, {shape.rank}},
             Split::columns);
  layers.add("mamba.dt_proj.bias", Component::attention, {{shape.inner}}, Split::columns);
  layers.add("mamba.A_log", Component::attention, {{shape.inner}, {shape.state}}, Split::columns);
  layers.add("mamba.D", Component::attention, {{shape.inner}}, Split::columns);
  layers.add("mamba.out_proj.weight", Component::attention, {{hidden}, {shape.inner}}, Split::rows);
  if (shape.inner_norms) {
    layers.add("mamba.{dt,b,c}_layernorm.weight", Component::norms, {{steps}});
  }
  if (!shape.projection_bias) return;
  layers.add("mamba.in_proj.bias", Component::attention, {{two, shape.inner}}, Split::columns);
  layers.add("mamba.out_proj.bias", Component::attention, {{hidden}});
}

model::CacheGroup mamba_cache(const Extent& layers, const MambaShape& shape) {
  return recurrent_cache("layers.*.mamba", layers, {shape.inner, shape.state}, shape.inner,
                         shape.inner, shape.taps, "");
}

}  // namespace ullage::import
