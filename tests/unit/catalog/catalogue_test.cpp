// Names, versions and overlays of the catalogue that is in the program.
#include "catalog/catalogue.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace ullage;

namespace {

std::string id_of(std::string_view name) {
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const auto entry = catalogue.hardware(name);
  return entry ? (*entry)->id : "error: " + base::to_text(entry.error());
}

}  // namespace

TEST_SUITE("catalog/catalogue") {
  TEST_CASE("ids, aliases and natural short forms find one entry") {
    CHECK(id_of("trainium2") == "trainium2");
    CHECK(id_of("trn2") == "trainium2");
    CHECK(id_of("Trainium2@2026-11-30") == "trainium2");
    CHECK(id_of("h100-sxm-80gb") == "nvidia-h100-sxm5-80gb");
    CHECK(id_of("H100_SXM") == "nvidia-h100-sxm5-80gb");
    CHECK(id_of("mi300x") == "amd-mi300x");
    CHECK(id_of("p5.48xlarge") == "aws-p5.48xlarge");
  }

  TEST_CASE("an ambiguous name lists what it could mean") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto entry = catalogue.hardware("h100");
    REQUIRE_FALSE(entry.ok());
    CHECK(entry.error().code == base::Code::ambiguous_name);
    CHECK(entry.error().message.find("nvidia-h100-sxm5-80gb") != std::string::npos);
    CHECK(entry.error().message.find("nvidia-h100-pcie-80gb") != std::string::npos);
  }

  TEST_CASE("a misspelt name gets a suggestion, an unknown version the known ones") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto misspelt = catalogue.hardware("trainum2");
    REQUIRE_FALSE(misspelt.ok());
    CHECK(misspelt.error().hint.find("trainium2") != std::string::npos);
    const auto version = catalogue.hardware("trainium2@1999-01-01");
    REQUIRE_FALSE(version.ok());
    CHECK(version.error().hint.find("2026-11-30") != std::string::npos);
  }

  TEST_CASE("every embedded entry and source loads") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    for (const catalog::Listing& listing : catalogue.listings()) {
      const auto entry = catalogue.load(listing);
      REQUIRE_MESSAGE(entry.ok(), listing.id);
      for (const catalog::FigureFact& fact : (*entry)->figures) {
        for (const provenance::Claim& claim : fact.claims) {
          CHECK_MESSAGE(catalogue.source(claim.source) != nullptr, claim.source);
          CHECK_FALSE(claim.locator.empty());
        }
      }
    }
    for (const std::string& id : catalogue.source_ids())
      CHECK(catalogue.source(id) != nullptr);
  }

  TEST_CASE("an overlay adds a claim, keeps the others and says so") {
    base::MemoryFileSystem files;
    files.files["o/sources.yaml"] =
        "schema: ullage/sources/1\n"
        "sources:\n"
        "  lab: {title: Our lab, publisher: us, url: 'https://example.org', revision: '1', "
        "checked: "
        "2026-11-01, tier: primary}\n";
    files.files["o/trainium2.yaml"] =
        "schema: ullage/hardware/1\n"
        "id: trainium2\n"
        "version: 2026-12-01\n"
        "figures:\n"
        "  memory_capacity: {value: 90 GiB, printed: 90 GiB, source: lab, locator: row 1}\n"
        "  tdp: {value: 500 W, printed: 500 W, source: lab, locator: row 2}\n";
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const std::string digest = catalogue.digest();
    const auto added = catalogue.overlay(files, "o");
    REQUIRE_MESSAGE(added.ok(), base::to_text(added.error()));
    CHECK(catalogue.digest() != digest);
    CHECK(catalogue.version().ends_with("+overlay"));
    CHECK(catalogue.overlay_changes().size() == 2);
    const auto entry = catalogue.hardware("trn2");
    REQUIRE(entry.ok());
    const catalog::FigureFact* memory = (*entry)->figure("memory_capacity");
    CHECK(memory->claims.front().written == "90 GiB");
    CHECK(memory->claims.size() > 2);
    CHECK(memory->conflicted());
    CHECK((*entry)->figure("tdp")->known());
  }

  TEST_CASE("an overlay speaks of the version that it names") {
    const std::string head = "schema: ullage/hardware/1\nid: trainium2\nversion: ";
    const std::string figures =
        "\nfigures:\n  memory_capacity: {value: 90 GiB, printed: 90 GiB, source: "
        "neuron-trainium2, locator: x}\n";
    const auto memory_of = [](catalog::Catalogue& catalogue, const std::string& name) {
      const auto entry = catalogue.hardware(name);
      REQUIRE_MESSAGE(entry.ok(), name);
      return (*entry)->figure("memory_capacity")->claims.front().written;
    };
    const auto with = [&](const std::string& text) {
      base::MemoryFileSystem files;
      files.files["o/x.yaml"] = text;
      auto catalogue = std::make_unique<catalog::Catalogue>(catalog::embedded_catalogue());
      const auto added = catalogue->overlay(files, "o");
      REQUIRE_MESSAGE(added.ok(), base::to_text(added.error()));
      return catalogue;
    };
    const auto older = with(head + "2024-12-03" + figures);
    CHECK(memory_of(*older, "trainium2@2024-12-03") == "90 GiB");
    CHECK(memory_of(*older, "trainium2") == "96 GiB");
    const auto newer = with(head + "2026-12-01" + figures);
    CHECK(memory_of(*newer, "trainium2") == "90 GiB");
    CHECK(memory_of(*newer, "trainium2@2026-12-01") == "90 GiB");
    CHECK(memory_of(*newer, "trainium2@2026-11-30") == "96 GiB");
    const auto whole = with(head + "2025-01-01" + figures +
                            "kind: chip\nname: X\nvendor: Y\nstatus: {value: documented, source: "
                            "neuron-trainium2, locator: x}\n");
    CHECK(memory_of(*whole, "trainium2@2025-01-01") == "90 GiB");
    CHECK(memory_of(*whole, "trainium2") == "96 GiB");
    base::MemoryFileSystem early;
    early.files["o/x.yaml"] = head + "2020-01-01" + figures;
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto refused = catalogue.overlay(early, "o");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == base::Code::reference);
    CHECK(refused.error().span.line == 3);
  }

  TEST_CASE("what a machine consists of is a chip, and never itself") {
    const auto refused = [](const std::string& chip) {
      base::MemoryFileSystem files;
      files.files["o/x.yaml"] =
          "schema: ullage/hardware/1\nid: x1\nkind: instance\nname: X\nvendor: V\n"
          "version: 2026-11-30\nstatus: {value: documented, source: neuron-trainium2, locator: p}\n"
          "chip: " +
          chip +
          "\nfigures:\n  chips: {value: 8, printed: '8', source: neuron-trainium2, locator: p}\n";
      catalog::Catalogue catalogue(catalog::embedded_catalogue());
      const auto added = catalogue.overlay(files, "o");
      return added.ok() ? std::string("taken") : base::to_text(added.error());
    };
    CHECK(refused("trainium2") == "taken");
    for (const char* const chip :
         {"x1", "trn2.48xlarge", "trainium2:lnc2", "nothing-of-the-kind"}) {
      const std::string fault = refused(chip);
      CHECK_MESSAGE(fault.starts_with("o/x.yaml:8:7: error[reference]"), fault);
    }
  }

  TEST_CASE("a source without ids, a locator of blanks, a name that means something else") {
    const auto fault_of = [](const std::string& source, const std::string& locator,
                             const std::string& alias) {
      base::MemoryFileSystem files;
      files.files["o/x.yaml"] =
          "schema: ullage/hardware/1\nid: x1\nkind: chip\nname: X\nvendor: V\n"
          "version: 2026-11-30\nstatus: {value: documented, source: neuron-trainium2, locator: p}\n"
          "aliases: [" +
          alias + "]\nfigures:\n  tdp: {value: 5 W, printed: 5 W, source: " + source +
          ", locator: " + locator + "}\n";
      catalog::Catalogue catalogue(catalog::embedded_catalogue());
      const auto added = catalogue.overlay(files, "o");
      return added.ok() ? std::string() : base::to_text(added.error());
    };
    CHECK(fault_of("neuron-trainium2", "p", "x2") == "");
    CHECK(fault_of("[]", "p", "x2").find("figures.tdp.source is an empty list") !=
          std::string::npos);
    CHECK(fault_of("neuron-trainium2", "' '", "x2").find("holds only blanks") != std::string::npos);
    for (const char* const alias : {"all", "70B", "'70B:8B'", "a@b"})
      CHECK_MESSAGE(!fault_of("neuron-trainium2", "p", alias).empty(), alias);
    // An id is its entry's, whoever else takes it as an alias.
    CHECK(fault_of("neuron-trainium2", "p", "trainium3") == "");
  }

  TEST_CASE("a name with an empty version is none") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    CHECK(catalogue.hardware("trainium2").ok());
    CHECK_FALSE(catalogue.hardware("trainium2@").ok());
  }

  TEST_CASE("the program's own files as an overlay change nothing") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    base::MemoryFileSystem files;
    for (const char* const name : {"trainium2", "trainium2@2024-12-03", "trn2.48xlarge"}) {
      const auto entry = catalogue.hardware(name);
      REQUIRE(entry.ok());
      files.files[std::string("o/") + name + ".yaml"] = std::string(catalogue.raw(**entry));
    }
    const std::string digest = catalogue.digest();
    REQUIRE(catalogue.overlay(files, "o").ok());
    CHECK(catalogue.overlay_changes().empty());
    CHECK(catalogue.digest() == digest);
  }

  TEST_CASE("a faulty overlay is refused at its place") {
    base::MemoryFileSystem files;
    files.files["o/x.yaml"] =
        "schema: ullage/hardware/1\nid: trainium2\nversion: 2026-12-01\nfigures:\n  memry: 1\n";
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto added = catalogue.overlay(files, "o");
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().span.file == "o/x.yaml");
    CHECK(added.error().span.line == 5);
    CHECK_FALSE(catalogue.overlay(files, "nowhere").ok());
  }
}
