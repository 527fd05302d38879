// Lists the tensors of each block.
#include "import/blocks.hpp"

#include "import/layer_pattern.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;
using model::TensorGroup;

TensorGroup group(std::string name, Component component, std::vector<Axis> shape,
                  std::vector<Extent> repeat, Split split) {
  TensorGroup result;
  result.name = std::move(name);
  result.component = component;
  result.shape = std::move(shape);
  result.repeat = std::move(repeat);
  result.split = split;
  return result;
}

}  // namespace

base::Result<DecoderShape> read_decoder_shape(ConfigReader& config, bool tied) {
  ULLAGE_TRY(Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(Extent layers, config.count("num_hidden_layers"));
  layers.layers = every_layer(layers.value);
  ULLAGE_TRY(Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(const bool tied_head, config.flag("tie_word_embeddings", tied));
  return DecoderShape{std::move(hidden), std::move(layers), std::move(vocabulary), tied_head};
}

base::Result<AttentionShape> read_attention_shape(ConfigReader& config, const Extent& hidden,
                                                  std::optional<Extent> class_head_dim) {
  ULLAGE_TRY(Extent heads, config.count("num_attention_heads"));
  ULLAGE_TRY(auto kv_heads, config.optional_count("num_key_value_heads"));
  if (!kv_heads) {
    kv_heads = config.derived("num_key_value_heads", heads.value,
                              "num_attention_heads, since the key is absent", {heads.figure});
  }
  if (!(heads.value / kv_heads->value).is_whole()) {
    return config.fault(base::Code::out_of_range, "num_key_value_heads",
                        "num_attention_heads " + heads.value.to_string() +
                            " is not divisible by num_key_value_heads " +
                            kv_heads->value.to_string());
  }
  ULLAGE_TRY(auto head_dim, config.optional_count("head_dim"));
  if (!head_dim) head_dim = std::move(class_head_dim);
  if (!head_dim) {
    ULLAGE_TRY(Extent quotient, config.quotient("head_dim", hidden, heads));
    head_dim = std::move(quotient);
  }
  return AttentionShape{.heads = std::move(heads),
                        .kv_heads = std::move(*kv_heads),
                        .head_dim = std::move(*head_dim)};
}

void add_attention(Inventory& inventory, const Extent& layers, const Extent& hidden,
                   const AttentionShape& shape) {
  const Axis query{shape.heads, shape.head_dim};
  const Axis key{shape.kv_heads, shape.head_dim};
  const auto add = [&](const char* name, std::vector<Axis> axes, Split split) {
    inventory.tensors.push_back(group(std::string("layers.*.self_attn.") + name,
                                      Component::attention, std::move(axes), {layers}, split));
  };
  add("q_proj.weight", {query, {hidden}}, Split::columns);
  add("k_proj.weight", {key, {hidden}}, Split::columns);
  add("v_proj.weight", {key, {hidden}}, Split::columns);
  add("o_proj.weight", {{hidden}, query}, Split::rows);
  if (shape.input_bias) {
    add("q_proj.bias", {query}, Split::columns);
    add("k_proj.bias", {key}, Split::columns);
    add("v_proj.bias", {key}, Split::columns);
  }
  if (shape.output_bias) add("o_proj.bias", {{hidden}}, Split::replicated);
  if (shape.head_norms) {
    for (const char* name :
         {"layers.*.self_attn.q_norm.weight", "layers.*.self_attn.k_norm.weight"}) {
      inventory.tensors.push_back(
          group(name, Component::norms, {{shape.head_dim}}, {layers}, Split::replicated));
    }
  }
}

void add_attention_cache(Inventory& inventory, const Extent& layers, const AttentionShape& shape,
                         std::optional<Extent> window) {
  const Axis elements{shape.kv_heads, shape.head_dim};
  inventory.caches.push_back(
      {.name = "layers.*.self_attn",
       .kind = window ? model::CacheKind::window : model::CacheKind::full,
       .layers = layers,
       .per_token = {{"key", elements, shape.kv_heads}, {"value", elements, shape.kv_heads}},
       .per_sequence = {},
       .window = std::move(window),
       .compress = {}});
}

void add_gated_mlp(Inventory& inventory, const Extent& layers, const Extent& hidden,
                   const Extent& intermediate, bool bias) {
  const auto add = [&](const char* name, std::vector<Axis> axes, Split split) {
    inventory.tensors.push_back(group(std::string("layers.*.mlp.") + name, Component::mlp,
                                      std::move(axes), {layers}, split));
  };
  add("gate_proj.weight", {{intermediate}, {hidden}}, Split::columns);
  add("up_proj.weight", {{intermediate}, {hidden}}, Split::columns);
  add("down_proj.weight", {{hidden}, {intermediate}}, Split::rows);
  if (!bias) return;
  add("gate_proj.bias", {{intermediate}}, Split::columns);
  add("up_proj.bias", {{intermediate}}, Split::columns);
  add("down_proj.bias", {{hidden}}, Split::replicated);
}

void add_experts(Inventory& inventory, const Extent& layers, const Extent& hidden,
                 const ExpertShape& shape) {
  inventory.tensors.push_back(group("layers.*.mlp.gate.weight", Component::router,
                                    {{shape.experts}, {hidden}}, {layers}, Split::replicated));
  const auto add = [&](const char* name, std::vector<Axis> axes, Split split) {
    TensorGroup tensors = group(std::string("layers.*.mlp.experts.*.") + name, Component::experts,
                                std::move(axes), {layers, shape.experts}, split);
    tensors.use = model::Use::routed;
    tensors.experts = shape.experts;
    tensors.chosen = shape.chosen;
    inventory.tensors.push_back(std::move(tensors));
  };
  add("gate_proj.weight", {{shape.intermediate}, {hidden}}, Split::columns);
  add("up_proj.weight", {{shape.intermediate}, {hidden}}, Split::columns);
  add("down_proj.weight", {{hidden}, {shape.intermediate}}, Split::rows);
}

base::Result<ExpertShape> read_expert_shape(ConfigReader& config, std::string_view experts_key,
                                            std::string_view width_key) {
  ULLAGE_TRY(Extent experts, config.count(experts_key));
  ULLAGE_TRY(Extent chosen, config.count("num_experts_per_tok"));
  ULLAGE_TRY(Extent intermediate, config.count(width_key));
  if (chosen.value > experts.value) {
    return config.fault(base::Code::out_of_range, "num_experts_per_tok",
                        "num_experts_per_tok " + chosen.value.to_string() + " is more than " +
                            std::string(experts_key) + " " + experts.value.to_string());
  }
  return ExpertShape{std::move(experts), std::move(chosen), std::move(intermediate)};
}

void add_shared_expert(Inventory& inventory, const Extent& layers, const Extent& hidden,
                       const Extent& intermediate, bool gated) {
  const auto add = [&](const char* name, std::vector<Axis> axes, Split split) {
    inventory.tensors.push_back(group(std::string("layers.*.mlp.") + name,
                                      Component::shared_experts, std::move(axes), {layers}, split));
  };
  add("shared_expert.gate_proj.weight", {{intermediate}, {hidden}}, Split::columns);
  add("shared_expert.up_proj.weight", {{intermediate}, {hidden}}, Split::columns);
  add("shared_expert.down_proj.weight", {{hidden}, {intermediate}}, Split::rows);
  if (gated) add("shared_expert_gate.weight", {{hidden}}, Split::replicated);
}

void add_decoder_norms(ConfigReader& config, Inventory& inventory, const DecoderShape& decoder) {
  const Extent two = config.derived("norms per layer", 2, "before attention and before the MLP",
                                    {decoder.layers.figure});
  inventory.tensors.push_back(group("layers.*.{input,post_attention}_layernorm.weight",
                                    Component::norms, {{decoder.hidden}}, {decoder.layers, two},
                                    Split::replicated));
  inventory.tensors.push_back(
      group("norm.weight", Component::norms, {{decoder.hidden}}, {}, Split::replicated));
}

void add_embeddings(Inventory& inventory, const DecoderShape& decoder) {
  TensorGroup table = group("embed_tokens.weight", Component::embedding,
                            {{decoder.vocabulary}, {decoder.hidden}}, {}, Split::vocabulary);
  // A tied table is also the head's matrix, which every token passes.
  table.use = decoder.tied_head ? model::Use::every_token : model::Use::look_up;
  inventory.tensors.push_back(std::move(table));
  if (decoder.tied_head) return;
  inventory.tensors.push_back(group("lm_head.weight", Component::head,
                                    {{decoder.vocabulary}, {decoder.hidden}}, {},
                                    Split::vocabulary));
}

}  // namespace ullage::import
