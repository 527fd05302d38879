// Ranges of conflicting claims in each format; without one, nothing changes.
#include <doctest/doctest.h>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/value_text.hpp"

namespace {

using namespace ullage;
using exact::Interval;
using exact::Rational;

constexpr units::Unit kBytes{.dimension = units::kBytes};
constexpr units::Unit kCount{.dimension = units::kNumber};

const provenance::Source kPage{.id = "page",
                               .title = "A page",
                               .publisher = "Someone",
                               .url = "https://example.org/",
                               .revision = "1",
                               .checked = "2026-11-30",
                               .tier = provenance::Tier::primary,
                               .note = {}};

provenance::Claim claim(std::string_view value, provenance::Relation relation) {
  provenance::Claim result;
  result.quantity = {Rational::parse_fraction(value).value(), kCount};
  result.printed = std::string(value);
  result.source = "page";
  result.locator = "L1";
  result.relation = relation;
  return result;
}

// Two rows: one figure in dispute, one that is not.
provenance::Answer answer() {
  provenance::Answer result;
  result.command = "compare";
  result.graph.carry_ranges();
  const auto disputed = result.graph.published(
      "cores",
      {claim("5", provenance::Relation::pinned), claim("11/2", provenance::Relation::other_page)});
  const auto settled = result.graph.published("cores", {claim("7", provenance::Relation::pinned)});
  provenance::Row first;
  first.device = "a";
  first.results.push_back({"cores", disputed});
  provenance::Row second;
  second.device = "b";
  second.results.push_back({"cores", settled});
  result.rows = {first, second};
  return result;
}

std::string json_of(const provenance::Answer& shown) {
  return report::to_json(shown, {"1", "2026-11-30", "sha256:0"},
                         [](std::string_view) { return &kPage; });
}

TEST_CASE("text sets the ends behind the value, rounded outwards") {
  CHECK(report::with_range("5", Interval::between(5, 6), kCount) == "5 (5 … 6)");
  CHECK(report::with_range("10.00 GB (9.31 GiB)", Interval::between(9'999'999'999, 10'000'000'001),
                           kBytes) == "10.00 GB (9.31 GiB; 9.99 GB … 10.01 GB)");
  const provenance::Answer shown = answer();
  CHECK(report::figure_text(shown.graph[shown.rows[0].results[0].figure]) == "5 (5 … 5.5)");
  CHECK(report::figure_text(shown.graph[shown.rows[1].results[0].figure]) == "7");
}

TEST_CASE("JSON has low and high, exactly where they are no whole numbers") {
  const std::string text = json_of(answer());
  CHECK(text.find("\"value\": 5, \"low\": 5, \"high\": 5.5, \"high_exact\": \"11/2\"") !=
        std::string::npos);
  CHECK(text.find("\"value\": 7, \"unit\"") != std::string::npos);
  provenance::Answer without = answer();
  without.graph.forget_ranges();
  CHECK(json_of(without).find("\"low\"") == std::string::npos);
}

TEST_CASE("CSV has columns for both ends once a row has a range") {
  CHECK(report::to_csv(answer()) ==
        "model,device,verdict,cores,cores_low,cores_high,secondary,sources\n"
        ",a,,5,5,5.5,,page\n"
        ",b,,7,7,7,,page\n");
  provenance::Answer without = answer();
  without.graph.forget_ranges();
  CHECK(report::to_csv(without) ==
        "model,device,verdict,cores,secondary,sources\n,a,,5,,page\n,b,,7,,page\n");
}

}  // namespace
