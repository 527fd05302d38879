// Tensors as transformers defines them in models/gemma4 and models/gemma3n. The sound encoder is a
// conformer: two half feed-forwards around attention in chunks and a light convolution.
#include "import/families/gemma_towers.hpp"

#include "import/dense.hpp"
#include "import/mixture.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;

// Four bounds (least and most of input and output) beside each of `matrices` matrices; they follow
// from a calibration and are no weights.
void add_bounds(ConfigReader& config, TensorList& list, std::int64_t matrices, const Extent& of) {
  const Extent four = constant(config, "bounds of a matrix", 4, "of input and output", of);
  const Extent number = constant(config, "clipped matrices", matrices, "by the class", of);
  list.add("{input,output}_{min,max}", Component::vision, {{number}, {four}}).counted = false;
}

struct ConformerShape {
  Extent width;
  Extent layers;
  Extent heads;
  Extent kernel;
  Extent first;   // channels of the first convolution
  Extent second;  // and of the second
  Extent bands;   // of a spectrogram
  bool clipped = false;
};

struct ConformerKeys {
  const char* layers;
  const char* heads;
  const char* kernel;
  const char* channels;
};

base::Result<ConformerShape> read_conformer(ConfigReader& audio, const ConformerKeys& keys,
                                            const std::string& class_name, std::int64_t width) {
  audio.class_default("hidden_size", width, class_name);
  audio.class_default(keys.layers, 12, class_name);
  audio.class_default(keys.heads, 8, class_name);
  audio.class_default(keys.kernel, 5, class_name);
  audio.class_default("input_feat_size", 128, class_name);
  ULLAGE_TRY(Extent hidden, audio.count("hidden_size"));
  ULLAGE_TRY(Extent layers, audio.count(keys.layers));
  ULLAGE_TRY(Extent heads, audio.count(keys.heads));
  ULLAGE_TRY(Extent kernel, audio.count(keys.kernel));
  ULLAGE_TRY(Extent bands, audio.count("input_feat_size"));
  ULLAGE_TRY(std::vector<std::int64_t> channels, audio.numbers(keys.channels));
  const bool stated = !channels.empty();
  if (!stated) channels = {128, 32};
  if (channels.size() != 2 || channels[0] < 1 || channels[1] < 1) {
    return audio.fault(base::Code::out_of_range, keys.channels,
                       std::string(keys.channels) + " is not two numbers of channels");
  }
  const auto channel = [&](const char* name, std::int64_t number) {
    return stated ? audio.counted(name, number, keys.channels)
                  : audio.assumed(name, number, "default of " + class_name);
  };
  Extent first = channel("channels of the first convolution", channels[0]);
  Extent second = channel("channels of the second convolution", channels[1]);
  return ConformerShape{std::move(hidden), std::move(layers), std::move(heads), std::move(kernel),
                        std::move(first),  std::move(second), std::move(bands)};
}

// Two convolutions of 3 × 3 that halve time and bands, and the projection of what they leave.
void add_subsampling(ConfigReader& audio, TensorList& whole, const ConformerShape& shape) {
  const Extent three = constant(audio, "taps", 3, "a side of both convolutions", shape.width);
  const Extent left =
      audio.derived("bands left", (((shape.bands.value / Rational(2)).ceil()) / Rational(2)).ceil(),
                    "bands halved twice", {shape.bands.figure});
  const auto part = Component::vision;
  whole.add("subsample.conv_0.weight", part, {{shape.first}, {three, three}});
  whole.add("subsample.norm_0.weight", part, {{shape.first}});
  whole.add("subsample.conv_1.weight", part, {{shape.second}, {shape.first, three, three}});
  whole.add("subsample.norm_1.weight", part, {{shape.second}});
  whole.add("subsample.proj.weight", part, {{shape.width}, {left, shape.second}});
}

