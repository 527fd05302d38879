// Text encoders: BERT, RoBERTa, XLM-RoBERTa and ModernBERT. No token is kept, so there is no cache;
// what stands behind the layers (pooler, score, masked-word head) follows from the named class.
// Tensors as transformers defines them in models/bert, roberta, xlm_roberta and modernbert.
#include "import/encoder_blocks.hpp"
#include "import/families/families.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

struct EncoderShape {
  Extent vocabulary;
  Extent width;
  Extent layers;
};

base::Result<std::string> read_class(ConfigReader& config) {
  ULLAGE_TRY(const std::vector<std::string> classes, config.texts("architectures"));
  if (!classes.empty()) return classes.front();
  config.note("class-default", "architectures is absent: counted as the plain model with a pooler");
  return std::string("Model");
}

// num_labels, else as many as id2label names, else two.
base::Result<Extent> read_labels(ConfigReader& config) {
  ULLAGE_TRY(const auto stated, config.optional_count("num_labels"));
  if (stated) return *stated;
  const document::Value* names = config.find("id2label");
  if (names == nullptr || names->members.empty()) {
    return config.assumed("num_labels", 2, "default of PretrainedConfig (transformers)");
  }
  return config.counted("num_labels", static_cast<std::int64_t>(names->members.size()), "id2label");
}

base::Result<EncoderShape> add_embedding_layers(ConfigReader& config, Inventory& inventory) {
  spell_like_gpt2(config);
  config.class_default("type_vocab_size", 2, "BertConfig (transformers)");
  ULLAGE_TRY(const Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(const Extent width, config.count("hidden_size"));
  ULLAGE_TRY(const Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const Extent positions, config.count("max_position_embeddings"));
  ULLAGE_TRY(const Extent types, config.count("type_vocab_size"));
  config.find("num_attention_heads");  // divides hidden_size and adds no tensor
  TensorList whole(inventory, "embeddings.", {});
  const auto table = [&](const char* name, const Extent& rows, model::Split split) {
    whole.add(name, Component::embedding, {{rows}, {width}}, split).use = model::Use::look_up;
  };
  table("word_embeddings.weight", vocabulary, model::Split::vocabulary);
  table("position_embeddings.weight", positions, model::Split::replicated);
  table("token_type_embeddings.weight", types, model::Split::replicated);
  add_norm(whole, "LayerNorm", {width}, true);
  const EncoderLayer layer{.width = width, .intermediate = intermediate};
  TensorList stack(inventory, "encoder.layer.*.", {layers});
  add_encoder_layer(config, stack, layer);
  return EncoderShape{vocabulary, width, layers};
}

base::Diagnostic unknown_class(ConfigReader& config, const std::string& name) {
  return config.fault(
      base::Code::unsupported_architecture, "architectures",
      "what class " + base::printable(name) + " puts behind its layers is not known",
      "known: Model, ForMaskedLM, ForSequenceClassification");
}

// The head that names the masked words: a transform and one bias a word; its matrix is the table.
void add_masked_head(TensorList& whole, const EncoderShape& shape) {
  add_linear(whole, "transform.dense", Component::head, {shape.width}, {shape.width}, true);
  add_norm(whole, "transform.LayerNorm", {shape.width}, true);
  whole.add("decoder.bias", Component::head, {{shape.vocabulary}}, model::Split::vocabulary);
}

// BERT scores the pooled token, RoBERTa puts a dense layer of its own before the score.
base::Result<Inventory> read_encoder(ConfigReader& config, const std::string& dense_before_score) {
  ULLAGE_TRY(const std::string class_name, read_class(config));
  Inventory inventory;
  ULLAGE_TRY(const EncoderShape shape, add_embedding_layers(config, inventory));
  TensorList whole(inventory, "", {});
  if (class_name.ends_with("ForMaskedLM")) {
    add_masked_head(whole, shape);
    return inventory;
  }
  const bool scored = class_name.ends_with("ForSequenceClassification");
  if (!scored && !class_name.ends_with("Model")) return unknown_class(config, class_name);
  add_linear(whole, scored ? dense_before_score : "pooler.dense", Component::head, {shape.width},
             {shape.width}, true);
  if (!scored) return inventory;
  ULLAGE_TRY(const Extent labels, read_labels(config));
  add_linear(whole, "classifier", Component::head, {labels}, {shape.width}, true);
  return inventory;
}

}  // namespace

