// Tensors divided over ranks and stages.
#include "memory/shards.hpp"

#include <doctest/doctest.h>

#include "document/read.hpp"
#include "import/config.hpp"
#include "model/model.hpp"

namespace ullage {
namespace {

using exact::Rational;
using memory::Degree;
using memory::GroupShare;
using memory::Layout;
using memory::Shards;

const std::string kDense = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 5,
  "num_attention_heads": 8, "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100,
  "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

const std::string kTied = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 4,
  "num_attention_heads": 8, "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 100,
  "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";

const std::string kMixture = R"({"model_type": "deepseek_v3", "hidden_size": 64,
  "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4,
  "intermediate_size": 128, "moe_intermediate_size": 32, "n_routed_experts": 6,
  "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1, "moe_layer_freq": 1,
  "q_lora_rank": 16, "kv_lora_rank": 8, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4,
  "v_head_dim": 8, "vocab_size": 96, "num_nextn_predict_layers": 1, "torch_dtype": "bfloat16"})";

struct Read {
  provenance::Graph graph;
  model::Model model;

  explicit Read(const std::string& json) {
    const auto document = document::read_json(json, "config.json");
    REQUIRE(document.ok());
    const auto read = import::read_config(*document, graph, {}, {}, model);
    REQUIRE_MESSAGE(read.ok(), base::to_text(read.error()));
  }
  const model::Inventory& inventory() const { return *model.inventory; }
  Shards shards(const Layout& layout) const {
    auto result = memory::shard(inventory(), layout);
    REQUIRE_MESSAGE(result.ok(), base::to_text(result.error()));
    return std::move(*result);
  }
  const GroupShare* find(const memory::Stage& stage, std::string_view name) const {
    for (const GroupShare& share : stage.shares) {
      if (inventory().tensors[share.group].name == name) return &share;
    }
    return nullptr;
  }
};

Layout layout(std::int64_t tensor, std::int64_t pipeline = 1, std::int64_t expert = 1) {
  return {Degree{tensor, {}}, Degree{pipeline, {}}, Degree{expert, {}}, {}, {}};
}

Rational stored(const model::Inventory& inventory) {
  Rational total;
  for (const model::TensorGroup& group : inventory.tensors) {
    if (!group.stored) continue;
    Rational elements = 1;
    for (const model::Extent& extent : group.repeat)
      elements *= extent.value;
    for (const model::Axis& axis : group.shape) {
      for (const model::Extent& extent : axis)
        elements *= extent.value;
    }
    total += elements;
  }
  return total;
}

Rational held(const Shards& shards) {
  Rational total;
  for (const memory::Stage& stage : shards.stages) {
    for (const GroupShare& share : stage.shares)
      total += share.elements * Rational(shards.ranks);
  }
  return total;
}

