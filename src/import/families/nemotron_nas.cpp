// Llama-Nemotron as found by architecture search: block_configs says of each layer how its KV heads
// are grouped, how wide its MLP is, and whether either is missing. Tensors as NVIDIA's
// modeling_decilm.py defines them.
#include <map>

#include "import/blocks.hpp"
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/prediction.hpp"

namespace ullage::import {
namespace {

using document::Type;
using document::Value;
using exact::Rational;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// Layers by what they hold.
struct Blocks {
  using Numbers = std::vector<std::int64_t>;
  std::map<std::int64_t, Numbers> by_group;  // query heads a KV head → layers
  std::map<Rational, Numbers> by_width;      // MLP width → layers
  Numbers linear_attention;                  // one matrix instead of attention
  Numbers linear_mlp;                        // one matrix instead of an MLP
  std::int64_t layer = 0;                    // that is being read
};

base::Result<bool> truth(const ConfigReader& config, const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  if (value == nullptr || value->type == Type::null) return false;
  return document::as_boolean(config.document(), *value, key);
}

base::Result<const Value*> part(const ConfigReader& config, const Value& block,
                                std::string_view key) {
  const document::Document& document = config.document();
  ULLAGE_CHECK(document::expect(document, block, Type::object, "an entry of block_configs"));
  ULLAGE_TRY(const Value* found,
             document::member(document, block, key, "an entry of block_configs"));
  ULLAGE_CHECK(document::expect(document, *found, Type::object, key));
  return found;
}

base::Result<void> count_attention(const ConfigReader& config, const Value& attention,
                                   Blocks& blocks) {
  ULLAGE_TRY(const bool none, truth(config, attention, "no_op"));
  ULLAGE_TRY(const bool linear, truth(config, attention, "replace_with_linear"));
  if (none) return {};
  if (linear) {
    blocks.linear_attention.push_back(blocks.layer);
    return {};
  }
  const document::Document& document = config.document();
  const Value* window = attention.find("window_length");
  if (window != nullptr && window->type != Type::null) {
    return base::Diagnostic{.code = base::Code::unsupported_architecture,
                            .message = "a window_length in block_configs is not counted",
                            .span = document.span(*window),
                            .hint = "published checkpoints have none",
                            .notes = {}};
  }
  ULLAGE_TRY(const Value* group, document::member(document, attention, "n_heads_in_group",
                                                  "an attention of block_configs"));
  ULLAGE_TRY(const std::int64_t heads,
             document::as_integer(document, *group, "n_heads_in_group", 1, 1'000'000));
  blocks.by_group[heads].push_back(blocks.layer);
  return {};
}

// The MLP's width: two thirds of ffn_mult × hidden_size, up to a multiple of 256.
base::Result<void> count_mlp(const ConfigReader& config, const Value& ffn, const Extent& hidden,
                             Blocks& blocks) {
  ULLAGE_TRY(const bool none, truth(config, ffn, "no_op"));
  ULLAGE_TRY(const bool linear, truth(config, ffn, "replace_with_linear"));
  if (none) return {};
  if (linear) {
    blocks.linear_mlp.push_back(blocks.layer);
    return {};
  }
  const document::Document& document = config.document();
  ULLAGE_TRY(const Value* factor,
             document::member(document, ffn, "ffn_mult", "an ffn of block_configs"));
  ULLAGE_TRY(const Rational multiplier, document::as_number(document, *factor, "ffn_mult"));
  if (multiplier.sign() <= 0) {
    return base::Diagnostic{.code = base::Code::out_of_range,
                            .message = "ffn_mult is not above 0",
                            .span = document.span(*factor),
                            .hint = "no_op says that there is no MLP",
                            .notes = {}};
  }
  const Rational raw = (Rational(2) * multiplier * hidden.value / Rational(3)).floor();
  blocks.by_width[(raw / Rational(256)).ceil() * Rational(256)].push_back(blocks.layer);
  return {};
}

base::Result<Blocks> read_blocks(ConfigReader& config, const DecoderShape& decoder) {
  const Value* list = config.find("block_configs");
  if (list == nullptr) {
    return config.fault(base::Code::missing_key, "block_configs", "block_configs is missing",
                        "it says what each layer holds");
  }
  ULLAGE_CHECK(document::expect(config.document(), *list, Type::array, "block_configs"));
  if (Rational(static_cast<std::int64_t>(list->items.size())) != decoder.layers.value) {
    return config.fault(base::Code::out_of_range, "block_configs",
                        "block_configs has " + std::to_string(list->items.size()) +
                            " entries, but num_hidden_layers is " +
                            decoder.layers.value.to_string());
  }
  Blocks blocks;
  for (const Value& block : list->items) {
    ULLAGE_TRY(const Value* attention, part(config, block, "attention"));
    ULLAGE_TRY(const Value* ffn, part(config, block, "ffn"));
    ULLAGE_CHECK(count_attention(config, *attention, blocks));
    ULLAGE_CHECK(count_mlp(config, *ffn, decoder.hidden, blocks));
    ++blocks.layer;
  }
  return blocks;
}

// A layer has the norm before a part only where it has the part.
void add_linear(ConfigReader& config, Inventory& inventory, const Extent& hidden,
                const std::vector<std::int64_t>& numbers, const std::string& name, const char* norm,
                Component component) {
  if (numbers.empty()) return;
  const Extent layers =
      counted_layers(config, "layers with one matrix for " + name, numbers, "block_configs");
  TensorList list(inventory, "layers.*.", {layers});
  list.add(norm, Component::norms, {{hidden}});
  list.add(name + ".linear.weight", component, {{hidden}, {hidden}}, Split::columns);
}

}  // namespace

base::Result<Inventory> read_nemotron_nas(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  const Extent& hidden = decoder.hidden;
  ULLAGE_TRY(const Extent heads, config.count("num_attention_heads"));
  ULLAGE_TRY(auto head_dim, config.optional_count("head_dim"));
  if (!head_dim) {
    ULLAGE_TRY(head_dim, config.quotient("head_dim", hidden, heads));
  }
  ULLAGE_TRY(const bool attention_bias, config.flag("attention_bias", false));
  ULLAGE_TRY(const bool mlp_bias, config.flag("mlp_bias", false));
  ULLAGE_TRY(const Blocks blocks, read_blocks(config, decoder));
  for (const char* key : {"num_key_value_heads", "intermediate_size"})
    config.find(key);  // null: there is no single one
  Inventory inventory;
  add_embeddings(inventory, decoder);
  for (const auto& [group, numbers] : blocks.by_group) {
    const Extent layers =
        counted_layers(config, "layers with " + std::to_string(group) + " heads a KV head", numbers,
                       "block_configs");
    const Extent size = config.counted("n_heads_in_group", group, "block_configs");
    ULLAGE_TRY(Extent kv_heads, config.quotient("KV heads", heads, size));
    const AttentionShape shape{.heads = heads,
                               .kv_heads = std::move(kv_heads),
                               .head_dim = *head_dim,
                               .input_bias = attention_bias,
                               .output_bias = attention_bias};
    add_attention(inventory, layers, hidden, shape);
    add_attention_cache(inventory, layers, shape);
    TensorList(inventory, "layers.*.", {layers})
        .add("input_layernorm.weight", Component::norms, {{hidden}});
  }
  for (const auto& [width, numbers] : blocks.by_width) {
    const Extent layers = counted_layers(config, "layers of MLP width " + width.to_string(),
                                         numbers, "block_configs");
    const Extent intermediate = config.derived(
        "MLP width", width, "⌊2 × ffn_mult × hidden_size ÷ 3⌋, up to a multiple of 256",
        {hidden.figure});
    add_gated_mlp(inventory, layers, hidden, intermediate, mlp_bias);
    TensorList(inventory, "layers.*.", {layers})
        .add("post_attention_layernorm.weight", Component::norms, {{hidden}});
  }
  add_linear(config, inventory, hidden, blocks.linear_attention, "self_attn",
             "input_layernorm.weight", Component::attention);
  add_linear(config, inventory, hidden, blocks.linear_mlp, "mlp", "post_attention_layernorm.weight",
             Component::mlp);
  add_final_norm(inventory, hidden);
  return inventory;
}

}  // namespace ullage::import
