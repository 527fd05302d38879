// The pinned claim decides; another claim that would decide otherwise is named.
#include <doctest/doctest.h>

#include "plan/fit.hpp"

using namespace ullage;

namespace {

// A device of 100 GB, of which another page says something else.
struct Disputed {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  base::MemoryFileSystem files;

  explicit Disputed(const std::string& other, const std::string& relation) {
    files.files["c/sources.yaml"] =
        "schema: ullage/sources/1\nsources:\n  page:\n    title: A page\n    publisher: Someone\n"
        "    url: https://example.org/\n    revision: 1\n    checked: 2026-11-30\n"
        "    tier: primary\n";
    files.files["c/chip.yaml"] =
        "schema: ullage/hardware/1\nid: anvil\nkind: chip\nname: Anvil\nvendor: Smithy\n"
        "version: 2026-11-30\nstatus: {value: documented, source: page, locator: a}\n"
        "figures:\n  memory_capacity:\n    claims:\n"
        "      - {value: 100 GB, printed: 100 GB, source: page, locator: a, pinned: newer}\n"
        "      - {value: " +
        other + ", printed: " + other + ", source: page, locator: b, relation: " + relation + "}\n";
    const auto added = catalogue.overlay(files, "c");
    REQUIRE_MESSAGE(added.ok(), base::to_text(added.error()));
  }

  // 150 GB of need, no reserve: two devices of 100 GB hold it, two of 70 GB do not.
  provenance::Answer fit(std::optional<int> devices, bool interval = false) {
    plan::FitRequest request;
    request.model = "100B";
    request.on = "anvil";
    request.weights.bits = exact::Rational(8);
    request.working_memory = {exact::Rational(50'000'000'000), "--working-memory 50GB"};
    request.reserve = {exact::Rational(0), "--reserve 0%"};
    request.interval = interval;
    if (devices) request.devices = {exact::Rational(*devices), "--devices"};
    auto answer = plan::fit(request, catalogue, files);
    REQUIRE_MESSAGE(answer.ok(), base::to_text(answer.error()));
    return std::move(*answer);
  }
};

bool says(const provenance::Answer& answer, std::string_view text) {
  for (const base::Note& note : answer.rows.front().notes) {
    if (note.code == "conflict" && note.text.find(text) != std::string::npos) return true;
  }
  return false;
}

const provenance::Node* find(const provenance::Answer& answer, std::string_view name) {
  for (const provenance::NamedFigure& result : answer.rows.front().results) {
    if (result.name == name) return &answer.graph[result.figure];
  }
  return nullptr;
}

}  // namespace

TEST_SUITE("plan/flip") {
  TEST_CASE("a smaller claim that would not fit is named, and the pinned one decides") {
    const auto answer = Disputed("70 GB", "other-page").fit(2);
    CHECK(answer.rows.front().verdict == "fits");
    CHECK(says(answer, "it fits with the pinned claims, and would not with others"));
    CHECK(says(answer, "page says 70 GB (other-page)"));
  }

  TEST_CASE("a larger claim that would fit is named") {
    const auto answer = Disputed("200 GB", "secondary-source").fit(1);
    CHECK(answer.rows.front().verdict == "does-not-fit");
    CHECK(says(answer, "it does not fit with the pinned claims, and would with others"));
  }

  TEST_CASE("a claim that changes nothing, or is no longer made, does not flip") {
    CHECK_FALSE(says(Disputed("80 GB", "other-page").fit(2), "would not with others"));
    CHECK_FALSE(says(Disputed("70 GB", "older-version").fit(2), "would not with others"));
    CHECK_FALSE(says(Disputed("70 GB", "different-scope").fit(2), "would not with others"));
  }

  TEST_CASE("a claim of exactly the need fits, so that it does not flip") {
    CHECK_FALSE(says(Disputed("75 GB", "other-page").fit(2), "would not with others"));
  }

  TEST_CASE("without a number of devices the range of the lower bound is named") {
    const auto answer = Disputed("70 GB", "other-page").fit(std::nullopt);
    CHECK(answer.rows.front().verdict == "lower-bound");
    CHECK(says(answer, "the lower bound is 2 with the pinned claims, and with others 2 to 3"));
  }

  TEST_CASE("ranges stay in the answer only where they are asked for") {
    Disputed disputed("70 GB", "other-page");
    CHECK_FALSE(find(disputed.fit(std::nullopt), "devices_min")->range.has_value());
    const auto answer = disputed.fit(std::nullopt, true);
    const provenance::Node* bound = find(answer, "devices_min");
    REQUIRE(bound != nullptr);
    REQUIRE(bound->range.has_value());
    CHECK(bound->range->low() == exact::Rational(2));
    CHECK(bound->range->high() == exact::Rational(3));
    CHECK_FALSE(find(answer, "weights_floor")->range.has_value());
  }
}
