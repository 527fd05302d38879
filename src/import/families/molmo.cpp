// Molmo: OLMo's or Qwen2's layers behind a CLIP tower whose size the class fixes, pooled by
// attention. Tensors as the publisher's modeling_molmo.py defines them.
#include "import/dense.hpp"
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

// The tower is CLIP ViT-L/14 at 336 pixels without its last layer: numbers of the class, which no
// key states.
struct Tower {
  Extent width;
  Extent intermediate;
  Extent layers;
  Extent positions;
  Extent patch;
  Extent colours;
};

Tower fixed_tower(ConfigReader& config) {
  const auto of_class = [&](const char* name, std::int64_t value) {
    return config.assumed(name, value, "default of MolmoVisionBackboneConfig (publisher's code)");
  };
  return {of_class("tower width", 1024), of_class("tower MLP width", 4096),
          of_class("tower layers", 23),  of_class("image positions", 577),
          of_class("patch side", 14),    of_class("image channels", 3)};
}

void add_tower(ConfigReader& config, Inventory& inventory, const Extent& hidden,
               const Extent& intermediate) {
  const Tower tower = fixed_tower(config);
  const auto part = Component::vision;
  TensorList whole(inventory, "vision_backbone.", {}, part);
  whole.add("image_vit.class_embedding", part, {{tower.width}});
  whole.add("image_vit.positional_embedding", part, {{tower.positions}, {tower.width}});
  whole.add("image_vit.patch_embedding.weight", part,
            {{tower.width}, {tower.colours, tower.patch, tower.patch}});
  add_norm(whole, "image_vit.pre_ln", {tower.width}, true);
  const EncoderLayer layer{.width = tower.width, .intermediate = tower.intermediate};
  TensorList layers = whole.under("vision_backbone.image_vit.resblocks.*.", {tower.layers});
  add_encoder_layer(config, layers, layer);
  // States of two layers side by side, pooled over 2 × 2 patches.
  const Extent two = constant(config, "two", 2, "layers read; kinds of padding", tower.width);
  const model::Axis wide{two, tower.width};
  whole.add("pad_embed", part, {{two}, wide});
  for (const char* name : {"wq", "wk", "wv"})
    add_linear(whole, "image_pooling_2d." + std::string(name), part, {tower.width}, wide, true);
  add_linear(whole, "image_pooling_2d.wo", part, {tower.width}, {tower.width}, true);
  whole.add("image_projector.w1.weight", part, {{intermediate}, {tower.width}});
  whole.add("image_projector.w3.weight", part, {{intermediate}, {tower.width}});
  whole.add("image_projector.w2.weight", part, {{hidden}, {intermediate}});
}

}  // namespace

base::Result<Inventory> read_molmo(ConfigReader& config) {
  config.spell("tie_word_embeddings", {"weight_tying"});
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {false, "MolmoConfig (publisher's code)"}));
  // The table is padded beyond vocab_size.
  ULLAGE_TRY(const auto padded, config.optional_count("embedding_size"));
  if (padded) shape.decoder.vocabulary = *padded;
  const Extent two = constant(config, "two matrices", 2, "which intermediate_size counts together",
                              shape.intermediate);
  ULLAGE_TRY(shape.intermediate, config.quotient("matrix width", shape.intermediate, two));
  ULLAGE_TRY(shape.attention.input_bias, config.flag("qkv_bias", false));
  ULLAGE_TRY(shape.wide_norms, config.flag("attention_layer_norm", false));
  ULLAGE_TRY(const auto norm, config.optional_text("layer_norm_type"));
  if (norm && *norm != "rms") {
    return config.fault(base::Code::unsupported_architecture, "layer_norm_type",
                        "layer norms of type " + base::printable(*norm) + " are not counted here",
                        "published checkpoints have rms");
  }
  Inventory inventory = list_dense(config, shape);
  config.class_default("additional_vocab_size", 128, "MolmoConfig (publisher's code)");
  ULLAGE_TRY(const Extent more, config.count("additional_vocab_size"));
  TensorList(inventory, "", {})
      .add("wte.new_embedding", Component::embedding, {{more}, {shape.decoder.hidden}})
      .use = model::Use::look_up;
  add_tower(config, inventory, shape.decoder.hidden, shape.intermediate);
  return inventory;
}

}  // namespace ullage::import