base::Result<void> add_conformer(ConfigReader& audio, TensorList& whole,
                                 const ConformerShape& shape) {
  ULLAGE_TRY(const Extent head, audio.quotient("head width", shape.width, shape.heads));
  const auto part = Component::vision;
  const Axis width{shape.width};
  const Extent two = constant(audio, "two", 2, "of a kind in each layer", shape.width);
  const Extent four = constant(audio, "widening", 4, "of the feed-forwards", shape.width);
  add_subsampling(audio, whole, shape);
  TensorList layers = whole.under("audio_tower.layers.*.", {shape.layers});
  layers.add("feed_forward{1,2}.ffw_layer_1.weight", part, {{two}, {four, shape.width}, width});
  layers.add("feed_forward{1,2}.ffw_layer_2.weight", part, {{two}, width, {four, shape.width}});
  layers.add("feed_forward{1,2}.{pre,post}_layer_norm.weight", part, {{two}, {two}, width});
  for (const char* name : {"q_proj", "k_proj", "v_proj", "post", "relative_k_proj"})
    layers.add("self_attn." + std::string(name) + ".weight", part, {width, width});
  layers.add("self_attn.per_dim_scale", part, {{head}});
  layers.add("norm_{pre,post}_attn.weight", part, {{two}, width});
  layers.add("lconv1d.linear_start.weight", part, {{two, shape.width}, width});
  layers.add("lconv1d.linear_end.weight", part, {width, width});
  layers.add("lconv1d.depthwise_conv1d.weight", part, {width, {shape.kernel}});
  layers.add("lconv1d.{pre_layer,conv}_norm.weight", part, {{two}, width});
  layers.add("norm_out.weight", part, {width});
  if (shape.clipped) add_bounds(audio, layers, 10, shape.layers);
  return {};
}

// Gemma 3n embeds tokens of each medium in a table of its own, and norms and projects what the
// encoder gives.
base::Result<void> add_embedder(ConfigReader& config, TensorList& list, const Extent& width,
                                const Extent& hidden) {
  config.class_default("vocab_size", 128, "the config class of Gemma 3n (transformers)");
  ULLAGE_TRY(const Extent rows, config.count("vocab_size"));
  const Extent two = constant(config, "norms", 2, "of tokens and of the encoder's output", width);
  list.add("embedding.weight", Component::vision, {{rows}, {width}});
  list.add("{hard,soft}_embedding_norm.weight", Component::vision, {{two}, {width}});
  list.add("embedding_projection.weight", Component::vision, {{hidden}, {width}});
  return {};
}

}  // namespace

base::Result<void> add_gemma4_vision(ConfigReader& vision, Inventory& inventory,
                                     const Extent& hidden) {
  const std::string class_name = "Gemma4VisionConfig (transformers)";
  vision.class_default("hidden_size", 768, class_name);
  vision.class_default("intermediate_size", 3072, class_name);
  vision.class_default("num_hidden_layers", 16, class_name);
  vision.class_default("num_attention_heads", 12, class_name);
  vision.class_default("num_key_value_heads", 12, class_name);
  vision.class_default("head_dim", 64, class_name);
  vision.class_default("patch_size", 16, class_name);
  vision.class_default("position_embedding_size", 10240, class_name);
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  ULLAGE_TRY(const Extent intermediate, vision.count("intermediate_size"));
  ULLAGE_TRY(const Extent layers, vision.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent heads, vision.count("num_attention_heads"));
  ULLAGE_TRY(const Extent kv_heads, vision.count("num_key_value_heads"));
  ULLAGE_TRY(const Extent head, vision.count("head_dim"));
  ULLAGE_TRY(const Extent patch, vision.count("patch_size"));
  ULLAGE_TRY(const Extent positions, vision.count("position_embedding_size"));
  ULLAGE_TRY(const bool clipped, vision.flag("use_clipped_linears", false));
  ULLAGE_TRY(const bool standardised, vision.flag("standardize", false));
  vision.find("global_head_dim");  // of the text; repeats head_dim here
  const auto part = Component::vision;
  const Extent colours = constant(vision, "image channels", 3, "RGB images", patch);
  const Extent two = constant(vision, "two", 2, "of a kind", width);
  const Extent four = constant(vision, "norms per layer", 4, "by the class", layers);
  TensorList whole(inventory, "vision_tower.", {}, part);
  whole.add("patch_embedder.input_proj.weight", part, {{width}, {colours, patch, patch}});
  whole.add("patch_embedder.position_embedding_table", part, {{two}, {positions}, {width}});
  if (standardised) whole.add("{std_bias,std_scale}", part, {{two}, {width}});
  TensorList list = whole.under("vision_tower.encoder.layers.*.", {layers});
  list.add("self_attn.q_proj.weight", part, {{heads, head}, {width}});
  list.add("self_attn.{k,v}_proj.weight", part, {{two}, {kv_heads, head}, {width}});
  list.add("self_attn.o_proj.weight", part, {{width}, {heads, head}});
  list.add("self_attn.{q,k}_norm.weight", part, {{two}, {head}});
  add_gated_projections(list, "mlp.", part, width, intermediate);
  list.add("{norms}.weight", part, {{four}, {width}});
  if (clipped) add_bounds(vision, list, 7, layers);
  TensorList projection = whole.under("embed_vision.", {});
  projection.add("embedding_projection.weight", part, {{hidden}, {width}});
  return {};
}

