// The register of models: every name resolves, every total is what the card's shape gives or has a
// cause, and importing what a card describes gives the card again.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "catalog/catalogue.hpp"
#include "document/yaml_writer.hpp"
#include "plan/card.hpp"
#include "plan/card_causes.hpp"
#include "plan/card_check.hpp"
#include "support/json_text.hpp"

using namespace ullage;
using catalog::Entry;
using exact::Rational;

namespace {

struct Register {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};

  template <class Check>
  void each(const Check& check) {
    for (const catalog::Listing& listing : catalogue.listings()) {
      if (listing.kind != catalog::EntryKind::model) continue;
      const auto card = catalogue.load(listing);
      REQUIRE_MESSAGE(card.ok(), base::to_text(card.error()));
      check(**card);
    }
  }
};

bool claims(const catalog::FigureFact& fact, const Rational& value) {
  for (const provenance::Claim& claim : fact.claims) {
    if (claim.quantity.value == value) return true;
  }
  return false;
}

const document::Value* figure_of(const document::Value& card, std::string_view name) {
  const document::Value* figures = card.find("figures");
  const document::Value* figure = figures != nullptr ? figures->find(name) : nullptr;
  return figure != nullptr ? figure->find("value") : nullptr;
}

// A model of two layers with four rotary elements a head, which no catalogue knows.
model::Inventory small_inventory() {
  model::Inventory inventory;
  static provenance::Graph graph;  // of the figures behind the extents, which no cause reads
  const auto extent = [](const char* name, std::int64_t value) {
    const provenance::FigureId id = graph.given(name, {Rational(value), {}}, {"a test", ""});
    return model::Extent{name, Rational(value), id};
  };
  inventory.main_layers = 2;
  inventory.rotary_width = extent("head_dim", 8);
  inventory.tensors.push_back({.name = "gate.weight",
                               .component = model::Component::router,
                               .shape = {{extent("experts", 4)}, {extent("hidden", 16)}},
                               .repeat = {extent("layers", 2)},
                               .experts = {},
                               .chosen = {}});
  inventory.tensors.push_back({.name = "gate.bias",
                               .component = model::Component::router,
                               .shape = {{extent("experts", 4)}},
                               .repeat = {extent("layers", 2)},
                               .experts = {},
                               .chosen = {}});
  inventory.tensors.push_back({.name = "w.weight",
                               .component = model::Component::mlp,
                               .shape = {{extent("out", 130)}, {extent("in", 200)}},
                               .repeat = {extent("layers", 2)},
                               .experts = {},
                               .chosen = {},
                               .kept = "fp8-block"});
  return inventory;
}

}  // namespace

