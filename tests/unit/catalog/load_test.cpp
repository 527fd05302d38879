// Every rule of docs/data-format.md, each broken once: the fault must stand at its place.
#include "catalog/load.hpp"

#include <doctest/doctest.h>

#include "document/read.hpp"

using namespace ullage;

namespace {

const provenance::Source kPage{.id = "page",
                               .title = "A page",
                               .publisher = "A vendor",
                               .url = "https://example.org/page",
                               .revision = "1",
                               .checked = "2026-11-30",
                               .tier = provenance::Tier::primary,
                               .note = {}};

const provenance::Source* lookup(std::string_view id) {
  return id == "page" ? &kPage : nullptr;
}

const std::string kHead =
    "schema: ullage/hardware/1\n"
    "id: chip-x\n"
    "kind: chip\n"
    "name: Chip X\n"
    "vendor: A vendor\n"
    "version: 2026-11-30\n"
    "status: {value: documented, source: page, locator: L1}\n";

struct Loaded {
  std::optional<catalog::Entry> entry;
  std::vector<base::Diagnostic> faults;
};

Loaded load(const std::string& text) {
  auto document = document::read_yaml(text, "x.yaml");
  REQUIRE_MESSAGE(document.ok(), base::to_text(document.error()));
  Loaded loaded;
  loaded.entry = catalog::load_entry(*document, lookup, loaded.faults);
  return loaded;
}

// Loads the head with `figures` below it.
Loaded load_figures(const std::string& figures) {
  return load(kHead + "figures:\n" + figures);
}

}  // namespace

