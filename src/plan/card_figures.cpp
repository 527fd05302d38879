// Spellings of the numbers that cards hold.
#include "plan/card_figures.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

struct Spelling {
  std::string_view figure;
  std::array<std::string_view, 5> keys;  // of configurations
  std::string_view gguf;                 // behind the architecture
};

constexpr std::array<Spelling, 10> kShape{{
    {"context_length",
     {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"},
     "context_length"},
    {"layers", {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, "block_count"},
    {"mtp_layers",
     {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"},
     "nextn_predict_layers"},
    {"hidden_size", {"hidden_size", "n_embd", "d_model", "hidden_dim"}, "embedding_length"},
    {"attention_heads",
     {"num_attention_heads", "n_head", "num_heads", "n_heads"},
     "attention.head_count"},
    {"kv_heads",
     {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"},
     "attention.head_count_kv"},
    {"head_dim", {"head_dim", "kv_channels"}, "attention.key_length"},
    {"vocabulary_size", {"vocab_size", "padded_vocab_size"}, "vocab_size"},
    {"experts",
     {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"},
     "expert_count"},
    {"experts_per_token",
     {"num_experts_per_tok", "moe_topk", "moe_top_k", "moe_k"},
     "expert_used_count"},
}};

bool is_count(const Value& value) {
  return value.type == Type::number && !value.text.empty() && value.text != "0" &&
         value.text.size() <= 15 && std::all_of(value.text.begin(), value.text.end(), [](char c) {
           return c >= '0' && c <= '9';
         });
}

std::string with_unit(std::string_view figure, const std::string& digits) {
  return figure == "context_length" ? digits + " token" : digits;
}

// The first of the spellings that the object holds as a count.
std::optional<Stated> stated_in(const Value& object, const std::string& path,
                                const Spelling& spelling) {
  for (const std::string_view key : spelling.keys) {
    if (key.empty()) continue;
    const Value* value = object.find(key);
    if (value == nullptr || !is_count(*value)) continue;
    return Stated{std::string(spelling.figure), with_unit(spelling.figure, value->text),
                  value->text, path + std::string(key) + ", line " + std::to_string(value->line)};
  }
  return std::nullopt;
}

}  // namespace

Value text_value(std::string text) {
  Value value;
  value.type = Type::string;
  value.text = std::move(text);
  return value;
}

Value number_value(std::string digits) {
  Value value = text_value(std::move(digits));
  value.type = Type::number;
  return value;
}

Value object_value() {
  Value value;
  value.type = Type::object;
  return value;
}

void put(Value& object, std::string key, Value value) {
  object.members.push_back({std::move(key), std::move(value), 0, 0});
}

void put_text(Value& object, std::string key, std::string text) {
  put(object, std::move(key), text_value(std::move(text)));
}

std::vector<Stated> shape_of_config(const Value& config) {
  constexpr std::array<std::string_view, 3> kInside{"text_config", "llm_config", "language_config"};
  std::vector<Stated> shape;
  for (const Spelling& spelling : kShape) {
    std::optional<Stated> stated = stated_in(config, "", spelling);
    for (const std::string_view inside : kInside) {
      const Value* object = config.find(inside);
      if (stated || object == nullptr || object->type != Type::object) continue;
      stated = stated_in(*object, std::string(inside) + ".", spelling);
    }
    if (stated) shape.push_back(std::move(*stated));
  }
  return shape;
}

std::vector<Stated> shape_of_gguf(const import::GgufFile& file) {
  std::vector<Stated> shape;
  const auto architecture = file.metadata.find("general.architecture");
  if (architecture == file.metadata.end()) return shape;
  for (const Spelling& spelling : kShape) {
    const std::string key = architecture->second.text + "." + std::string(spelling.gguf);
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end() || found->second.kind != import::GgufValue::Kind::number ||
        found->second.number <= 0) {
      continue;
    }
    const std::string digits = std::to_string(found->second.number);
    shape.push_back({std::string(spelling.figure), with_unit(spelling.figure, digits), digits,
                     key + ", byte " + std::to_string(found->second.offset)});
  }
  return shape;
}

}  // namespace ullage::plan