TEST_SUITE("plan/register") {
  TEST_CASE("at least 120 cards, each found by its id and by every alias") {
    Register cards;
    std::size_t count = 0;
    cards.each([&](const Entry& card) {
      ++count;
      const auto by_id = cards.catalogue.model(card.id);
      REQUIRE_MESSAGE(by_id.ok(), base::to_text(by_id.error()));
      CHECK((*by_id)->id == card.id);
      for (const std::string& alias : card.aliases) {
        const auto found = cards.catalogue.model(alias);
        REQUIRE_MESSAGE(found.ok(), base::to_text(found.error()));
        CHECK_MESSAGE((*found)->id == card.id, alias);
      }
    });
    CHECK(count >= 120);
  }

  TEST_CASE("every total is what the shape gives, or its difference has a cause or is kept") {
    Register cards;
    std::size_t counted = 0;
    cards.each([&](const Entry& card) {
      const plan::CardCount count = plan::count_card(card, cards.catalogue);
      if (card.architecture) CHECK_MESSAGE(count.unknown.empty(), card.id << ": " << count.unknown);
      if (count.unknown.empty()) ++counted;
      for (const plan::CardDifference& difference : count.differences) {
        const bool explained = !difference.cause.empty() || difference.kept;
        CHECK_MESSAGE(explained, card.id << ' ' << difference.figure << ": "
                                         << difference.claim->written << ", the shape gives "
                                         << difference.counted.to_string());
      }
    });
    CHECK(counted >= 120);
  }

  TEST_CASE("a wrong total has no cause") {
    Register cards;
    const auto card = cards.catalogue.model("llama-3.1-8b");
    REQUIRE(card.ok());
    Entry wrong = **card;
    catalog::FigureFact fact = *wrong.figure("parameters");
    fact.claims.resize(1);
    fact.claims.front().quantity.value += Rational(1);
    fact.claims.front().note.clear();
    wrong.figures.set(fact);
    const plan::CardCount count = plan::count_card(wrong, cards.catalogue);
    REQUIRE(count.differences.size() == 1);
    CHECK(count.differences.front().cause.empty());
    CHECK_FALSE(count.differences.front().kept);
    CHECK(count.differences.front().counted == Rational(8030261248));
  }

  TEST_CASE("importing what a card describes gives the card's figures") {
    Register cards;
    constexpr std::array<std::string_view, 9> kFigures{
        "layers",   "mtp_layers",      "hidden_size", "attention_heads",  "kv_heads",
        "head_dim", "vocabulary_size", "experts",     "experts_per_token"};
    std::size_t compared = 0;
    cards.each([&](const Entry& card) {
      if (!card.architecture) return;
      base::MemoryFileSystem files;
      files.files["model/config.json"] = test::json_text(card.architecture->config.root);
      const auto imported = plan::card_of({.model = "model",
                                           .assume = {},
                                           .id = {},
                                           .name = {},
                                           .vendor = {},
                                           .url = {},
                                           .today = "2026-12-01"},
                                          cards.catalogue, files);
      REQUIRE_MESSAGE(imported.ok(), card.id << ": " << base::to_text(imported.error()));
      for (const std::string_view name : kFigures) {
        const catalog::FigureFact* const fact = card.figure(name);
        const document::Value* const value = figure_of(imported->card, name);
        if (fact == nullptr || !fact->known() || value == nullptr) continue;
        const auto number = Rational::parse(value->text);
        REQUIRE(number.ok());
        CHECK_MESSAGE(claims(*fact, *number), card.id << ' ' << name << ' ' << value->text);
        ++compared;
      }
      // What was imported counts alike.
      Entry again = card;
      again.architecture->config.root = *imported->card.find("architecture")->find("config");
      CHECK_MESSAGE(plan::count_card(again, cards.catalogue).differences.size() ==
                        plan::count_card(card, cards.catalogue).differences.size(),
                    card.id);
    });
    CHECK(compared >= 700);
  }

  TEST_CASE("a variant has the shape of its base and its own formats") {
    Register cards;
    const auto variant = cards.catalogue.model("Qwen/Qwen3-8B-FP8");
    const auto base = cards.catalogue.model("Qwen/Qwen3-8B");
    REQUIRE(variant.ok());
    REQUIRE(base.ok());
    CHECK((*variant)->variant_of == (*base)->id);
    CHECK((*variant)->figure("hidden_size")->claims.front().quantity.value ==
          (*base)->figure("hidden_size")->claims.front().quantity.value);
    CHECK((*variant)->attribute("weights_format")->value == "fp8-block");
    CHECK((*base)->attribute("weights_format")->value == "bf16");
    REQUIRE((*variant)->architecture.has_value());
    const document::Value& config = (*variant)->architecture->config.root;
    CHECK(config.find("hidden_size") != nullptr);
    CHECK(config.find("quantization_config") != nullptr);
    CHECK((*base)->architecture->config.root.find("quantization_config") == nullptr);
  }

  TEST_CASE("each cause is found by its exact number only") {
    Register cards;
    const catalog::StorageFormats& formats = cards.catalogue.formats();
    const model::Inventory inventory = small_inventory();
    const Rational parameters(2 * (4 * 16 + 4 + 130 * 200));
    plan::ShapeTotals totals{.parameters = parameters,
                             .stored = parameters + Rational(100),
                             .bytes = Rational(1000),
                             .inventory = &inventory,
                             .form = &inventory,
                             .context = Rational(32)};
    const auto cause = [&](std::int64_t more) {
      return plan::parameters_cause(totals, parameters + Rational(more), Rational(1), formats);
    };
    // Blocks of 128 × 128: two of rows and two of columns, in two layers.
    CHECK(plan::scale_elements(inventory, formats) == Rational(8));
    CHECK(cause(8) == "8 scales are counted as parameters");
    CHECK(cause(100) == "100 weights that the checkpoint stores again are counted twice");
    CHECK(cause(108).starts_with("100 weights that the checkpoint stores again and 8 scales"));
    CHECK(cause(-8) == "8 correction biases of the routers are not counted");
    CHECK(cause(4) == "a stored rotary buffer of 4");
    CHECK(cause(2 * 32 * 32) == "2 stored causal masks of 32 × 32");
    CHECK(cause(2 * 32 * 32 + 8) ==
          "2 stored causal masks of 32 × 32 and as many rotary buffers of 4");
    CHECK(cause(1).empty());
    CHECK(cause(-1).empty());
    CHECK(plan::bytes_cause(totals, Rational(1000 + 2 * 4 * 16 * 2)) ==
          "128 weights of the routers are stored in 4 bytes, not 2");
    CHECK(plan::bytes_cause(totals, Rational(1000 + 32)) ==
          "2 stored rotary buffers of 4 elements in 4 bytes");
    CHECK(plan::bytes_cause(totals, Rational(1001)).empty());
  }
}
