// The table of storage formats, as it is embedded and when it is broken.
#include <doctest/doctest.h>

#include "catalog/catalogue.hpp"
#include "document/read.hpp"

using namespace ullage;

TEST_SUITE("catalog/storage_format") {
  TEST_CASE("spellings of one format are one format") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto bf16 = catalogue.formats().find("bf16");
    REQUIRE(bf16.ok());
    for (const char* spelling : {"bfloat16", "BF16", "BFloat16"}) {
      const auto other = catalogue.formats().find(spelling);
      REQUIRE_MESSAGE(other.ok(), spelling);
      CHECK(*other == *bf16);
    }
    CHECK((*bf16)->bits == exact::Rational(16));
  }

  TEST_CASE("a mix has no width and says why") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto mix = catalogue.formats().find("q4_k_m");
    REQUIRE(mix.ok());
    CHECK_FALSE((*mix)->bits.has_value());
    CHECK_FALSE((*mix)->mix.empty());
  }

  TEST_CASE("an unknown format gets the nearest known one") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto unknown = catalogue.formats().find("bf61");
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().hint.find("bf16") != std::string::npos);
  }

  TEST_CASE("a spelling that two formats claim is a fault") {
    const auto document = document::read_yaml(
        "schema: ullage/formats/1\n"
        "formats:\n"
        "  a: {bits: 8, spellings: [x], source: s, locator: l}\n"
        "  b: {bits: 4, spellings: [X], source: s, locator: l}\n",
        "formats.yaml");
    REQUIRE(document.ok());
    const auto table = catalog::StorageFormats::load(*document);
    REQUIRE_FALSE(table.ok());
    CHECK(table.error().span.line == 4);
  }
}
