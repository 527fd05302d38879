// Cards made from files: complete, clean for lint, and counting like what they were made from.
#include "plan/card.hpp"

#include <doctest/doctest.h>

#include "catalog/lint.hpp"
#include "catalog/load.hpp"
#include "document/read.hpp"
#include "document/yaml_writer.hpp"
#include "memory/weights.hpp"
#include "support/checkpoints.hpp"
#include "support/json_text.hpp"

using namespace ullage;
using document::Value;
using test::Tensor;

namespace {

struct Imported {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;

  base::Result<plan::Card> import(const std::string& model) {
    return plan::card_of({.model = model,
                          .assume = {},
                          .id = {},
                          .name = {},
                          .vendor = {},
                          .url = {},
                          .today = "2026-12-01"},
                         catalogue, files);
  }
  std::string text(const std::string& model) {
    const auto card = import(model);
    REQUIRE_MESSAGE(card.ok(), base::to_text(card.error()));
    return document::write_yaml(card->card);
  }
  // The entry that a card is loaded as; the test fails where it has a fault.
  catalog::Entry entry(const std::string& yaml) {
    const auto document = document::read_yaml(yaml, "card.yaml");
    REQUIRE_MESSAGE(document.ok(), base::to_text(document.error()));
    std::vector<base::Diagnostic> faults;
    auto entry = catalog::load_entry(
        *document, [this](std::string_view id) { return catalogue.source(id); }, faults);
    for (const base::Diagnostic& fault : faults)
      FAIL_CHECK(base::to_text(fault));
    REQUIRE(entry.has_value());
    return *std::move(entry);
  }
};

const char* const kConfig = R"({
  "model_type": "llama",
  "hidden_size": 8,
  "num_hidden_layers": 1,
  "num_attention_heads": 4,
  "intermediate_size": 16,
  "vocab_size": 10,
  "max_position_embeddings": 2048,
  "tie_word_embeddings": true,
  "hidden_act": "silu",
  "torch_dtype": "bfloat16"
})";

exact::Rational pinned(const catalog::Entry& entry, const std::string& name) {
  const catalog::FigureFact* fact = entry.figure(name);
  REQUIRE_MESSAGE(fact != nullptr, name);
  REQUIRE_MESSAGE(fact->known(), name);
  return fact->claims.front().quantity.value;
}

}  // namespace

