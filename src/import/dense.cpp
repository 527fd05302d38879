// Lists plain decoders. Matrices that a checkpoint stores fused (query_key_value, gate_up_proj) are
// listed by part, since tensor parallelism divides each part.
#include "import/dense.hpp"

namespace ullage::import {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

Extent constant(ConfigReader& config, std::string name, std::int64_t value, std::string why,
                const Extent& of) {
  return config.derived(std::move(name), value, std::move(why), {of.figure});
}

void spell_like_gpt2(ConfigReader& config) {
  config.spell("hidden_size", {"n_embd", "n_embed", "hidden_dim", "d_model", "emb_size"});
  config.spell("num_hidden_layers", {"n_layer", "n_layers", "num_layers"});
  config.spell("num_attention_heads", {"n_head", "n_heads", "num_heads"});
  config.spell("num_key_value_heads", {"num_kv_heads", "n_head_kv"});
  config.spell("intermediate_size", {"n_inner", "ffn_embed_dim", "ffn_dim", "ffn_hidden_size"});
  config.spell("max_position_embeddings", {"n_positions", "max_seq_len", "n_ctx"});
}

base::Result<bool> read_tied_head(ConfigReader& config, const HeadDefault& by_default,
                                  ConfigReader* outer) {
  constexpr std::string_view kKey = "tie_word_embeddings";
  if (config.find(kKey) != nullptr) return config.flag(kKey, by_default.tied);
  if (outer != nullptr && outer->find(kKey) != nullptr) return outer->flag(kKey, by_default.tied);
  config.note("class-default",
              "tie_word_embeddings is absent: " + std::string(by_default.tied ? "true" : "false") +
                  " by default of " + std::string(by_default.class_name));
  return by_default.tied;
}

namespace {

struct Attended {
  DecoderShape decoder;
  AttentionShape attention;
};

base::Result<Attended> read_attended(ConfigReader& config, const HeadDefault& head,
                                     ConfigReader* outer) {
  ULLAGE_TRY(const bool tied, read_tied_head(config, head, outer));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  return Attended{std::move(decoder), std::move(attention)};
}

DenseShape plain_shape(Attended attended, Extent intermediate) {
  return {.decoder = std::move(attended.decoder),
          .attention = std::move(attended.attention),
          .intermediate = std::move(intermediate)};
}

void add_plain_mlp(TensorList& layers, const Extent& hidden, const Extent& width, bool bias) {
  add_linear(layers, "mlp.up_proj", Component::mlp, {width}, {hidden}, bias, Split::columns);
  add_linear(layers, "mlp.down_proj", Component::mlp, {hidden}, {width}, bias, Split::rows);
}

}  // namespace

base::Result<DenseShape> read_dense_shape(ConfigReader& config, const HeadDefault& head,
                                          ConfigReader* outer) {
  ULLAGE_TRY(Attended attended, read_attended(config, head, outer));
  ULLAGE_TRY(Extent intermediate, config.count("intermediate_size"));
  return plain_shape(std::move(attended), std::move(intermediate));
}

base::Result<DenseShape> read_widened_shape(ConfigReader& config, const HeadDefault& head,
                                            std::int64_t factor) {
  ULLAGE_TRY(Attended attended, read_attended(config, head, nullptr));
  ULLAGE_TRY(auto intermediate, config.optional_count("intermediate_size"));
  if (!intermediate) {
    const Extent& hidden = attended.decoder.hidden;
    intermediate = config.derived("intermediate_size", hidden.value * exact::Rational(factor),
                                  std::to_string(factor) +
                                      " × hidden_size of the class, since the "
                                      "key is absent",
                                  {hidden.figure});
  }
  return plain_shape(std::move(attended), std::move(*intermediate));
}

void add_linear(TensorList& list, const std::string& name, Component component, const Axis& out,
                const Axis& in, bool bias, Split split) {
  list.add(name + ".weight", component, {out, in}, split);
  if (!bias) return;
  // The bias of a row-parallel matrix is added once, after the ranks' parts are summed.
  list.add(name + ".bias", component, {out}, split == Split::rows ? Split::replicated : split);
}

void add_norm(TensorList& list, const std::string& name, const Axis& width, bool bias) {
  list.add(name + ".weight", Component::norms, {width});
  if (bias) list.add(name + ".bias", Component::norms, {width});
}

void add_dense(ConfigReader& config, Inventory& inventory, const DenseShape& shape) {
  const DecoderShape& decoder = shape.decoder;
  add_embeddings(inventory, decoder);
  TensorList whole(inventory, "", {});
  if (shape.positions) {
    auto& table = whole.add("embed_positions.weight", Component::embedding,
                            {{*shape.positions}, {decoder.hidden}});
    table.use = model::Use::look_up;
  }
  add_attention(inventory, decoder.layers, decoder.hidden, shape.attention);
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  if (shape.wide_norms) {
    const AttentionShape& attention = shape.attention;
    add_norm(layers, "self_attn.q_norm", {attention.heads, attention.head_dim}, false);
    add_norm(layers, "self_attn.k_norm", {attention.kv_heads, attention.head_dim}, false);
  }
  if (shape.lists_mlp && shape.gated) {
    add_gated_mlp(inventory, decoder.layers, decoder.hidden, shape.intermediate, shape.mlp_bias);
  } else if (shape.lists_mlp) {
    add_plain_mlp(layers, decoder.hidden, shape.intermediate, shape.mlp_bias);
  }
  const Extent norms = constant(config, "norms per layer", shape.layer_norms,
                                "of hidden_size, by the family", decoder.layers);
  TensorList normed(inventory, "layers.*.", {decoder.layers, norms});
  add_norm(normed, "{norms}", {decoder.hidden}, shape.norm_bias);
  add_norm(whole, "norm", {decoder.hidden}, shape.norm_bias);
  if (shape.head_bias) {
    whole.add("lm_head.bias", Component::head, {{decoder.vocabulary}}, Split::vocabulary);
  }
}

Inventory list_dense(ConfigReader& config, const DenseShape& shape, std::optional<Extent> window) {
  Inventory inventory;
  add_dense(config, inventory, shape);
  add_attention_cache(inventory, shape.decoder.layers, shape.attention, std::move(window));
  return inventory;
}

}  // namespace ullage::import