TEST_SUITE("catalog/load") {
  TEST_CASE("a single claim keeps its printed unit, its exact value and its place") {
    const Loaded loaded = load_figures(
        "  memory_capacity: {value: 96 GiB, printed: 96 GiB, source: page, locator: L30}\n");
    REQUIRE(loaded.entry.has_value());
    const catalog::FigureFact* fact = loaded.entry->figure("memory_capacity");
    REQUIRE(fact != nullptr);
    REQUIRE(fact->claims.size() == 1);
    const provenance::Claim& claim = fact->claims.front();
    CHECK(claim.quantity.value == exact::Rational(103079215104));
    CHECK(claim.quantity.unit.kind == units::Kind::nominal);
    CHECK(claim.written == "96 GiB");
    CHECK(claim.last_place == exact::Rational(1073741824));
    CHECK(claim.checked == "2026-11-30");
    CHECK(claim.span.line == 9);
    CHECK_FALSE(fact->conflicted());
  }

  TEST_CASE("several claims: the pinned one comes first, and a difference is a conflict") {
    const Loaded loaded = load_figures(
        "  memory_bandwidth:\n"
        "    claims:\n"
        "      - {value: 3 TB/s, printed: 3TB/s, source: page, locator: L2, relation: other-page}\n"
        "      - {value: 2.9 TB/s, printed: 2.9, source: page, locator: L1, pinned: the own "
        "page}\n");
    REQUIRE(loaded.entry.has_value());
    const catalog::FigureFact* fact = loaded.entry->figure("memory_bandwidth");
    CHECK(fact->claims.front().written == "2.9 TB/s");
    CHECK(fact->claims.back().relation == provenance::Relation::other_page);
    CHECK(fact->conflicted());
  }

  TEST_CASE("a recomputed claim that rounds to the printed one agrees with it") {
    const Loaded loaded = load_figures(
        "  dense_bf16:\n"
        "    claims:\n"
        "      - {value: 10.7 PFLOPS, printed: '10.7', source: page, locator: L1, pinned: "
        "printed}\n"
        "      - {value: 10672 TFLOPS, derivation: 16 x 667, source: page, locator: L2, relation: "
        "recomputed}\n");
    REQUIRE(loaded.entry.has_value());
    CHECK_FALSE(loaded.entry->figure("dense_bf16")->conflicted());
  }

  TEST_CASE("an unknown figure says why, and is never zero") {
    const Loaded loaded = load_figures("  tdp: {unknown: not printed, status: unpublished}\n");
    REQUIRE(loaded.entry.has_value());
    const catalog::FigureFact* fact = loaded.entry->figure("tdp");
    CHECK_FALSE(fact->known());
    CHECK(fact->absence == provenance::Absence::unpublished);
    CHECK(fact->unknown == "not printed");
  }

  TEST_CASE("each broken rule is a fault at its line") {
    struct Broken {
      const char* figures;
      base::Code code;
      std::uint32_t line;
      const char* says;
    };
    const Broken cases[] = {
        {"  memory_capacity: {value: 96, printed: '96', source: page, locator: L1}\n",
         base::Code::unit, 9, "memory_capacity"},
        {"  memory_capacity: {value: 96 G, printed: '96', source: page, locator: L1}\n",
         base::Code::unit, 9, "GiB"},
        {"  dense_bf16: {value: 667 TB/s, printed: '667', source: page, locator: L1}\n",
         base::Code::unit, 9, "FLOP/s"},
        {"  dense_int8: {value: 380 TFLOPS, printed: '380', source: page, locator: L1}\n",
         base::Code::unit, 9, "OP/s"},
        {"  memory_capacity: {value: 96 GiB, printed: '96', locator: L1}\n", base::Code::unsourced,
         9, "source"},
        {"  memory_capacity: {value: 96 GiB, printed: '96', source: page}\n", base::Code::unsourced,
         9, "locator"},
        {"  memory_capacity: {value: 96 GiB, source: page, locator: L1}\n", base::Code::missing_key,
         9, "printed"},
        {"  memory_capacity: {value: 96 GiB, printed: '96', source: pag, locator: L1}\n",
         base::Code::reference, 9, "pag"},
        {"  memory_capcity: {value: 96 GiB, printed: '96', source: page, locator: L1}\n",
         base::Code::unknown_key, 9, "memory_capcity"},
        {"  tdp: {unknown: no, status: never}\n", base::Code::out_of_range, 9, "status"},
        {"  scale_up_bandwidth: {value: 1 TB/s, printed: '1', source: page, locator: L1}\n",
         base::Code::missing_key, 9, "direction"},
        {"  tdp: {value: 500 W, printed: '500', source: page, locator: L1, direction: one-way}\n",
         base::Code::unknown_key, 9, "direction"},
    };
    for (const Broken& broken : cases) {
      CAPTURE(broken.figures);
      const Loaded loaded = load_figures(broken.figures);
      CHECK_FALSE(loaded.entry.has_value());
      REQUIRE(!loaded.faults.empty());
      CHECK(loaded.faults.front().code == broken.code);
      CHECK(loaded.faults.front().span.line == broken.line);
      const std::string text = base::to_text(loaded.faults.front());
      CHECK_MESSAGE(text.find(broken.says) != std::string::npos, text);
    }
  }

  TEST_CASE("two pins, no pin and a claim without its relation are faults") {
    const char* claim = "      - {value: 1 W, printed: '1', source: page, locator: L1";
    const auto figure = [&](const std::string& first, const std::string& second) {
      return std::string("  tdp:\n    claims:\n") + claim + first + "}\n" + claim + second + "}\n";
    };
    CHECK(load_figures(figure(", pinned: a", ", relation: other-page")).entry.has_value());
    CHECK(load_figures(figure(", pinned: a", ", pinned: b")).faults.front().code ==
          base::Code::conflict);
    CHECK_FALSE(load_figures(figure(", relation: other-page", ", relation: other-page")).entry);
    CHECK(load_figures(figure(", pinned: a", "")).faults.front().code == base::Code::missing_key);
  }

  TEST_CASE("faults are collected in file order, not only the first") {
    const Loaded loaded = load_figures(
        "  tdp: {value: 1 X, printed: '1', source: page, locator: L1}\n"
        "  sram: {value: 1 MiB, printed: '1', source: nobody, locator: L1}\n");
    REQUIRE(loaded.faults.size() == 2);
    CHECK(loaded.faults[0].span.line < loaded.faults[1].span.line);
  }

  TEST_CASE("an instance names its chip and counts it") {
    std::string text = kHead;
    text.replace(text.find("kind: chip"), 10, "kind: instance");
    CHECK_FALSE(load(text).entry.has_value());
    text +=
        "chip: chip-y\nfigures:\n  chips: {value: 4, printed: four, source: page, locator: L1}\n";
    const Loaded loaded = load(text);
    REQUIRE(loaded.entry.has_value());
    CHECK(loaded.entry->chip == "chip-y");
  }

  TEST_CASE("dates") {
    CHECK(catalog::is_date("2026-11-30"));
    CHECK_FALSE(catalog::is_date("2026-13-30"));
    CHECK_FALSE(catalog::is_date("2026-11-3"));
    CHECK_FALSE(catalog::is_date("20261130"));
  }
}
