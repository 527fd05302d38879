// A tower, a projector and a text decoder of another family: LLaVA 1.5 and 1.6 (CLIP), Pixtral and
// Mistral 3 (Pixtral's tower), and Ministral 3 alone or with that tower. Tensors as transformers
// defines them in models/llava, pixtral and mistral3.
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"
#include "import/family.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

base::Result<Inventory> read_text(ConfigReader& text, ConfigReader& outer) {
  ULLAGE_TRY(const auto type, text.optional_text("model_type"));
  if (type && *type == "ministral3") return read_ministral3_text(text, &outer);
  if (type && *type == "mistral") return read_mistral(text);
  if (type && *type == "mistral4") return read_mistral4(text);
  if (type && *type == "llama") {
    // Published text_configs leave out what the class says.
    const std::string class_name = "LlamaConfig (transformers)";
    text.class_default("vocab_size", 32000, class_name);
    text.class_default("hidden_size", 4096, class_name);
    text.class_default("num_hidden_layers", 32, class_name);
    text.class_default("num_attention_heads", 32, class_name);
    text.class_default("intermediate_size", 11008, class_name);
    return read_llama(text);
  }
  return text.fault(
      base::Code::unsupported_architecture, "model_type",
      "a text model of type " + base::printable(type.value_or("(none)")) + " is not counted here",
      "counted: llama, mistral, ministral3, mistral4");
}

// Two matrices from the tower's width through the text's.
base::Result<void> add_projector(ConfigReader& config, Inventory& inventory, const Extent& width,
                                 const Extent& hidden, bool bias) {
  TensorList projector(inventory, "multi_modal_projector.", {}, Component::vision);
  add_linear(projector, "linear_1", Component::vision, {hidden}, {width}, bias);
  add_linear(projector, "linear_2", Component::vision, {hidden}, {hidden}, bias);
  config.find("projector_hidden_act");
  return {};
}

}  // namespace

base::Result<Inventory> read_llava(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(Inventory inventory, read_text(text, config));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(const auto tower, vision.optional_text("model_type"));
  const bool pixtral = tower && *tower == "pixtral";
  if (!pixtral && tower && *tower != "clip_vision_model") {
    return vision.fault(base::Code::unsupported_architecture, "model_type",
                        "a tower of type " + base::printable(*tower) + " is not counted here",
                        "counted: clip_vision_model, pixtral");
  }
  ULLAGE_TRY(const Extent width,
             pixtral ? add_pixtral(vision, inventory) : add_clip(vision, inventory));
  ULLAGE_TRY(const bool bias, config.flag("multimodal_projector_bias", true));
  config.find("vision_feature_layer");  // which layer is read: the tower is stored whole
  config.find("vision_feature_select_strategy");
  ULLAGE_CHECK(add_projector(config, inventory, width, hidden, bias));
  return inventory;
}

// LLaVA 1.6 cuts images into tiles and marks the end of a row of them.
base::Result<Inventory> read_llava_next(ConfigReader& config) {
  ULLAGE_TRY(Inventory inventory, read_llava(config));
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  text.class_default("hidden_size", 4096, "LlamaConfig (transformers)");
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  TensorList(inventory, "", {}, Component::vision)
      .add("image_newline", Component::vision, {{hidden}});
  return inventory;
}

base::Result<Inventory> read_mistral3(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_text(text, config));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const Extent width, add_pixtral(vision, inventory));
  config.class_default("spatial_merge_size", 2, "Mistral3Config (transformers)");
  ULLAGE_TRY(const Extent merge, config.count("spatial_merge_size"));
  ULLAGE_TRY(const bool bias, config.flag("multimodal_projector_bias", false));
  config.find("vision_feature_layer");
  TensorList projector(inventory, "multi_modal_projector.", {}, Component::vision);
  add_norm(projector, "norm", {width}, false);
  add_linear(projector, "patch_merger.merging_layer", Component::vision, {width},
             {width, merge, merge}, false);
  ULLAGE_CHECK(add_projector(config, inventory, width, hidden, bias));
  return inventory;
}

base::Result<Inventory> read_ministral3(ConfigReader& config) {
  if (config.find("text_config") != nullptr) return read_mistral3(config);
  return read_ministral3_text(config, nullptr);
}

}  // namespace ullage::import
