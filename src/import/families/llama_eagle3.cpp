// EAGLE-3 heads: one Llama layer that reads the embedding beside the state of the model that it
// drafts for, behind a projection of three of that model's states. The head covers a vocabulary of
// its own; the input table is the other model's and is not stored. Tensors as the publishers define
// them (SafeAILab/EAGLE, eagle/model/cnets.py) and vLLM loads them
// (vllm/model_executor/models/llama_eagle3.py).
#include "import/families/llama_eagle3.hpp"

#include "import/dense.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

namespace {

// Attention whose projections of queries, keys and values read `inputs`.
void add_wide_attention(TensorList& layer, const AttentionShape& shape, const Extent& hidden,
                        const model::Axis& inputs) {
  const model::Axis query{shape.heads, shape.head_dim};
  const model::Axis key{shape.kv_heads, shape.head_dim};
  const auto add = [&](const char* name, const model::Axis& out, const model::Axis& in, bool bias,
                       Split split) {
    add_linear(layer, name, Component::attention, out, in, bias, split);
  };
  add("self_attn.q_proj", query, inputs, shape.input_bias, Split::columns);
  add("self_attn.k_proj", key, inputs, shape.input_bias, Split::columns);
  add("self_attn.v_proj", key, inputs, shape.input_bias, Split::columns);
  add("self_attn.o_proj", {hidden}, query, shape.output_bias, Split::rows);
}

}  // namespace

base::Result<Inventory> read_llama_eagle3(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  ULLAGE_TRY(const auto own_vocabulary, config.optional_count("draft_vocab_size"));
  ULLAGE_TRY(const auto target, config.optional_count("target_hidden_size"));
  attention.input_bias = attention.output_bias = bias;
  const Extent& hidden = decoder.hidden;
  const Extent two = constant(config, "state and embedding", 2, "what the layer reads", hidden);
  const Extent three =
      constant(config, "states of the other model", 3, "a low, a middle and a high layer", hidden);
  Inventory inventory;
  TensorList whole(inventory, "", {});
  add_linear(whole, "fc", Component::attention, {hidden}, {three, target.value_or(hidden)}, false);
  TensorList layer(inventory, "midlayer.", {decoder.layers});
  add_wide_attention(layer, attention, hidden, {two, hidden});
  add_linear(layer, "mlp.gate_proj", Component::mlp, {intermediate}, {hidden}, false,
             Split::columns);
  add_linear(layer, "mlp.up_proj", Component::mlp, {intermediate}, {hidden}, false, Split::columns);
  add_linear(layer, "mlp.down_proj", Component::mlp, {hidden}, {intermediate}, false, Split::rows);
  for (const char* name : {"hidden_norm", "input_layernorm", "post_attention_layernorm"})
    add_norm(layer, name, {hidden}, false);
  add_norm(whole, "norm", {hidden}, false);
  const Extent& vocabulary = own_vocabulary ? *own_vocabulary : decoder.vocabulary;
  add_linear(whole, "lm_head", Component::head, {vocabulary}, {hidden}, false, Split::vocabulary);
  add_attention_cache(inventory, decoder.layers, attention);
  config.note("eagle3-head",
              "an EAGLE-3 head: it has no input table of its own and drafts for another model "
              "(--draft)");
  return inventory;
}

}  // namespace ullage::import
