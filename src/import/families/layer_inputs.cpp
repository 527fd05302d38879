// Tensors as transformers defines them in models/gemma3n and models/gemma4.
#include "import/families/layer_inputs.hpp"

#include "import/tensor_list.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;

base::Result<void> add_layer_inputs(ConfigReader& config, model::Inventory& inventory,
                                    const DecoderShape& decoder, const std::string& class_name) {
  constexpr std::string_view kKey = "hidden_size_per_layer_input";
  config.class_default(kKey, 256, class_name);
  config.class_default("vocab_size_per_layer_input", 262'144, class_name);
  ULLAGE_TRY(const auto stated, config.optional_number(kKey));
  if (stated && *stated == 0) {
    config.find("vocab_size_per_layer_input");  // of a table that is not there
    return {};
  }
  ULLAGE_TRY(const Extent width, config.count(kKey));
  ULLAGE_TRY(const Extent rows, config.count("vocab_size_per_layer_input"));
  TensorList whole(inventory, "", {});
  whole
      .add("embed_tokens_per_layer.weight", Component::embedding, {{rows}, {decoder.layers, width}})
      .use = model::Use::look_up;
  whole.add("per_layer_model_projection.weight", Component::embedding,
            {{decoder.layers, width}, {decoder.hidden}});
  whole.add("per_layer_projection_norm.weight", Component::norms, {{width}});
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  layers.add("per_layer_input_gate.weight", Component::mlp, {{width}, {decoder.hidden}});
  layers.add("per_layer_projection.weight", Component::mlp, {{decoder.hidden}, {width}});
  layers.add("post_per_layer_input_norm.weight", Component::norms, {{decoder.hidden}});
  return {};
}

}  // namespace ullage::import
