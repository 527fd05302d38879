// RWKV-4 (rwkv), Eagle (rwkv5) and Finch (rwkv6): time mixing with a state for each head, channel
// mixing, no cache that grows. Tensors as transformers defines them in models/rwkv and as the
// publisher's modeling_rwkv5.py and modeling_rwkv6.py; the sums are those of the papers:
// 2VD + 13D²L + D(11L + 4) (arXiv 2305.13048, appendix), 13D²L + 14DL + 4D + 2DV and
// 13D²L + 464DL + 4D + 2DV (arXiv 2404.05892, appendix).
#include "import/families/families.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {
namespace {

using model::Axis;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

struct RwkvShape {
  Extent hidden;
  Extent layers;
  Extent vocabulary;
  Extent inner;         // attention_hidden_size
  Extent intermediate;  // of channel mixing
  bool tied = false;
};

// The class's width of channel mixing where intermediate_size is null.
base::Result<Extent> read_width(ConfigReader& config, const Extent& hidden, bool fourth) {
  ULLAGE_TRY(auto stated, config.optional_count("intermediate_size"));
  if (stated) return std::move(*stated);
  if (fourth) {
    return config.derived("intermediate_size", hidden.value * exact::Rational(4),
                          "4 × hidden_size of the class", {hidden.figure});
  }
  const exact::Rational half_sevens = hidden.value * exact::Rational(7) / exact::Rational(64);
  return config.derived("intermediate_size", half_sevens.floor() * exact::Rational(32),
                        "32 × ⌊3.5 × hidden_size ÷ 32⌋ of the class", {hidden.figure});
}

base::Result<RwkvShape> read_shape(ConfigReader& config, bool fourth) {
  ULLAGE_TRY(Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(const auto inner, config.optional_count("attention_hidden_size"));
  ULLAGE_TRY(Extent width, read_width(config, hidden, fourth));
  ULLAGE_TRY(const bool tied, config.flag("tie_word_embeddings", false));
  for (const char* key : {"rescale_every", "head_size_divisor"})
    config.find(key);  // scale activations
  Extent own = inner ? *inner : hidden;
  return RwkvShape{std::move(hidden), std::move(layers), std::move(vocabulary),
                   std::move(own),    std::move(width),  tied};
}

Extent number(ConfigReader& config, std::string name, std::int64_t value, std::string why,
              const Extent& of) {
  return config.derived(std::move(name), value, std::move(why), {of.figure});
}

// Tables, the norms of every layer, and channel mixing, which all three share.
void add_common(ConfigReader& config, Inventory& inventory, const RwkvShape& shape) {
  const Extent& hidden = shape.hidden;
  const Extent two = number(config, "two", 2, "weight and bias, or two of a kind", hidden);
  TensorList whole(inventory, "", {});
  auto& table = whole.add("embeddings.weight", Component::embedding, {{shape.vocabulary}, {hidden}},
                          Split::vocabulary);
  table.use = shape.tied ? model::Use::every_token : model::Use::look_up;
  if (!shape.tied) {
    whole.add("head.weight", Component::head, {{shape.vocabulary}, {hidden}}, Split::vocabulary);
  }
  whole.add("blocks.0.pre_ln.{weight,bias}", Component::norms, {{hidden}, {two}});
  whole.add("ln_out.{weight,bias}", Component::norms, {{hidden}, {two}});
  TensorList blocks(inventory, "blocks.*.", {shape.layers});
  blocks.add("{ln1,ln2}.{weight,bias}", Component::norms, {{two}, {hidden}, {two}});
  blocks.add("feed_forward.time_mix_{key,receptance}", Component::mlp, {{two}, {hidden}});
  blocks.add("feed_forward.key.weight", Component::mlp, {{shape.intermediate}, {hidden}},
             Split::columns);
  blocks.add("feed_forward.receptance.weight", Component::mlp, {{hidden}, {hidden}});
  blocks.add("feed_forward.value.weight", Component::mlp, {{hidden}, {shape.intermediate}},
             Split::rows);
}

void add_projections(TensorList& blocks, const RwkvShape& shape, bool gated) {
  const Axis inner{shape.inner};
  const Axis hidden{shape.hidden};
  const auto part = Component::attention;
  blocks.add("attention.receptance.weight", part, {inner, hidden}, Split::columns);
  blocks.add("attention.key.weight", part, {inner, hidden}, Split::columns);
  blocks.add("attention.value.weight", part, {inner, hidden}, Split::columns);
  if (gated) blocks.add("attention.gate.weight", part, {inner, hidden}, Split::columns);
  blocks.add("attention.output.weight", part, {hidden, inner}, Split::rows);
}

model::CacheGroup state_cache(ConfigReader& config, const RwkvShape& shape, Axis state,
                              std::optional<Extent> divided) {
  const Extent two =
      number(config, "inputs kept", 2, "the last of time and of channel mixing", shape.hidden);
  // The reference classes keep states in 32 bits whatever the weights are in.
  return {.name = "blocks.*.attention",
          .kind = model::CacheKind::recurrent,
          .layers = shape.layers,
          .per_token = {},
          .per_sequence = {{"ssm", std::move(state), std::move(divided), "float32"},
                           {"conv", {two, shape.hidden}, {}}},
          .window = {},
          .compress = {}};
}

struct Heads {
  Extent number;
  Extent width;
};

// The width of a head stands under head_size; the class repeats it under num_attention_heads.
base::Result<Heads> read_heads(ConfigReader& config, const RwkvShape& shape) {
  config.class_default("head_size", 64, "Rwkv5Config and Rwkv6Config (publisher's code)");
  ULLAGE_TRY(Extent width, config.count("head_size"));
  config.find("num_attention_heads");
  ULLAGE_TRY(Extent heads, config.quotient("heads", shape.inner, width));
  return Heads{std::move(heads), std::move(width)};
}

}  // namespace

base::Result<Inventory> read_rwkv(ConfigReader& config) {
  ULLAGE_TRY(const RwkvShape shape, read_shape(config, true));
  Inventory inventory;
  add_common(config, inventory, shape);
  TensorList blocks(inventory, "blocks.*.", {shape.layers});
  add_projections(blocks, shape, false);
  const Extent two = number(config, "two", 2, "decay and first", shape.hidden);
  const Extent three = number(config, "three", 3, "key, value and receptance", shape.hidden);
  blocks.add("attention.time_{decay,first}", Component::attention, {{two}, {shape.inner}});
  blocks.add("attention.time_mix_{key,value,receptance}", Component::attention,
             {{three}, {shape.hidden}});
  // Numerator, denominator and largest exponent of each channel.
  inventory.caches.push_back(state_cache(config, shape, {three, shape.inner}, shape.inner));
  return inventory;
}

base::Result<Inventory> read_rwkv5(ConfigReader& config) {
  ULLAGE_TRY(const RwkvShape shape, read_shape(config, false));
  ULLAGE_TRY(const Heads heads, read_heads(config, shape));
  Inventory inventory;
  add_common(config, inventory, shape);
  TensorList blocks(inventory, "blocks.*.", {shape.layers});
  add_projections(blocks, shape, true);
  const Extent two = number(config, "two", 2, "weight and bias, decay and bonus", shape.hidden);
  const Extent four = number(config, "four", 4, "key, value, receptance and gate", shape.hidden);
  blocks.add("attention.time_{decay,faaaa}", Component::attention,
             {{two}, {heads.number, heads.width}});
  blocks.add("attention.time_mix_{key,value,receptance,gate}", Component::attention,
             {{four}, {shape.hidden}});
  blocks.add("attention.ln_x.{weight,bias}", Component::norms, {{shape.inner}, {two}});
  inventory.caches.push_back(
      state_cache(config, shape, {heads.number, heads.width, heads.width}, heads.number));
  return inventory;
}

base::Result<Inventory> read_rwkv6(ConfigReader& config) {
  ULLAGE_TRY(const RwkvShape shape, read_shape(config, false));
  ULLAGE_TRY(const Heads heads, read_heads(config, shape));
  // The class widens both for a hidden size of 4096 alone.
  const bool wide = shape.hidden.value == exact::Rational(4096);
  const Extent mix =
      number(config, "width of the mixing", wide ? 64 : 32, "of the class", shape.hidden);
  const Extent decay =
      number(config, "width of the decay", wide ? 128 : 64, "of the class", shape.hidden);
  const Extent two = number(config, "two", 2, "weight and bias, decay and bonus", shape.hidden);
  const Extent five =
      number(config, "five", 5, "decay, key, value, receptance and gate", shape.hidden);
  const Extent six = number(config, "six", 6, "the five and what they start from", shape.hidden);
  Inventory inventory;
  add_common(config, inventory, shape);
  TensorList blocks(inventory, "blocks.*.", {shape.layers});
  add_projections(blocks, shape, true);
  const auto part = Component::attention;
  const Axis hidden{shape.hidden};
  blocks.add("attention.time_maa_{x,w,k,v,r,g}", part, {{six}, hidden});
  blocks.add("attention.time_maa_w1", part, {hidden, {five, mix}});
  blocks.add("attention.time_maa_w2", part, {{five}, {mix}, hidden});
  blocks.add("attention.time_{decay,faaaa}", part, {{two}, {heads.number, heads.width}});
  blocks.add("attention.time_decay_w1", part, {hidden, {decay}});
  blocks.add("attention.time_decay_w2", part, {{decay}, {shape.inner}});
  blocks.add("attention.ln_x.{weight,bias}", Component::norms, {{shape.inner}, {two}});
  inventory.caches.push_back(
      state_cache(config, shape, {heads.number, heads.width, heads.width}, heads.number));
  return inventory;
}

}  // namespace ullage::import