namespace {

// Rotary positions, gated MLPs in one matrix for both halves, no norm before the first attention.
base::Result<EncoderShape> add_modern_layers(ConfigReader& config, Inventory& inventory) {
  ULLAGE_TRY(const Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(const Extent width, config.count("hidden_size"));
  ULLAGE_TRY(const Extent layers, config.count("num_hidden_layers"));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(const bool attention_bias, config.flag("attention_bias", false));
  ULLAGE_TRY(const bool mlp_bias, config.flag("mlp_bias", false));
  ULLAGE_TRY(const bool norm_bias, config.flag("norm_bias", false));
  for (const char* key : {"num_attention_heads", "global_attn_every_n_layers", "local_attention"})
    config.find(key);  // add no tensor: heads divide the width, no token is kept
  const auto part = Component::attention;
  const Extent three = constant(config, "q, k and v", 3, "in one matrix", width);
  const Extent two = constant(config, "halves", 2, "one gates the other", width);
  TensorList whole(inventory, "", {});
  whole
      .add("embeddings.tok_embeddings.weight", Component::embedding, {{vocabulary}, {width}},
           model::Split::vocabulary)
      .use = model::Use::look_up;
  add_norm(whole, "embeddings.norm", {width}, norm_bias);
  add_norm(whole, "final_norm", {width}, norm_bias);
  TensorList stack(inventory, "layers.*.", {layers});
  add_linear(stack, "attn.Wqkv", part, {three, width}, {width}, attention_bias,
             model::Split::columns);
  add_linear(stack, "attn.Wo", part, {width}, {width}, attention_bias, model::Split::rows);
  add_linear(stack, "mlp.Wi", Component::mlp, {two, intermediate}, {width}, mlp_bias,
             model::Split::columns);
  add_linear(stack, "mlp.Wo", Component::mlp, {width}, {intermediate}, mlp_bias,
             model::Split::rows);
  add_norm(stack, "mlp_norm", {width}, norm_bias);
  if (layers.value > exact::Rational(1)) {
    const Extent later =
        config.derived("layers behind the first", layers.value - exact::Rational(1),
                       "num_hidden_layers − 1", {layers.figure});
    TensorList normed(inventory, "layers.*.", {later});
    add_norm(normed, "attn_norm", {width}, norm_bias);
  }
  return EncoderShape{vocabulary, width, layers};
}

}  // namespace

base::Result<Inventory> read_modernbert(ConfigReader& config) {
  ULLAGE_TRY(const std::string class_name, read_class(config));
  Inventory inventory;
  ULLAGE_TRY(const EncoderShape shape, add_modern_layers(config, inventory));
  const bool masked = class_name.ends_with("ForMaskedLM");
  const bool scored = class_name.ends_with("ForSequenceClassification");
  if (!masked && !scored) {
    if (class_name.ends_with("Model")) return inventory;
    return unknown_class(config, class_name);
  }
  ULLAGE_TRY(const bool norm_bias, config.flag("norm_bias", false));
  ULLAGE_TRY(const bool head_bias, config.flag("classifier_bias", false));
  TensorList whole(inventory, "", {});
  add_linear(whole, "head.dense", Component::head, {shape.width}, {shape.width}, head_bias);
  add_norm(whole, "head.norm", {shape.width}, norm_bias);
  if (masked) {
    ULLAGE_TRY(const bool biased, config.flag("decoder_bias", true));
    if (biased) {
      whole.add("decoder.bias", Component::head, {{shape.vocabulary}}, model::Split::vocabulary);
    }
    return inventory;
  }
  ULLAGE_TRY(const Extent labels, read_labels(config));
  add_linear(whole, "classifier", Component::head, {labels}, {shape.width}, true);
  return inventory;
}

base::Result<Inventory> read_bert(ConfigReader& config) {
  return read_encoder(config, "pooler.dense");
}

base::Result<Inventory> read_roberta(ConfigReader& config) {
  return read_encoder(config, "classifier.dense");
}

}  // namespace ullage::import
