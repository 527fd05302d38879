// Partitions of chips as devices of their own, and what software does on a chip.
#include <doctest/doctest.h>

#include "catalog/catalogue.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/software.hpp"

using namespace ullage;
using catalog::Support;

namespace {

struct Read {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};

  std::string id_of(std::string_view name) {
    const auto entry = catalogue.hardware(name);
    return entry ? (*entry)->id : base::to_text(entry.error());
  }

  const catalog::Software& stack(std::string_view chip, std::string_view id) {
    const auto entry = catalogue.hardware(chip);
    REQUIRE(entry.ok());
    for (const catalog::Software& software : catalogue.software(**entry)) {
      if (software.id == id) return software;
    }
    FAIL("no stack " << id << " on " << chip);
    throw base::Defect{"unreachable"};
  }
};

std::string added(const std::string& partitions) {
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  base::MemoryFileSystem files;
  files.files["c/a.yaml"] =
      "schema: ullage/hardware/1\nid: trainium2\nversion: 2026-12-01\npartitions:\n" + partitions;
  const auto result = catalogue.overlay(files, "c");
  if (!result) return base::to_text(result.error());
  const auto entry = catalogue.hardware("trainium2:lnc1");
  REQUIRE(entry.ok());
  return (*entry)->figure("memory_capacity")->claims.front().written;
}

}  // namespace