bool noted(const Shards& shards, std::string_view code) {
  for (const base::Note& note : shards.notes) {
    if (note.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("one device holds the whole checkpoint") {
  for (const std::string& json : {kDense, kTied, kMixture}) {
    const Read read(json);
    const Shards shards = read.shards(layout(1));
    CHECK(held(shards) == stored(read.inventory()));
    CHECK(shards.replication == Rational(1));
    CHECK(shards.notes.empty());
  }
}

TEST_CASE("shares times ranks cover the whole, and what is above it is replicas and padding") {
  for (const std::string& json : {kDense, kTied, kMixture}) {
    const Read read(json);
    for (const std::int64_t tensor : {1, 2, 3, 4, 7, 8}) {
      for (const std::int64_t pipeline : {1, 2, 3, 4}) {
        for (const std::int64_t expert : {1, 2, 4}) {
          const Shards shards = read.shards(layout(tensor, pipeline, expert));
          CHECK(held(shards) >= stored(read.inventory()));
          CHECK(shards.replication == held(shards) / stored(read.inventory()));
          for (const memory::Stage& stage : shards.stages) {
            for (const GroupShare& share : stage.shares) {
              CHECK(share.elements * Rational(share.parts) >= share.whole);
              CHECK(share.padding.sign() >= 0);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("column, row and vocabulary parallel tensors are divided on their own axis") {
  const Read read(kDense);
  const Shards shards = read.shards(layout(2));
  const memory::Stage& stage = shards.stages.front();
  using Shape = std::vector<Rational>;
  CHECK(read.find(stage, "layers.*.mlp.gate_proj.weight")->shape == Shape{48, 64});
  CHECK(read.find(stage, "layers.*.mlp.down_proj.weight")->shape == Shape{64, 48});
  CHECK(read.find(stage, "layers.*.self_attn.q_proj.weight")->shape == Shape{32, 64});
  CHECK(read.find(stage, "embed_tokens.weight")->shape == Shape{50, 64});
  CHECK(read.find(stage, "norm.weight")->replicated);
  CHECK_FALSE(noted(shards, "tensor-parallel-uneven"));
}

TEST_CASE("fewer KV heads than ranks: each keeps a whole one") {
  const Read read(kDense);
  const Shards shards = read.shards(layout(8));
  const GroupShare* key = read.find(shards.stages.front(), "layers.*.self_attn.k_proj.weight");
  CHECK(key->shape == std::vector<Rational>{8, 64});
  CHECK(key->heads_replicated);
  CHECK(key->padding.is_zero());
  CHECK(noted(shards, "kv-heads-replicated"));
  CHECK(read.find(shards.stages.front(), "layers.*.self_attn.q_proj.weight")->shape ==
        std::vector<Rational>{8, 64});
}

TEST_CASE("a degree that does not divide rounds up and names the padding") {
  const Read read(kDense);
  const Shards shards = read.shards(layout(3));
  const GroupShare* query = read.find(shards.stages.front(), "layers.*.self_attn.q_proj.weight");
  CHECK(query->shape == std::vector<Rational>{24, 64});       // 3 of 8 heads, not 21⅓ rows
  CHECK(query->padding == Rational(5 * (3 * 24 - 64) * 64));  // in 5 layers
  REQUIRE(noted(shards, "tensor-parallel-uneven"));
  CHECK(shards.notes.front().text.find("q_proj.weight (2560)") != std::string::npos);
}

TEST_CASE("experts are spread whole over expert ranks, or divided where nobody spreads them") {
  const Read read(kMixture);
  const char* const name = "layers.*.mlp.experts.*.gate_proj.weight";
  const Shards spread = read.shards(layout(2, 1, 4));
  CHECK(spread.ranks == 4);
  const GroupShare* experts = read.find(spread.stages.front(), name);
  CHECK(experts->tensors == Rational(3 * 2));  // 3 layers, ⌈6 ÷ 4⌉ experts
  CHECK(experts->shape == std::vector<Rational>{32, 64});
  const Shards divided = read.shards(layout(2));
  experts = read.find(divided.stages.front(), name);
  CHECK(experts->tensors == Rational(3 * 6));
  CHECK(experts->shape == std::vector<Rational>{16, 64});
  Layout both = layout(2, 1, 3);
  both.expert_tensor = Degree{2, {}};
  const Shards shared = read.shards(both);
  CHECK(shared.ranks == 6);
  experts = read.find(shared.stages.front(), name);
  CHECK(experts->tensors == Rational(3 * 2));
  CHECK(experts->shape == std::vector<Rational>{16, 64});
  CHECK(noted(Read(kDense).shards(layout(1, 1, 2)), "no-experts"));
}

TEST_CASE("layers left over stand before the last stage, table first, head and modules last") {
  CHECK(memory::even_split(61, 4) == std::vector<std::int64_t>{15, 15, 16, 15});
  CHECK(memory::even_split(80, 3) == std::vector<std::int64_t>{27, 27, 26});
  CHECK(memory::even_split(62, 4) == std::vector<std::int64_t>{15, 16, 16, 15});
  const Read read(kMixture);
  const Shards shards = read.shards(layout(1, 2));
  REQUIRE(shards.stages.size() == 2);
  CHECK(read.find(shards.stages[0], "embed_tokens.weight") != nullptr);
  CHECK(read.find(shards.stages[1], "embed_tokens.weight") == nullptr);
  CHECK(read.find(shards.stages[0], "lm_head.weight") == nullptr);
  CHECK(read.find(shards.stages[1], "lm_head.weight") != nullptr);
  CHECK(read.find(shards.stages[1], "mtp.*.eh_proj.weight") != nullptr);
  // The dense layer is layer 0: the second stage has none.
  CHECK(read.find(shards.stages[0], "layers.*.mlp.gate_proj.weight")->tensors == Rational(1));
  CHECK(read.find(shards.stages[1], "layers.*.mlp.gate_proj.weight") == nullptr);
}

TEST_CASE("a tied table stands on the last stage too") {
  const Read read(kTied);
  const Shards shards = read.shards(layout(1, 2));
  CHECK(read.find(shards.stages[1], "embed_tokens.weight") != nullptr);
  CHECK(held(shards) - stored(read.inventory()) == Rational(100 * 64));
}

TEST_CASE("stages of given lengths") {
  const Read read(kDense);
  Layout given = layout(1, 2);
  given.layer_split = {4, 1};
  const Shards shards = read.shards(given);
  CHECK(shards.stages[0].layers == 4);
  CHECK(shards.stages[1].first_layer == 4);
  given.layer_split = {4, 2};
  const auto wrong = memory::shard(read.inventory(), given);
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().code == base::Code::usage);
}

TEST_CASE("more stages than layers, and layers without numbers, are refused") {
  Read read(kDense);
  const auto many = memory::shard(read.inventory(), layout(1, 6));
  REQUIRE_FALSE(many.ok());
  CHECK(many.error().code == base::Code::usage);
  for (model::TensorGroup& group : read.model.inventory->tensors) {
    for (model::Extent& extent : group.repeat)
      extent.layers = nullptr;
  }
  const auto unnumbered = memory::shard(read.inventory(), layout(1, 2));
  REQUIRE_FALSE(unnumbered.ok());
  CHECK(unnumbered.error().code == base::Code::unsupported_architecture);
  CHECK(memory::shard(read.inventory(), layout(2)).ok());
}

}  // namespace ullage
