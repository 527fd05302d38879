// Text encoders: BERT, RoBERTa and XLM-RoBERTa. No token is kept, so there is no cache; what stands
// behind the layers (pooler, score, masked-word head) follows from the named class. Tensors as
// transformers defines them in models/bert, roberta and xlm_roberta.
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

base::Result<Inventory> read_bert(ConfigReader& config) {
  return read_encoder(config, "pooler.dense");
}

base::Result<Inventory> read_roberta(ConfigReader& config) {
  return read_encoder(config, "classifier.dense");
}

}  // namespace ullage::import