TEST_SUITE("catalog/partitions") {
  TEST_CASE("a partition is found by chip and name, however they are spelled") {
    Read read;
    CHECK(read.id_of("h100-sxm-80gb:1g.10gb") == "nvidia-h100-sxm5-80gb:1g.10gb");
    CHECK(read.id_of("H100_SXM:MIG-1g.10gb") == "nvidia-h100-sxm5-80gb:1g.10gb");
    CHECK(read.id_of("h100-sxm:1g.10gb.me") == "nvidia-h100-sxm5-80gb:1g.10gb+me");
    CHECK(read.id_of("gb200:1g.24gb") == "nvidia-gb200-per-gpu:1g.23gb");
    CHECK(read.id_of("trn2:core") == "trainium2:lnc1");
    CHECK(read.id_of("trainium2@2026-11-30:lnc2") == "trainium2:lnc2");
    CHECK(read.id_of("trainium2:lnc2@2026-11-30") == "trainium2:lnc2");
    CHECK(read.id_of("tpu-v5e:2x4") == "google-tpu-v5e:2x4");
  }

  TEST_CASE("a misspelt partition lists those of the chip, nearest first") {
    Read read;
    const std::string profile = read.id_of("h100-sxm:1g.11gb");
    CHECK(profile.find("no partition 1g.11gb") != std::string::npos);
    CHECK(profile.find("did you mean 1g.10gb") != std::string::npos);
    CHECK(profile.find("7g.80gb") != std::string::npos);
    CHECK(read.id_of("trainium2:lnc4").find("lnc1") != std::string::npos);
    CHECK(read.id_of("tpu-v5p:3x3x3").find("more (`ullage list partitions --of") !=
          std::string::npos);
  }

  TEST_CASE("what has no partitions says so, and whose they are") {
    Read read;
    CHECK(read.id_of("l4:1g.6gb").find("no source that was read") != std::string::npos);
    CHECK(read.id_of("p5.48xlarge:1g.10gb").find("nvidia-h100-sxm5-80gb:1g.10gb") !=
          std::string::npos);
    CHECK(read.id_of("h101-sxm:1g.10gb").find("unknown device h101-sxm") != std::string::npos);
    CHECK(read.id_of("trainium2@2024-12-03:lnc2").find("no partition") != std::string::npos);
  }

  TEST_CASE("listing partitions loads nothing, and agrees with what is loaded") {
    Read read;
    for (const catalog::Listing& listing : read.catalogue.listings()) {
      if (listing.kind != catalog::EntryKind::chip) continue;
      const auto listed = read.catalogue.partitions(listing);
      const auto entry = read.catalogue.load(listing);
      REQUIRE(entry.ok());
      if (listing.current) CHECK((*entry)->partitions.empty());
      const catalog::Entry& whole = read.catalogue.complete(**entry);
      REQUIRE(whole.partitions.size() == listed.size());
      for (std::size_t i = 0; i < listed.size(); ++i) {
        CHECK(listed[i].name == catalog::partition_name(whole.partitions[i]));
        CHECK(listed[i].memory == catalog::memory_text_of(whole.partitions[i]));
        CHECK(listed[i].chips == catalog::chips_text_of(whole.partitions[i]));
      }
    }
  }

  TEST_CASE("every list of a stack has a source and a locator, or says why it is unknown") {
    Read read;
    std::size_t lists = 0;
    for (const catalog::Listing& listing : read.catalogue.listings()) {
      const auto loaded = read.catalogue.load(listing);
      REQUIRE(loaded.ok());
      for (const catalog::Software& software : read.catalogue.complete(**loaded).software) {
        for (const catalog::ListFact& list : software.lists) {
          ++lists;
          CHECK(list.values.empty() != list.unknown.empty());
          if (list.values.empty()) continue;
          CHECK_FALSE(list.locator.empty());
          CHECK(read.catalogue.source(list.source) != nullptr);
        }
      }
    }
    CHECK(lists > 30);
  }

  TEST_CASE("a slice is a system of chips, a logical core a share of one") {
    Read read;
    const auto slice = read.catalogue.hardware("tpu-v6e:4x4");
    REQUIRE(slice.ok());
    CHECK((*slice)->kind == catalog::EntryKind::system);
    CHECK((*slice)->chip == "google-tpu-v6e");
    CHECK((*slice)->figure("chips")->claims.front().quantity.value == exact::Rational(16));
    const auto core = read.catalogue.hardware("trainium2:lnc2");
    REQUIRE(core.ok());
    CHECK((*core)->kind == catalog::EntryKind::partition);
    CHECK((*core)->part_of == "trainium2");
    CHECK((*core)->figure("memory_capacity")->claims.front().quantity.value ==
          exact::Rational(25'769'803'776));
  }

  TEST_CASE("an overlay adds to a partition claim by claim, or adds a whole one") {
    const std::string memory =
        "      memory_capacity: {value: 11 GiB, printed: 11 GiB, source: neuron-lnc, locator: x}\n";
    CHECK(added("  lnc1:\n    figures:\n" + memory) == "11 GiB");
    CHECK(added("  lnc4:\n    figures:\n" + memory).find("lacks what a partition needs") !=
          std::string::npos);
    CHECK(added("  lnc4:\n    kind: logical-core\n    figures:\n" + memory) == "12 GiB");
    CHECK(added("  LNC4:\n    kind: mig\n    figures:\n" + memory).find("names of partitions") !=
          std::string::npos);
    CHECK(added("  lnc4:\n    kind: half\n    figures:\n" + memory).find("mig, logical-core") !=
          std::string::npos);
  }
}

TEST_SUITE("catalog/software") {
  TEST_CASE("support is decided by version, and unknown where no source decides") {
    Read read;
    const catalog::Software& old = read.stack("trainium1", "nxd-inference");
    CHECK(catalog::support_of(old) == Support::unsupported);
    CHECK(catalog::support_of(old, "2.28") == Support::supported);
    CHECK(catalog::support_of(old, "2.9") == Support::supported);
    CHECK(catalog::support_of(old, "2.28.1") == Support::unsupported);
    CHECK(catalog::support_of(read.stack("trainium2", "nxd-inference")) == Support::supported);
    CHECK(catalog::support_of(read.stack("inferentia2", "vllm-neuron")) == Support::unsupported);
    CHECK(catalog::support_of(read.stack("trainium3", "torch-neuron")) == Support::unknown);
  }

  TEST_CASE("versions are compared part by part") {
    CHECK(catalog::compare_versions("2.9", "2.28") < 0);
    CHECK(catalog::compare_versions("v0.11", "0.11.0") == 0);
    CHECK(catalog::compare_versions("3", "2.99") > 0);
  }

  TEST_CASE("a list is picked by its setting") {
    Read read;
    const catalog::Software& stack = read.stack("trn2.48xlarge", "nxd-inference");
    const auto* two = catalog::list_of(stack, "tensor_parallel_degrees", "lnc", "2");
    REQUIRE(two != nullptr);
    CHECK(catalog::numbers_of(*two) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64});
    const auto* one = catalog::list_of(stack, "tensor_parallel_degrees", "lnc", "1");
    REQUIRE(one != nullptr);
    CHECK(one->values.empty());
    CHECK(catalog::list_of(stack, "tensor_parallel_degrees", "lnc", "3") == nullptr);
    CHECK(catalog::list_of(stack, "weight_formats", "lnc", "2") != nullptr);
    const auto* degrees =
        catalog::list_of(read.stack("inferentia2", "nxd-inference"), "tensor_parallel_degrees");
    REQUIRE(degrees != nullptr);
    CHECK(degrees->relation == provenance::Relation::pinned);
  }

  TEST_CASE("fixed numbers of an engine are figures") {
    Read read;
    const catalog::Software& plugin = read.stack("trainium2:lnc2", "vllm-neuron");
    const catalog::FigureFact* share = catalog::figure_of(plugin, "kv_memory_share");
    REQUIRE(share != nullptr);
    CHECK(share->claims.front().quantity.value == *exact::Rational::ratio(3, 10));
    CHECK(catalog::figure_of(plugin, "kv_memory_minimum")->claims.front().quantity.value ==
          exact::Rational(1'073'741'824));
    CHECK(catalog::stacks_of(read.catalogue.software(**read.catalogue.hardware("trainium2")),
                             "neuronx")
              .size() == 1);
  }
}
