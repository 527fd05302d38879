// Tensors as DeepSeek-V3 defines its module (README_WEIGHTS.md); later families keep the shape and
// leave out the copies.
#include "import/prediction.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;

base::Result<std::optional<Extent>> read_modules(ConfigReader& config, std::string_view key) {
  ULLAGE_TRY(const auto number, config.optional_number(key));
  if (number.value_or(0) == 0) return std::optional<Extent>();
  return config.optional_count(key);
}

TensorList module_list(model::Inventory& inventory, std::string prefix, const Extent& modules) {
  return {inventory, std::move(prefix), {modules}, Component::mtp};
}

void add_module_frame(ConfigReader& config, TensorList& module, const Extent& hidden) {
  const Extent two =
      config.derived("states joined", 2, "hidden state and embedding", {hidden.figure});
  const Extent three = config.derived(
      "norms of a module", 3, "of the embedding, the hidden state and the result", {hidden.figure});
  module.add("eh_proj.weight", Component::mtp, {{hidden}, {two, hidden}});
  module.add("{enorm,hnorm,shared_head.norm}.weight", Component::mtp, {{hidden}, {three}});
}

void add_module_copies(TensorList& module, const DecoderShape& decoder, bool stored) {
  for (const char* name : {"embed_tokens.weight", "shared_head.head.weight"}) {
    model::TensorGroup& copy = module.add(
        name, Component::mtp, {{decoder.vocabulary}, {decoder.hidden}}, model::Split::vocabulary);
    copy.counted = false;
    copy.stored = stored;
  }
}

void add_layer_norms(ConfigReader& config, TensorList& layers, const Extent& hidden) {
  const Extent two =
      config.derived("norms per layer", 2, "before attention and before the MLP", {hidden.figure});
  layers.add("{input,post_attention}_layernorm.weight", Component::norms, {{hidden}, {two}});
}

void add_final_norm(model::Inventory& inventory, const Extent& hidden) {
  TensorList(inventory, "", {}).add("norm.weight", Component::norms, {{hidden}});
}

}  // namespace ullage::import
