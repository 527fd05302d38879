// Configuration against checkpoint: the inventory that a family makes of a configuration is what
// the headers of a checkpoint of the same model list, tensor by tensor under the names that
// published checkpoints use; and what is said where the two differ.
#include <doctest/doctest.h>

#include <map>

#include "import/open.hpp"
#include "memory/weights.hpp"
#include "support/checkpoints.hpp"

using namespace ullage;
using exact::Rational;
using test::Tensor;
using Shape = std::vector<std::uint64_t>;

namespace {

struct Opened {
  base::MemoryFileSystem files;
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  provenance::Graph graph;

  base::Result<model::Model> open(const std::string& name) {
    import::OpenContext context{catalogue, files, graph, std::nullopt};
    return import::open_model(context, name);
  }
  model::Model model(const std::string& name) {
    auto opened = open(name);
    REQUIRE_MESSAGE(opened.ok(), base::to_text(opened.error()));
    return *std::move(opened);
  }
  memory::Weights weigh(const model::Model& model) {
    auto weights = memory::weigh(graph, model, {}, catalogue);
    REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
    return *std::move(weights);
  }
};

std::string noted(const model::Model& model, const std::string& code) {
  for (const base::Note& note : model.notes) {
    if (note.code == code) return note.text;
  }
  return {};
}

// Lists tensors of one dtype.
class Checkpoint {
 public:
  explicit Checkpoint(std::string dtype = "BF16") : dtype_(std::move(dtype)) {}

  Checkpoint& add(const std::string& name, Shape shape) {
    tensors_.push_back({name, dtype_, std::move(shape)});
    return *this;
  }
  Checkpoint& add(const std::string& name, const std::string& dtype, Shape shape) {
    tensors_.push_back({name, dtype, std::move(shape)});
    return *this;
  }
  // `name.weight` of [out, in], and `name.bias` where there is one.
  Checkpoint& linear(const std::string& name, std::uint64_t out, std::uint64_t in,
                     bool bias = false) {
    add(name + ".weight", {out, in});
    return bias ? add(name + ".bias", {out}) : *this;
  }
  Checkpoint& gated(const std::string& prefix, std::uint64_t hidden, std::uint64_t width) {
    return linear(prefix + "gate_proj", width, hidden)
        .linear(prefix + "up_proj", width, hidden)
        .linear(prefix + "down_proj", hidden, width);
  }
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::string dtype_;
  std::vector<Tensor> tensors_;
};

// Both ways to the same model: parameters, each part that both name alike, and bytes are equal.
void demand_equal(const std::string& config, const Checkpoint& checkpoint,
                  const std::vector<std::string>& unlike = {}) {
  Opened opened;
  opened.files.files["both/config.json"] = config;
  opened.files.files["both/model.safetensors"] = test::safetensors(checkpoint.tensors());
  opened.files.files["config/config.json"] = config;
  opened.files.files["alone/model.safetensors"] = test::safetensors(checkpoint.tensors());
  const model::Model both = opened.model("both");
  CHECK_MESSAGE(noted(both, "conflict").empty(), noted(both, "conflict"));
  const memory::Weights by_shape = opened.weigh(opened.model("config"));
  const memory::Weights by_both = opened.weigh(both);
  const memory::Weights by_names = opened.weigh(opened.model("alone"));
  const auto value = [&](const auto& figure) { return opened.graph.value(figure); };
  CHECK(value(by_both.parameters) == value(by_shape.parameters));
  CHECK(value(by_both.payload) == Rational(test::bytes_of(checkpoint.tensors())));
  CHECK(value(by_names.payload) == value(by_both.payload));
  CHECK(value(*by_names.parameters_stored) == value(*by_both.parameters_stored));
  std::map<std::string, Rational> parts;
  for (const memory::ComponentCount& part : by_both.components)
    parts[std::string(name_of(part.component))] += value(part.parameters);
  for (const memory::ComponentCount& part : by_names.components)
    parts[std::string(name_of(part.component))] += -value(part.parameters);
  for (const std::string& part : unlike)
    parts.erase(part);
  for (const auto& part : parts)
    CHECK_MESSAGE(part.second.is_zero(), part.first << " " << part.second.to_string());
}

void add_llama_layers(Checkpoint& checkpoint, int layers, bool bias, bool head_norms,
                      bool mlp = true) {
  for (int i = 0; i < layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    const std::string attention = layer + "self_attn.";
    checkpoint.linear(attention + "q_proj", 16, 8, bias)
        .linear(attention + "k_proj", 8, 8, bias)
        .linear(attention + "v_proj", 8, 8, bias)
        .linear(attention + "o_proj", 8, 16)
        .add(layer + "input_layernorm.weight", Shape{8})
        .add(layer + "post_attention_layernorm.weight", Shape{8});
    if (head_norms) {
      checkpoint.add(attention + "q_norm.weight", Shape{4})
          .add(attention + "k_norm.weight", Shape{4});
    }
    if (mlp) checkpoint.gated(layer + "mlp.", 8, 12);
  }
  checkpoint.add("model.norm.weight", Shape{8}).add("model.embed_tokens.weight", {20, 8});
}

std::string llama_config(const std::string& type, const std::string& more, bool tied) {
  return R"({"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 4,
    "num_key_value_heads": 2, "intermediate_size": 12, "vocab_size": 20,
    "torch_dtype": "bfloat16", "model_type": ")" +
         type + "\", \"tie_word_embeddings\": " + (tied ? "true" : "false") + more + "}";
}

}  // namespace

