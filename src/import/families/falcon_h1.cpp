// Falcon-H1: Mamba-2 and attention side by side in every layer, then a gated MLP. Tensors as
// transformers defines them in models/falcon_h1.
#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/prediction.hpp"
#include "import/state_space.hpp"

namespace ullage::import {
namespace {

using model::Extent;
using model::Inventory;

base::Result<Mamba2Shape> read_mixer(ConfigReader& config) {
  ULLAGE_TRY(Mamba2Shape shape, read_mamba2_shape(config, kShortMamba2Keys));
  ULLAGE_TRY(const bool output_bias, config.flag("projectors_bias", shape.projection_bias));
  ULLAGE_TRY(shape.norm, config.flag("mamba_rms_norm", false));
  ULLAGE_TRY(const auto inner, config.optional_count("mamba_d_ssm"));
  if (shape.projection_bias != output_bias) {
    return config.fault(base::Code::unsupported_architecture, "projectors_bias",
                        "projectors_bias differs from mamba_proj_bias",
                        "published checkpoints have both or none");
  }
  // mamba_expand is not what the class builds: the inner width is heads × head width.
  if (inner && inner->value != shape.heads.value * shape.head_dim.value) {
    return config.fault(base::Code::out_of_range, "mamba_d_ssm",
                        "mamba_d_ssm is " + inner->value.to_string() +
                            ", but mamba_n_heads × mamba_d_head is " +
                            (shape.heads.value * shape.head_dim.value).to_string());
  }
  return shape;
}

}  // namespace

base::Result<Inventory> read_falcon_h1(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(attention.input_bias, config.flag("attention_bias", false));
  attention.output_bias = attention.input_bias;
  ULLAGE_TRY(const Mamba2Shape mixer, read_mixer(config));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool mlp_bias, config.flag("mlp_bias", false));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  add_mamba2(config, layers, decoder.hidden, mixer);
  inventory.caches.push_back(mamba2_cache(config, decoder.layers, mixer));
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, mlp_bias);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace ullage::import
