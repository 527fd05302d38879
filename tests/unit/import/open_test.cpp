// What MODEL can be, on files in memory.
#include "import/open.hpp"

#include <doctest/doctest.h>

#include "memory/weights.hpp"

using namespace ullage;

namespace {

const char* const kConfig =
    "{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_hidden_layers\": 1, "
    "\"num_attention_heads\": 4, \"intermediate_size\": 16, \"vocab_size\": 10, "
    "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}";

struct Opened {
  base::MemoryFileSystem files;
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  provenance::Graph graph;

  base::Result<model::Model> open(const std::string& name) {
    import::OpenContext context{catalogue, files, graph, std::nullopt};
    return import::open_model(context, name);
  }
  exact::Rational payload(const model::Model& model) {
    const auto weights = memory::weigh(graph, model, {}, catalogue);
    REQUIRE(weights.ok());
    return graph.value(weights->payload);
  }
};

}  // namespace

TEST_SUITE("import/open") {
  TEST_CASE("a folder, its config.json and standard input are one model") {
    Opened opened;
    opened.files.files["m/config.json"] = kConfig;
    opened.files.standard_input = kConfig;
    const auto folder = opened.open("m");
    REQUIRE_MESSAGE(folder.ok(), base::to_text(folder.error()));
    const auto file = opened.open("m/config.json");
    REQUIRE(file.ok());
    const auto input = opened.open("-");
    REQUIRE(input.ok());
    CHECK(opened.payload(*folder) == opened.payload(*file));
    CHECK(opened.payload(*folder) == opened.payload(*input));
  }

  TEST_CASE("an index that names no head at all leaves it out, whatever the config says") {
    std::string untied = kConfig;
    untied.replace(untied.find("\"tie_word_embeddings\": true"), 27,
                   "\"tie_word_embeddings\": false");
    const auto total = [&](const std::string& names) {
      Opened opened;
      opened.files.files["m/config.json"] = untied;
      opened.files.files["m/model.safetensors.index.json"] =
          "{\"metadata\": {}, \"weight_map\": {" + names + "}}";
      const auto model = opened.open("m");
      REQUIRE_MESSAGE(model.ok(), base::to_text(model.error()));
      const auto weights = memory::weigh(opened.graph, *model, {}, opened.catalogue);
      REQUIRE(weights.ok());
      return opened.graph.value(weights->parameters);
    };
    const std::string table = "\"embed_tokens.weight\": \"a\"";
    CHECK(total(table + ", \"lm_head.weight\": \"a\"") - total(table) == exact::Rational(80));
  }

  TEST_CASE("an index beside the config gives the checkpoint's own bytes and a stored head") {
    Opened opened;
    opened.files.files["m/config.json"] = kConfig;
    opened.files.files["m/model.safetensors.index.json"] =
        "{\"metadata\": {\"total_size\": 4321.0}, \"weight_map\": {\"lm_head.weight\": \"a\"}}";
    const auto model = opened.open("m");
    REQUIRE_MESSAGE(model.ok(), base::to_text(model.error()));
    const auto weights = memory::weigh(opened.graph, *model, {}, opened.catalogue);
    REQUIRE(weights.ok());
    CHECK(opened.graph.value(weights->payload) == exact::Rational(4321));
    CHECK(opened.graph.value(*weights->parameters_stored) -
              opened.graph.value(weights->parameters) ==
          exact::Rational(80));
    // 4321 B is not what the shape gives: said, not hidden.
    REQUIRE_FALSE(weights->notes.empty());
    CHECK(weights->notes.back().code == "conflict");
  }

  TEST_CASE("a broken index is a fault, not ignored") {
    Opened opened;
    opened.files.files["m/config.json"] = kConfig;
    opened.files.files["m/model.safetensors.index.json"] = "{\"metadata\": {\"total_size\": -1}}";
    const auto model = opened.open("m");
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().span.file == "m/model.safetensors.index.json");
  }

  TEST_CASE("a card is found by its Hugging Face id and counted by its shape") {
    Opened opened;
    const auto model = opened.open("meta-llama/Meta-Llama-3.1-8B");
    REQUIRE_MESSAGE(model.ok(), base::to_text(model.error()));
    CHECK(model->name == "llama-3.1-8b");
    REQUIRE(model->inventory.has_value());
    const auto weights = memory::weigh(opened.graph, *model, {}, opened.catalogue);
    REQUIRE(weights.ok());
    CHECK(opened.graph.value(weights->parameters) == exact::Rational(8030261248));
  }

  TEST_CASE("what is not there is said, with the nearest name") {
    Opened opened;
    const auto misspelt = opened.open("meta-llama/Llama-3.1-8B-Instrct");
    REQUIRE_FALSE(misspelt.ok());
    CHECK(misspelt.error().hint.find("Llama-3.1-8B-Instruct") != std::string::npos);
    const auto missing = opened.open("./nowhere");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().code == base::Code::file_unreadable);
    opened.files.files["empty/readme"] = "";
    const auto folder = opened.open("empty");
    REQUIRE_FALSE(folder.ok());
    CHECK(folder.error().message.find("config.json") != std::string::npos);
  }

  TEST_CASE("an index decides about MTP layers, their copies and the vision tower") {
    const std::string config =
        R"({"model_type": "deepseek_v3", "hidden_size": 8, "num_hidden_layers": 1,
        "vocab_size": 10, "num_attention_heads": 2, "kv_lora_rank": 4, "qk_nope_head_dim": 3,
        "qk_rope_head_dim": 2, "v_head_dim": 3, "moe_intermediate_size": 5,
        "n_routed_experts": 4, "num_experts_per_tok": 2, "num_nextn_predict_layers": 1,
        "torch_dtype": "bfloat16"})";
    const auto with_names = [&](const std::string& names) {
      Opened opened;
      opened.files.files["m/config.json"] = config;
      if (!names.empty()) {
        opened.files.files["m/model.safetensors.index.json"] = "{\"weight_map\": {" + names + "}}";
      }
      const auto model = opened.open("m");
      REQUIRE_MESSAGE(model.ok(), base::to_text(model.error()));
      const auto weights = memory::weigh(opened.graph, *model, {}, opened.catalogue);
      REQUIRE(weights.ok());
      return std::pair(opened.graph.value(weights->parameters),
                       opened.graph.value(*weights->parameters_stored));
    };
    const auto rule = with_names("");
    CHECK(rule.second - rule.first == exact::Rational(2 * 80));
    const auto absent = with_names(R"("model.layers.0.mlp.gate.weight": "a")");
    CHECK(absent.first == absent.second);
    CHECK(absent.first < rule.first);
    const auto bare = with_names(R"("model.layers.1.eh_proj.weight": "a")");
    CHECK(bare.first == rule.first);
    CHECK(bare.second == rule.first);
    CHECK(with_names(R"("model.layers.1.embed_tokens.weight": "a")") == rule);
  }
}
