// Printed totals against their parts: what differs, what does not, what cannot be told.
#include "plan/aggregate.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace ullage;
using plan::AggregateDifference;

namespace {

struct Checked {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  std::vector<AggregateDifference> differences;

  explicit Checked(const std::string& id) {
    const auto entry = catalogue.hardware(id);
    REQUIRE_MESSAGE(entry.ok(), id);
    differences = plan::aggregate_differences(**entry, plan::parts_of(catalogue, **entry));
  }

  const AggregateDifference* find(std::string_view name) const {
    const auto found = std::find_if(
        differences.begin(), differences.end(),
        [&](const AggregateDifference& difference) { return difference.sum.name == name; });
    return found == differences.end() ? nullptr : &*found;
  }
};

// A system of two machines with two chips each, whose printed figures a test fills in.
struct Invented {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;

  Invented() {
    files.files["c/sources.yaml"] =
        "schema: ullage/sources/1\nsources:\n  page:\n    title: A page\n    publisher: Someone\n"
        "    url: https://example.org/\n    revision: 1\n    checked: 2026-11-30\n"
        "    tier: primary\n";
    files.files["c/chip.yaml"] =
        "schema: ullage/hardware/1\nid: anvil\nkind: chip\nname: Anvil\nvendor: Smithy\n" +
        common() +
        "figures:\n  memory_capacity: {value: 10 GB, printed: 10 GB, source: page, locator: a}\n"
        "  scale_up_bandwidth: {value: 100 GB/s, direction: one-way, printed: 100 GB/s, source: "
        "page, locator: a}\n";
    files.files["c/instance.yaml"] =
        "schema: ullage/hardware/1\nid: forge\nkind: instance\nname: Forge\nvendor: Smithy\n"
        "chip: anvil\n" +
        common() +
        "figures:\n  chips: {value: 2, printed: two, source: page, locator: a}\n"
        "  vcpus: {value: 8, printed: 8, source: page, locator: a}\n"
        "  scale_out_bandwidth: {value: 100 Gbit/s, printed: 100, source: page, locator: a}\n";
  }

  static std::string common() {
    return "version: 2026-11-30\n"
           "status: {value: documented, source: page, locator: a}\n";
  }

  std::vector<AggregateDifference> differences(const std::string& figures) {
    files.files["c/system.yaml"] =
        "schema: ullage/hardware/1\nid: smithy-hall\nkind: system\nname: Hall\nvendor: Smithy\n"
        "chip: anvil\ninstance: forge\n" +
        common() +
        "figures:\n  chips: {value: 4, printed: four, source: page, locator: a}\n"
        "  instances: {value: 2, printed: two, source: page, locator: a}\n" +
        figures;
    const auto added = catalogue.overlay(files, "c");
    REQUIRE_MESSAGE(added.ok(), base::to_text(added.error()));
    const auto entry = catalogue.hardware("smithy-hall");
    REQUIRE(entry.ok());
    return plan::aggregate_differences(**entry, plan::parts_of(catalogue, **entry));
  }
};

}  // namespace

TEST_SUITE("plan/aggregate") {
  TEST_CASE("an UltraServer's FP8 total and network differ from their parts, with the cause") {
    const Checked ultra("trn2-ultraserver");
    const AggregateDifference* fp8 = ultra.find("dense_fp8");
    REQUIRE(fp8 != nullptr);
    CHECK(fp8->sum.value == exact::Rational(83'136) * exact::power_of_ten(12));
    CHECK(plan::in_words(*fp8).find("83.2 PFLOPS") != std::string::npos);
    CHECK(plan::in_words(*fp8).find("20.8") != std::string::npos);
    const AggregateDifference* network = ultra.find("scale_out_bandwidth");
    REQUIRE(network != nullptr);
    CHECK(network->sum.value == exact::Rational(1'600) * exact::power_of_ten(9));
    REQUIRE(network->differing.size() == 1);
    CHECK(network->differing.front().claim->written == "3200 Gbit/s");
    CHECK(network->explained());
  }

  TEST_CASE("a rounded total of Trn3, Azure's 192 GB and the API's MiB of p6-b200 are named") {
    CHECK(Checked("trn3-gen1-ultraserver").find("memory_capacity") != nullptr);
    CHECK(Checked("azure-nd128isr-gb200-v6").find("memory_per_chip") != nullptr);
    CHECK(Checked("aws-p6-b200.48xlarge").find("memory_per_chip") != nullptr);
  }

  TEST_CASE("a chip has no parts") {
    CHECK(Checked("trainium2").differences.empty());
  }

  TEST_CASE("a total within half of its last digit does not differ, one beyond does") {
    CHECK(Invented()
              .differences("  memory_capacity: {value: 0.04 TB, printed: 0.04 TB, source: page, "
                           "locator: a}\n")
              .empty());
    CHECK(Invented()
              .differences("  memory_capacity: {value: 40.5 GB, printed: 40.5 GB, source: page, "
                           "locator: a}\n")
              .size() == 1);
    CHECK(Invented()
              .differences("  memory_capacity: {value: 45 GB, printed: 45 GB, source: page, "
                           "locator: a}\n")
              .size() == 1);
  }

  TEST_CASE("a note explains the difference whose number it names, and no other") {
    const std::string claim = "  vcpus: {value: 8, printed: 8, source: page, locator: a";
    Invented bare_hall;
    const auto bare = bare_hall.differences(claim + "}\n");
    REQUIRE(bare.size() == 1);
    CHECK_FALSE(bare.front().explained());
    Invented noted_hall;
    const auto noted = noted_hall.differences(claim + ", note: 8 are of one machine}\n");
    REQUIRE(noted.size() == 1);
    CHECK(noted.front().explained());
    CHECK(plan::in_words(noted.front()).find("sum over") == std::string::npos);
    Invented other_hall;
    const auto other = other_hall.differences(claim + ", note: an older page printed 40}\n");
    REQUIRE(other.size() == 1);
    CHECK_FALSE(other.front().explained());
  }

  TEST_CASE("instances × instance, and links of opposite directions are not compared") {
    Invented hall;  // the differences point into it
    const auto network = hall.differences(
        "  scale_out_bandwidth: {value: 100 Gbit/s, printed: 100, source: page, locator: a}\n");
    REQUIRE(network.size() == 1);
    CHECK(network.front().sum.value == exact::Rational(25) * exact::power_of_ten(9));
    const std::string links =
        "  scale_up_bandwidth_per_chip: {value: 200 GB/s, printed: 200, "
        "source: page, locator: a, direction: ";
    CHECK(Invented().differences(links + "both-ways}\n").empty());
    CHECK(Invented().differences(links + "one-way}\n").size() == 1);
    CHECK(Invented().differences(links + "not-stated}\n").size() == 1);
  }

  TEST_CASE("figures of which the same is said share one note") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto found = catalogue.hardware("trn2-ultraserver");
    REQUIRE(found.ok());
    const std::vector<base::Note> notes = plan::notes_of(
        **found, plan::aggregate_differences(**found, plan::parts_of(catalogue, **found)));
    const auto rates = std::find_if(notes.begin(), notes.end(), [](const base::Note& note) {
      return note.text.find("dense_tf32, dense_bf16, dense_fp16: ") != std::string::npos;
    });
    CHECK(rates != notes.end());
  }
}
