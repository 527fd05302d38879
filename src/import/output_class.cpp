// Classes as transformers defines them: `score` is one matrix without a bias in every decoder.
#include "import/output_class.hpp"

#include <algorithm>
#include <array>

namespace ullage::import {
namespace {

using model::Extent;
using model::Inventory;
using model::TensorGroup;

// Other names on `Model` keep a head: ChatGLMModel, QWenLMHeadModel.
constexpr std::array<std::string_view, 18> kBare{
    "CohereModel",  "FalconModel",  "Gemma2Model",  "Gemma3TextModel", "GemmaModel",
    "GPT2Model",    "GPTNeoXModel", "GraniteModel", "LlamaModel",      "MistralModel",
    "MixtralModel", "Olmo2Model",   "OlmoModel",    "OPTModel",        "Phi3Model",
    "Qwen2Model",   "Qwen3Model",   "Qwen3MoeModel"};

bool is_head(const TensorGroup& group) {
  return group.name == "lm_head.weight" || group.name == "lm_head.bias";
}

TensorGroup* input_table(Inventory& inventory) {
  const auto found =
      std::find_if(inventory.tensors.begin(), inventory.tensors.end(),
                   [](const TensorGroup& group) { return group.name == "embed_tokens.weight"; });
  return found == inventory.tensors.end() ? nullptr : &*found;
}

// num_labels, else as many as id2label names, else `fallback`.
base::Result<Extent> read_labels(ConfigReader& config, std::int64_t fallback) {
  ULLAGE_TRY(auto stated, config.optional_count("num_labels"));
  if (stated) return std::move(*stated);
  const document::Value* names = config.find("id2label");
  if (names != nullptr && !names->members.empty()) {
    return config.counted("num_labels", static_cast<std::int64_t>(names->members.size()),
                          "id2label");
  }
  return config.assumed(
      "num_labels", fallback,
      fallback == 1 ? "one score, by the class" : "default of PretrainedConfig (transformers)");
}

}  // namespace

base::Result<void> follow_class(ConfigReader& config, Inventory& inventory) {
  const document::Value* list = config.find("architectures");
  if (list == nullptr || list->items.empty()) return {};
  const std::string& name = list->items.front().text;
  const bool bare = std::find(kBare.begin(), kBare.end(), name) != kBare.end();
  const bool reward = name == "InternLM2ForRewardModel";
  const bool scored = reward || name.ends_with("ForSequenceClassification");
  TensorGroup* table = input_table(inventory);
  const bool has_head = std::any_of(inventory.tensors.begin(), inventory.tensors.end(), is_head) ||
                        (table != nullptr && table->use == model::Use::every_token);
  if (table == nullptr || !has_head || (!bare && !scored)) return {};
  table->use = model::Use::look_up;
  const model::Axis width = table->shape.back();
  std::erase_if(inventory.tensors, is_head);
  if (scored) {
    ULLAGE_TRY(Extent labels, read_labels(config, reward ? 1 : 2));
    TensorGroup score;
    score.name = "score.weight";
    score.component = model::Component::head;
    score.shape = {{std::move(labels)}, width};
    inventory.tensors.push_back(std::move(score));
  }
  config.note("class-head", "counted without a head over the vocabulary: architectures names " +
                                base::printable(name));
  return {};
}

}  // namespace ullage::import
