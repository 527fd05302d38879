// Gemma 1, 2 and 3: tied heads, head_dim apart, two or four norms a layer; Gemma 2 keeps a window
// in every second layer, Gemma 3 in five of six, and its larger sizes carry a SigLIP tower. Tensors
// as transformers defines them in models/gemma, gemma2, gemma3 and siglip.
#include "import/dense.hpp"
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/window_pattern.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

base::Result<DenseShape> read_gemma_shape(ConfigReader& config, const std::string& class_name,
                                          ConfigReader* outer = nullptr) {
  config.class_default("head_dim", 256, class_name);
  ULLAGE_TRY(DenseShape shape, read_dense_shape(config, {true, class_name}, outer));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  shape.attention.input_bias = bias;
  shape.attention.output_bias = bias;
  return shape;
}

base::Result<Inventory> read_gemma3_layers(ConfigReader& config, ConfigReader* outer) {
  const std::string class_name = "Gemma3TextConfig (transformers)";
  config.class_default("sliding_window", 4096, class_name);
  ULLAGE_TRY(DenseShape shape, read_gemma_shape(config, class_name, outer));
  shape.layer_norms = 4;
  shape.attention.head_norms = true;
  ULLAGE_TRY(Inventory inventory, list_windowed(config, shape, 6));
  inventory.offset_norms = true;
  return inventory;
}

// The projector behind the tower: a norm of the tower's width and one matrix.
base::Result<void> add_gemma3_vision(ConfigReader& config, Inventory& inventory,
                                     const Extent& hidden) {
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const Extent width, add_siglip(vision, inventory));
  TensorList projector(inventory, "multi_modal_projector.", {}, Component::vision);
  projector.add("mm_input_projection_weight", Component::vision, {{width}, {hidden}});
  projector.add("mm_soft_emb_norm.weight", Component::vision, {{width}});
  return {};
}

}  // namespace

base::Result<Inventory> read_gemma(ConfigReader& config) {
  ULLAGE_TRY(const DenseShape shape, read_gemma_shape(config, "GemmaConfig (transformers)"));
  Inventory inventory = list_dense(config, shape);
  inventory.offset_norms = true;
  return inventory;
}

base::Result<Inventory> read_gemma2(ConfigReader& config) {
  const std::string class_name = "Gemma2Config (transformers)";
  config.class_default("sliding_window", 4096, class_name);
  config.find("sliding_window_size");  // another spelling of the same number beside it
  ULLAGE_TRY(DenseShape shape, read_gemma_shape(config, class_name));
  shape.layer_norms = 4;
  ULLAGE_TRY(Inventory inventory, list_windowed(config, shape, 2));
  inventory.offset_norms = true;
  return inventory;
}

base::Result<Inventory> read_gemma3_text(ConfigReader& config) {
  return read_gemma3_layers(config, nullptr);
}

// Published text_configs leave out what the class says.
base::Result<Inventory> read_gemma3(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  const std::string class_name = "Gemma3TextConfig (transformers)";
  text.class_default("vocab_size", 262208, class_name);
  text.class_default("num_attention_heads", 8, class_name);
  text.class_default("num_key_value_heads", 4, class_name);
  ULLAGE_TRY(Inventory inventory, read_gemma3_layers(text, &config));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_CHECK(add_gemma3_vision(config, inventory, hidden));
  return inventory;
}

}  // namespace ullage::import