TEST_SUITE("plan/card") {
  TEST_CASE("each figure cites file, place and digest") {
    Imported imported;
    imported.files.files["my model/config.json"] = kConfig;
    const catalog::Entry entry = imported.entry(imported.text("my model"));
    CHECK(entry.id == "my-model");
    CHECK(entry.name == "my model");
    REQUIRE(entry.sources.size() == 1);
    CHECK(entry.sources[0].revision.starts_with("sha256:"));
    CHECK(entry.sources[0].checked == "2026-12-01");
    for (const catalog::FigureFact& fact : entry.figures) {
      if (!fact.known()) continue;
      CHECK(fact.claims.front().source == entry.sources[0].id);
      CHECK_FALSE(fact.claims.front().locator.empty());
    }
    CHECK(entry.figure("layers")->claims.front().locator == "num_hidden_layers, line 4");
    CHECK(pinned(entry, "context_length") == exact::Rational(2048));
    CHECK_FALSE(entry.figure("checkpoint_bytes")->known());
    CHECK(entry.attribute("licence")->value.empty());
    // What the family does not read is no part of the shape.
    CHECK(entry.architecture->config.root.find("hidden_act") == nullptr);
    CHECK(entry.architecture->config.root.find("vocab_size") != nullptr);
  }

  TEST_CASE("a checkpoint gives bytes, a header alone parameters too") {
    const std::vector<Tensor> tensors{{"model.embed_tokens.weight", "BF16", {10, 8}},
                                      {"model.layers.0.mlp.up_proj.weight", "BF16", {16, 8}}};
    Imported imported;
    imported.files.files["alone/model.safetensors"] = test::safetensors(tensors);
    const catalog::Entry alone = imported.entry(imported.text("alone"));
    CHECK(pinned(alone, "parameters") == exact::Rational(80 + 128));
    CHECK(pinned(alone, "checkpoint_bytes") == exact::Rational(2 * (80 + 128)));
    CHECK(alone.sources.front().title == "header of model.safetensors");
    CHECK_FALSE(alone.architecture.has_value());

    imported.files.files["both/config.json"] = kConfig;
    imported.files.files["both/model-00001-of-00002.safetensors"] = test::safetensors({tensors[0]});
    imported.files.files["both/model-00002-of-00002.safetensors"] = test::safetensors({tensors[1]});
    const catalog::Entry both = imported.entry(imported.text("both"));
    CHECK(both.sources.size() == 2);
    CHECK(both.sources.back().title.starts_with("headers of 2 files"));
    CHECK(pinned(both, "checkpoint_bytes") == exact::Rational(2 * (80 + 128)));
  }

  TEST_CASE("a GGUF file gives its own words") {
    test::Gguf gguf;
    gguf.text("general.architecture", "llama")
        .text("general.name", "Tiny: a model")
        .text("general.license", "Apache-2.0")
        .number("llama.block_count", 1)
        .number("llama.context_length", 4096)
        .floats("token_embd.weight", {10, 8});
    Imported imported;
    imported.files.files["m/tiny.gguf"] = gguf.bytes();
    const catalog::Entry entry = imported.entry(imported.text("m/tiny.gguf"));
    CHECK(entry.id == "tiny");
    CHECK(entry.name == "Tiny: a model");
    CHECK(entry.attribute("licence")->value == "apache-2.0");
    CHECK(pinned(entry, "context_length") == exact::Rational(4096));
    CHECK(entry.figure("layers")->claims.front().locator.starts_with("llama.block_count, byte "));
  }

  TEST_CASE("a card whose family would count what the checkpoint lacks states totals only") {
    Imported imported;
    imported.files.files["m/config.json"] =
        R"({"model_type": "deepseek_v3", "hidden_size": 8, "num_hidden_layers": 1,
        "vocab_size": 10, "num_attention_heads": 2, "kv_lora_rank": 4, "qk_nope_head_dim": 3,
        "qk_rope_head_dim": 2, "v_head_dim": 3, "moe_intermediate_size": 5,
        "n_routed_experts": 4, "num_experts_per_tok": 2, "num_nextn_predict_layers": 1,
        "torch_dtype": "bfloat16"})";
    const catalog::Entry whole = imported.entry(imported.text("m"));
    CHECK(whole.architecture.has_value());
    imported.files.files["m/model.safetensors.index.json"] =
        R"({"metadata": {"total_size": 4321}, "weight_map": {"model.layers.0.mlp.gate.weight": "a"}})";
    const auto card = imported.import("m");
    REQUIRE_MESSAGE(card.ok(), base::to_text(card.error()));
    CHECK(card->notes.back().code == "architecture-left-out");
    const catalog::Entry totals = imported.entry(document::write_yaml(card->card));
    CHECK_FALSE(totals.architecture.has_value());
    CHECK(pinned(totals, "parameters") < pinned(whole, "parameters"));
    CHECK(pinned(totals, "checkpoint_bytes") == exact::Rational(4321));
    CHECK(totals.figure("checkpoint_bytes")->claims.front().locator == "metadata.total_size");
  }

  TEST_CASE("what is no file is refused") {
    Imported imported;
    CHECK(imported.import("70B").error().code == base::Code::usage);
    CHECK(imported.import("llama-3.1-8b").error().code == base::Code::usage);
    CHECK(imported.import("./nowhere").error().code == base::Code::file_unreadable);
  }

  TEST_CASE("importing what a card describes gives its numbers again, clean for lint") {
    Imported imported;
    std::size_t compared = 0;
    base::MemoryFileSystem cards;
    for (const catalog::Listing& listing : imported.catalogue.listings()) {
      if (listing.kind != catalog::EntryKind::model || !listing.current) continue;
      const auto card = imported.catalogue.load(listing);
      REQUIRE(card.ok());
      if (!(*card)->architecture) continue;
      const std::string folder = "models/" + (*card)->id;
      imported.files.files[folder + "/config.json"] =
          test::json_text((*card)->architecture->config.root);
      const std::string text = imported.text(folder);
      const catalog::Entry entry = imported.entry(text);
      cards.files["cards/" + entry.id + ".yaml"] = text;
      ++compared;
      for (const char* name : {"layers", "hidden_size", "attention_heads", "vocabulary_size",
                               "experts", "experts_per_token", "mtp_layers"}) {
        const catalog::FigureFact* before = (*card)->figure(name);
        const catalog::FigureFact* after = entry.figure(name);
        if (before == nullptr || after == nullptr || !before->known()) continue;
        CHECK_MESSAGE(pinned(entry, name) == before->claims.front().quantity.value,
                      (*card)->id << " " << name);
      }
      // The count from the card's own shape, not from a page.
      provenance::Graph graph;
      import::OpenContext context{imported.catalogue, imported.files, graph, std::nullopt};
      const auto model = import::open_model(context, (*card)->id);
      REQUIRE(model.ok());
      const auto weights = memory::weigh(graph, *model, {}, imported.catalogue);
      REQUIRE(weights.ok());
      CHECK_MESSAGE(pinned(entry, "parameters") == graph.value(weights->parameters), (*card)->id);
    }
    CHECK(compared > 15);
    catalog::Lint lint(imported.catalogue);
    for (const auto& [path, text] : cards.files)
      lint.add(path, text);
    lint.check({});
    for (const base::Finding& finding : lint.findings()) {
      // The catalogue has cards of the same name: that is what is compared.
      if (finding.rule == "name-clash" || finding.rule == "duplicate-entry") continue;
      FAIL_CHECK(finding.rule << " " << finding.message);
    }
  }
}
