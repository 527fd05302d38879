// GLM-4.5, 4.6 and 4.7: grouped-query attention with biases on q, k and v, a mixture after
// DeepSeek's rule, one MTP module. Tensors as transformers defines them in models/glm4_moe.
#include "import/families/families.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"

namespace ullage::import {

using model::Extent;
using model::Inventory;

namespace {

// GLM-4.5 and GLM-4.6 have one config but for the trained length; only the first stores the table
// and head of its MTP module again.
constexpr std::int64_t kLongestWithCopies = 131'072;

void add_projections(TensorList& layers, const Extent& hidden, const AttentionShape& shape) {
  const model::Axis query{shape.heads, shape.head_dim};
  const model::Axis key{shape.kv_heads, shape.head_dim};
  using model::Component;
  using model::Split;
  layers.add("self_attn.q_proj.weight", Component::attention, {query, {hidden}}, Split::columns);
  layers.add("self_attn.k_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  layers.add("self_attn.v_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  layers.add("self_attn.o_proj.weight", Component::attention, {{hidden}, query}, Split::rows);
  if (shape.input_bias) {
    layers.add("self_attn.q_proj.bias", Component::attention, {query}, Split::columns);
    layers.add("self_attn.k_proj.bias", Component::attention, {key}, Split::columns);
    layers.add("self_attn.v_proj.bias", Component::attention, {key}, Split::columns);
  }
  if (!shape.head_norms) return;
  layers.add("self_attn.q_norm.weight", Component::norms, {{shape.head_dim}});
  layers.add("self_attn.k_norm.weight", Component::norms, {{shape.head_dim}});
}

base::Result<void> add_module(ConfigReader& config, Inventory& inventory,
                              const DecoderShape& decoder, const AttentionShape& attention,
                              const MixtureShape& mixture) {
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (!modules) return {};
  ULLAGE_TRY(const auto length, config.optional_number("max_position_embeddings"));
  const bool copies = length && *length <= kLongestWithCopies;
  TensorList module = module_list(inventory, "mtp.*.", *modules);
  add_module_frame(config, module, decoder.hidden);
  add_layer_norms(config, module, decoder.hidden);
  add_projections(module, decoder.hidden, attention);
  add_mixture(module, decoder.hidden, mixture);
  add_module_copies(module, decoder, copies);
  Inventory caches;
  add_attention_cache(caches, *modules, attention);
  inventory.draft_caches = std::move(caches.caches);
  config.note("mtp-copies",
              copies ? "the MTP module's copies of input table and head count as stored, as in "
                       "GLM-4.5 (max_position_embeddings up to 131072)"
                     : "the MTP module is counted without copies of input table and head, as in "
                       "GLM-4.6 (max_position_embeddings above 131072)");
  return {};
}

}  // namespace

namespace {

// The decoder, and its prediction module where `modules` says that checkpoints hold it.
base::Result<Inventory> read_text(ConfigReader& config, bool modules) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(attention.input_bias, config.flag("attention_bias", false));
  ULLAGE_TRY(attention.head_norms, config.flag("use_qk_norm", false));
  ULLAGE_TRY(const MixtureShape mixture, read_deepseek_mixture(config, true));
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(config, decoder.layers));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  TensorList all(inventory, "layers.*.", {decoder.layers});
  add_projections(all, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  if (kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, decoder.hidden, intermediate, false);
  }
  if (kinds.sparse) {
    TensorList sparse(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(sparse, decoder.hidden, mixture);
  }
  add_decoder_norms(config, inventory, decoder);
  if (modules) ULLAGE_CHECK(add_module(config, inventory, decoder, attention, mixture));
  return inventory;
}

}  // namespace

base::Result<Inventory> read_glm4_moe(ConfigReader& config) {
  return read_text(config, true);
}

base::Result<Inventory> read_glm4_moe_text(ConfigReader& config) {
  ULLAGE_TRY(Inventory inventory, read_text(config, false));
  ULLAGE_TRY(const auto announced, config.optional_number("num_nextn_predict_layers"));
  if (announced.value_or(0) != 0) {
    config.note("mtp-absent",
                "num_nextn_predict_layers announces an MTP module; the published checkpoints of "
                "this family hold none, so none is counted");
  }
  return inventory;
}

}  // namespace ullage::import
