// Llama and the plain decoders with its tensors: grouped-query attention, a gated MLP, two RMS
// norms. Tensors as transformers defines them in models/llama/modeling_llama.py; params.json is the
// publisher's own schema (llama/model.py).
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/families/llama_eagle3.hpp"

namespace ullage::import {

using model::Inventory;

base::Result<Inventory> read_llama(ConfigReader& config) {
  ULLAGE_TRY(const std::vector<std::string> classes, config.texts("architectures"));
  const bool eagle3 = !classes.empty() && classes.front().find("Eagle3") != std::string::npos;
  if (eagle3) return read_llama_eagle3(config);
  spell_like_gpt2(config);  // the reduced schema that some tools keep
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const model::Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool attention_bias, config.flag("attention_bias", false));
  ULLAGE_TRY(const bool mlp_bias, config.flag("mlp_bias", false));
  attention.input_bias = attention_bias;
  attention.output_bias = attention_bias;
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, mlp_bias);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

namespace {

// multiple_of × ⌈⌊ffn_dim_multiplier × ⌊8 × dim ÷ 3⌋⌋ ÷ multiple_of⌉, as the class computes it.
base::Result<model::Extent> read_native_width(ConfigReader& config, const model::Extent& dim) {
  ULLAGE_TRY(const model::Extent step, config.count("multiple_of"));
  exact::Rational width = (dim.value * exact::Rational(8) / exact::Rational(3)).floor();
  if (const document::Value* stated = config.find("ffn_dim_multiplier")) {
    const auto factor = exact::Rational::parse(stated->text);
    const bool number = stated->type == document::Type::number && factor;
    if (!number || *factor <= exact::Rational(0) || *factor > exact::Rational(1'000)) {
      return config.fault(base::Code::out_of_range, "ffn_dim_multiplier",
                          "ffn_dim_multiplier is no number above 0 and up to 1000");
    }
    width = (width * *factor).floor();
  }
  const exact::Rational steps = (width / step.value).ceil();
  return config.derived("intermediate_size", steps * step.value,
                        "8 ÷ 3 × dim × ffn_dim_multiplier, up to a multiple of multiple_of",
                        {dim.figure, step.figure});
}

}  // namespace

base::Result<Inventory> read_llama_native(ConfigReader& config) {
  config.spell("hidden_size", {"dim"});
  config.spell("num_hidden_layers", {"n_layers"});
  config.spell("num_attention_heads", {"n_heads"});
  config.spell("num_key_value_heads", {"n_kv_heads"});
  const document::Value* vocabulary = config.find("vocab_size");
  if (vocabulary != nullptr && vocabulary->text == "-1") {
    return config.fault(
        base::Code::unsupported_architecture, "vocab_size",
        "vocab_size is -1: the tokenizer beside it says how many rows the table has",
        "state the number (32000 for Llama 1 and 2), or name a config.json");
  }
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const model::Extent width, read_native_width(config, decoder.hidden));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, width, false);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

}  // namespace ullage::import
