// Grok-1: eight experts, four norms a layer, one table for input and output. Keys as the
// publisher's run.py names them, or as transformers ports do; tensors as the publisher's model.py
// defines them.
#include "import/dense.hpp"
#include "import/families/families.hpp"

namespace ullage::import {
namespace {

using exact::Rational;
using model::Extent;
using model::Inventory;

// The class takes two thirds of widening_factor × emb_size, up to a multiple of 8.
base::Result<Extent> read_width(ConfigReader& config, const Extent& hidden) {
  ULLAGE_TRY(auto stated, config.optional_count("intermediate_size"));
  if (stated) return std::move(*stated);
  ULLAGE_TRY(const Extent factor, config.count("widening_factor"));
  const Rational raw = ((factor.value * hidden.value) * Rational(2) / Rational(3)).floor();
  return config.derived("expert width", (raw / Rational(8)).ceil() * Rational(8),
                        "⌊widening_factor × emb_size × 2 ÷ 3⌋, up to a multiple of 8",
                        {factor.figure, hidden.figure});
}

}  // namespace

base::Result<Inventory> read_grok1(ConfigReader& config) {
  spell_like_gpt2(config);
  config.spell("num_attention_heads", {"num_q_heads"});
  config.spell("head_dim", {"key_size"});
  config.spell("num_local_experts", {"num_experts"});
  config.spell("num_experts_per_tok", {"num_selected_experts"});
  ULLAGE_TRY(const bool tied,
             read_tied_head(config, {true, "LanguageModel (publisher's model.py)"}));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(const AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(Extent width, read_width(config, decoder.hidden));
  ULLAGE_TRY(Extent experts, config.count("num_local_experts"));
  ULLAGE_TRY(Extent chosen, config.count("num_experts_per_tok"));
  if (chosen.value > experts.value) {
    return config.fault(base::Code::out_of_range, "num_experts_per_tok",
                        "a token passes more experts than there are");
  }
  DenseShape shape{.decoder = decoder, .attention = attention, .intermediate = width};
  shape.layer_norms = 4;
  shape.lists_mlp = false;
  Inventory inventory = list_dense(config, shape);
  add_experts(inventory, decoder.layers, decoder.hidden,
              {std::move(experts), std::move(chosen), std::move(width)});
  return inventory;
}

}  // namespace ullage::import