base::Result<void> add_gemma4_audio(ConfigReader& audio, Inventory& inventory,
                                    const Extent& hidden) {
  const std::string class_name = "Gemma4AudioConfig (transformers)";
  ULLAGE_TRY(ConformerShape shape, read_conformer(audio,
                                                  {"num_hidden_layers", "num_attention_heads",
                                                   "conv_kernel_size", "subsampling_conv_channels"},
                                                  class_name, 1024));
  ULLAGE_TRY(shape.clipped, audio.flag("use_clipped_linears", true));
  audio.class_default("output_proj_dims", 1536, class_name);
  ULLAGE_TRY(const Extent out, audio.count("output_proj_dims"));
  TensorList whole(inventory, "audio_tower.", {}, Component::vision);
  ULLAGE_CHECK(add_conformer(audio, whole, shape));
  add_linear(whole, "output_proj", Component::vision, {out}, {shape.width}, true);
  TensorList projection = whole.under("embed_audio.", {});
  projection.add("embedding_projection.weight", Component::vision, {{hidden}, {out}});
  return {};
}

base::Result<void> add_gemma3n_vision(ConfigReader& vision, Inventory& inventory,
                                      const Extent& hidden) {
  ULLAGE_TRY(const auto name, vision.optional_text("architecture"));
  if (name && *name != "mobilenetv5_300m_enc") {
    return vision.fault(base::Code::unsupported_architecture, "architecture",
                        "an image encoder " + base::printable(*name) + " is not counted here",
                        "counted: mobilenetv5_300m_enc");
  }
  vision.class_default("hidden_size", 2048, "Gemma3nVisionConfig (transformers)");
  ULLAGE_TRY(const Extent width, vision.count("hidden_size"));
  // The name fixes every convolution; the hub's totals of both Gemma 3n are met with this many.
  const Extent encoder = vision.assumed("weights of the image encoder", 294'126'912,
                                        "timm's mobilenetv5_300m_enc as Gemma 3n stores it");
  TensorList whole(inventory, "vision_tower.", {}, Component::vision);
  whole.add("timm_model.*", Component::vision, {{encoder}});
  TensorList embedder = whole.under("embed_vision.", {});
  return add_embedder(vision, embedder, width, hidden);
}

base::Result<void> add_gemma3n_audio(ConfigReader& audio, Inventory& inventory,
                                     const Extent& hidden) {
  ULLAGE_TRY(const ConformerShape shape,
             read_conformer(audio,
                            {"conf_num_hidden_layers", "conf_num_attention_heads",
                             "conf_conv_kernel_size", "sscp_conv_channel_size"},
                            "Gemma3nAudioConfig (transformers)", 1536));
  audio.find("sscp_conv_kernel_size");  // 3 × 3 in every published size
  audio.find("sscp_conv_stride_size");
  TensorList whole(inventory, "audio_tower.", {}, Component::vision);
  ULLAGE_CHECK(add_conformer(audio, whole, shape));
  TensorList embedder = whole.under("embed_audio.", {});
  return add_embedder(audio, embedder, shape.width, hidden);
}

}  // namespace ullage::import