TEST_SUITE("import/checkpoint") {
  TEST_CASE("dense decoders: Llama, Qwen2 with biases, Qwen3 with norms") {
    Checkpoint llama;
    add_llama_layers(llama, 2, false, false);
    demand_equal(llama_config("llama", "", true), llama);
    llama.linear("lm_head", 20, 8);
    demand_equal(llama_config("llama", "", false), llama);
    Checkpoint qwen2;
    add_llama_layers(qwen2, 2, true, false);
    qwen2.linear("lm_head", 20, 8);
    demand_equal(llama_config("qwen2", "", false), qwen2);
    Checkpoint qwen3("F16");
    add_llama_layers(qwen3, 2, false, true);
    demand_equal(llama_config("qwen3", "", true), qwen3);
  }

  TEST_CASE("mixtures: Qwen3-MoE by expert, Mixtral, gpt-oss stacked") {
    Checkpoint qwen;
    add_llama_layers(qwen, 2, false, true, false);
    qwen.linear("lm_head", 20, 8);
    Checkpoint mixtral;
    add_llama_layers(mixtral, 2, false, false, false);
    mixtral.linear("lm_head", 20, 8);
    for (int i = 0; i < 2; ++i) {
      const std::string layer = "model.layers." + std::to_string(i) + ".";
      qwen.linear(layer + "mlp.gate", 4, 8);
      mixtral.linear(layer + "block_sparse_moe.gate", 4, 8);
      for (int expert = 0; expert < 4; ++expert) {
        qwen.gated(layer + "mlp.experts." + std::to_string(expert) + ".", 8, 6);
        const std::string prefix =
            layer + "block_sparse_moe.experts." + std::to_string(expert) + ".";
        mixtral.linear(prefix + "w1", 12, 8)
            .linear(prefix + "w2", 8, 12)
            .linear(prefix + "w3", 12, 8);
      }
    }
    demand_equal(llama_config("qwen3_moe",
                              R"(, "num_experts": 4, "num_experts_per_tok": 2,
                              "moe_intermediate_size": 6, "norm_topk_prob": true)",
                              false),
                 qwen);
    demand_equal(
        llama_config("mixtral", R"(, "num_local_experts": 4, "num_experts_per_tok": 2)", false),
        mixtral);
    Checkpoint oss;
    for (int i = 0; i < 2; ++i) {
      const std::string layer = "model.layers." + std::to_string(i) + ".";
      oss.linear(layer + "self_attn.q_proj", 16, 8, true)
          .linear(layer + "self_attn.k_proj", 8, 8, true)
          .linear(layer + "self_attn.v_proj", 8, 8, true)
          .linear(layer + "self_attn.o_proj", 8, 16, true)
          .add(layer + "self_attn.sinks", Shape{4})
          .linear(layer + "mlp.router", 4, 8, true)
          .add(layer + "mlp.experts.gate_up_proj", {4, 8, 24})
          .add(layer + "mlp.experts.gate_up_proj_bias", {4, 24})
          .add(layer + "mlp.experts.down_proj", {4, 12, 8})
          .add(layer + "mlp.experts.down_proj_bias", {4, 8})
          .add(layer + "input_layernorm.weight", Shape{8})
          .add(layer + "post_attention_layernorm.weight", Shape{8});
    }
    oss.add("model.norm.weight", Shape{8})
        .add("model.embed_tokens.weight", {20, 8})
        .linear("lm_head", 20, 8);
    demand_equal(llama_config("gpt_oss",
                              R"(, "num_local_experts": 4, "num_experts_per_tok": 2,
                              "sliding_window": 16,
                              "layer_types": ["sliding_attention", "full_attention"])",
                              false),
                 oss);
  }

  TEST_CASE("latent attention with a prediction module: DeepSeek-V3") {
    Checkpoint checkpoint;
    const auto attention = [&](const std::string& layer) {
      checkpoint.linear(layer + "self_attn.q_a_proj", 6, 8)
          .add(layer + "self_attn.q_a_layernorm.weight", Shape{6})
          .linear(layer + "self_attn.q_b_proj", 2 * 5, 6)
          .linear(layer + "self_attn.kv_a_proj_with_mqa", 4 + 2, 8)
          .add(layer + "self_attn.kv_a_layernorm.weight", Shape{4})
          .linear(layer + "self_attn.kv_b_proj", 2 * (3 + 3), 4)
          .linear(layer + "self_attn.o_proj", 8, 2 * 3)
          .add(layer + "input_layernorm.weight", Shape{8})
          .add(layer + "post_attention_layernorm.weight", Shape{8});
    };
    const auto mixture = [&](const std::string& layer) {
      checkpoint.linear(layer + "mlp.gate", 4, 8)
          .add(layer + "mlp.gate.e_score_correction_bias", "F32", Shape{4})
          .gated(layer + "mlp.shared_experts.", 8, 5);
      for (int expert = 0; expert < 4; ++expert)
        checkpoint.gated(layer + "mlp.experts." + std::to_string(expert) + ".", 8, 5);
    };
    attention("model.layers.0.");
    checkpoint.gated("model.layers.0.mlp.", 8, 16);
    attention("model.layers.1.");
    mixture("model.layers.1.");
    const std::string module = "model.layers.2.";
    attention(module);
    mixture(module);
    checkpoint.linear(module + "eh_proj", 8, 16)
        .add(module + "enorm.weight", Shape{8})
        .add(module + "hnorm.weight", Shape{8})
        .add(module + "shared_head.norm.weight", Shape{8})
        .add(module + "embed_tokens.weight", {20, 8})
        .add(module + "shared_head.head.weight", {20, 8})
        .add("model.norm.weight", Shape{8})
        .add("model.embed_tokens.weight", {20, 8})
        .linear("lm_head", 20, 8);
    demand_equal(R"({"model_type": "deepseek_v3", "hidden_size": 8, "num_hidden_layers": 2,
        "first_k_dense_replace": 1, "intermediate_size": 16, "moe_layer_freq": 1,
        "vocab_size": 20, "num_attention_heads": 2, "num_key_value_heads": 2, "q_lora_rank": 6,
        "kv_lora_rank": 4, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2, "v_head_dim": 3,
        "moe_intermediate_size": 5, "n_routed_experts": 4, "n_shared_experts": 1,
        "num_experts_per_tok": 2, "num_nextn_predict_layers": 1, "tie_word_embeddings": false,
        "torch_dtype": "bfloat16"})",
                 checkpoint);
  }

  TEST_CASE("four norms, a tied table, GPT-2 with its masks") {
    Checkpoint gemma;
    add_llama_layers(gemma, 2, false, true);
    for (const char* layer : {"model.layers.0.", "model.layers.1."}) {
      gemma.add(std::string(layer) + "pre_feedforward_layernorm.weight", Shape{8})
          .add(std::string(layer) + "post_feedforward_layernorm.weight", Shape{8});
    }
    demand_equal(llama_config("gemma3_text", R"(, "sliding_window": 16,
        "layer_types": ["sliding_attention", "full_attention"])",
                              true),
                 gemma);
    Checkpoint gpt2("F32");
    gpt2.add("wte.weight", {20, 8})
        .add("wpe.weight", {16, 8})
        .add("ln_f.weight", Shape{8})
        .add("ln_f.bias", Shape{8});
    for (const char* layer : {"h.0.", "h.1."}) {
      const std::string prefix = layer;
      gpt2.add(prefix + "attn.bias", "U8", {1, 1, 16, 16})
          .add(prefix + "attn.masked_bias", "F32", {})
          .add(prefix + "attn.c_attn.weight", {8, 24})
          .add(prefix + "attn.c_attn.bias", Shape{24})
          .add(prefix + "attn.c_proj.weight", {8, 8})
          .add(prefix + "attn.c_proj.bias", Shape{8})
          .add(prefix + "mlp.c_fc.weight", {8, 32})
          .add(prefix + "mlp.c_fc.bias", Shape{32})
          .add(prefix + "mlp.c_proj.weight", {32, 8})
          .add(prefix + "mlp.c_proj.bias", Shape{8});
      for (const char* norm : {"ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias"})
        gpt2.add(prefix + norm, Shape{8});
    }
    demand_equal(R"({"model_type": "gpt2", "n_embd": 8, "n_layer": 2, "n_head": 2,
        "n_positions": 16, "n_ctx": 16, "vocab_size": 20, "torch_dtype": "float32"})",
                 gpt2);
  }

  TEST_CASE("what the checkpoint holds decides about modules, and each difference is named") {
    Opened opened;
    Checkpoint llama;
    add_llama_layers(llama, 2, false, false);
    llama.linear("lm_head", 20, 8);
    opened.files.files["m/config.json"] = llama_config("llama", "", true);
    opened.files.files["m/model.safetensors"] = test::safetensors(llama.tensors());
    CHECK_FALSE(noted(opened.model("m"), "stored-twice").empty());
    CHECK(noted(opened.model("m"), "conflict").empty());
    llama.linear("model.layers.2.mlp.up_proj", 12, 8);
    opened.files.files["m/model.safetensors"] = test::safetensors(llama.tensors());
    CHECK(noted(opened.model("m"), "conflict").find("mtp 0 against 96") != std::string::npos);
  }

  TEST_CASE("an index, its shards and their headers must say the same") {
    Opened opened;
    Checkpoint first;
    add_llama_layers(first, 2, false, false);
    Checkpoint second;
    second.linear("lm_head", 20, 8);
    const auto index = [&](const std::string& total, const std::string& name) {
      opened.files.files["m/model.safetensors.index.json"] =
          "{\"metadata\": {\"total_size\": " + total + "}, \"weight_map\": {\"" + name +
          "\": \"b.safetensors\", \"model.norm.weight\": \"a.safetensors\"}}";
    };
    opened.files.files["m/config.json"] = llama_config("llama", "", false);
    opened.files.files["m/a.safetensors"] = test::safetensors(first.tensors());
    opened.files.files["m/b.safetensors"] = test::safetensors(second.tensors());
    const std::uint64_t bytes = test::bytes_of(first.tensors()) + test::bytes_of(second.tensors());
    index(std::to_string(bytes), "lm_head.weight");
    CHECK(noted(opened.model("m"), "conflict").empty());
    index(std::to_string(bytes + 8), "lm_head.weight");
    CHECK(noted(opened.model("m"), "conflict").find("the headers list") != std::string::npos);
    index(std::to_string(bytes), "lm_head.bias");
    CHECK(noted(opened.model("m"), "conflict").find("no header lists") != std::string::npos);
    opened.files.files["m/b.safetensors"] = test::safetensors(first.tensors());
    const auto twice = opened.open("m");
    REQUIRE_FALSE(twice.ok());
    CHECK(twice.error().code == base::Code::duplicate_key);
    opened.files.files.erase("m/b.safetensors");
    const model::Model partly = opened.model("m");
    CHECK(noted(partly, "checkpoint-incomplete").find("1 of 2") != std::string::npos);
    CHECK(opened.graph.value(*partly.stated_checkpoint_bytes) == Rational(bytes));
    opened.files.files.erase("m/a.safetensors");
    CHECK(noted(opened.model("m"), "checkpoint-incomplete").empty());
  }

  TEST_CASE("hostile indexes are refused at line and column") {
    Opened opened;
    opened.files.files["m/config.json"] = llama_config("llama", "", false);
    const auto fault = [&](const std::string& text) {
      opened.files.files["m/model.safetensors.index.json"] = text;
      const auto model = opened.open("m");
      REQUIRE_FALSE(model.ok());
      CHECK(model.error().span.line > 0);
      return model.error();
    };
    for (const char* shard :
         {"", "/etc/passwd", "../a", "a/../../b", "a//b", "./a", "a\\\\b", "\\u0000"}) {
      CHECK(fault(std::string("{\"weight_map\": {\"t\": \"") + shard + "\"}}").code ==
            base::Code::out_of_range);
    }
    CHECK(fault(R"({"weight_map": {"t": "a", "t": "b"}})").code == base::Code::duplicate_key);
    CHECK(fault(R"({"weight_map": {"t": 3}})").code == base::Code::wrong_type);
    CHECK(fault(R"({"weight_map": []})").code == base::Code::wrong_type);
    CHECK(fault("[]").code == base::Code::wrong_type);
    CHECK(fault(R"({"metadata": {"total_size": 1.5}})").code == base::Code::out_of_range);
    CHECK(fault(R"({"weight_map": {"t": "a"})").code == base::Code::syntax);
  }

  TEST_CASE("headers answer where the configuration's family is not known") {
    Opened opened;
    opened.files.files["m/config.json"] = R"({"model_type": "unheard_of"})";
    opened.files.files["m/model.safetensors"] =
        test::safetensors({{"model.embed_tokens.weight", "BF16", {2, 3}}});
    CHECK(opened.open("m").error().code == base::Code::unsupported_architecture);
    const model::Model model = opened.model("m/model.safetensors");
    CHECK(opened.graph.value(opened.weigh(model).parameters) == Rational(6));
    CHECK_FALSE(noted(model, "configuration-unsupported").empty());
    opened.files.files["m/config.json"] = "{";
    CHECK(opened.open("m/model.safetensors").error().code == base::Code::syntax);
  }

  TEST_CASE("which checkpoint of a folder is meant") {
    Opened opened;
    const auto file = [](std::uint64_t width) {
      return test::safetensors({{"model.embed_tokens.weight", "BF16", {2, width}}});
    };
    const auto parameters = [&](const std::string& name) {
      return opened.graph.value(opened.weigh(opened.model(name)).parameters);
    };
    opened.files.files["m/consolidated.safetensors"] = file(3);
    CHECK(parameters("m") == Rational(6));
    opened.files.files["m/other.safetensors"] = file(4);
    CHECK(opened.open("m").error().message.find("several checkpoints") != std::string::npos);
    CHECK(parameters("m/other.safetensors") == Rational(8));
    opened.files.files["m/model-00001-of-00001.safetensors"] = file(5);
    CHECK(parameters("m") == Rational(10));
    opened.files.files["m/model.safetensors"] = file(6);
    CHECK(parameters("m") == Rational(12));
    opened.files.files["m/adapter_model.safetensors"] = file(7);
    CHECK(parameters("m") == Rational(12));
    opened.files.files["b/pytorch_model.bin.index.json"] =
        R"({"metadata": {"total_size": 4321}, "weight_map": {"t": "pytorch_model-00001-of-00002.bin"}})";
    const model::Model index = opened.model("b");
    CHECK(opened.graph.value(*index.stated_checkpoint_bytes) == Rational(4321));
    CHECK_FALSE(opened.graph.known(*index.stated_parameters));
    for (const char* shard : {"x-00000-of-00002.safetensors", "x-00003-of-00002.safetensors"}) {
      opened.files.files[std::string("s/") + shard] = file(3);
      CHECK(opened.open(std::string("s/") + shard).error().code == base::Code::out_of_range);
    }
  }
}
