// Columns, numbers and quoting of CSV.
#include "report/csv.hpp"

#include <doctest/doctest.h>

#include "sample_answer.hpp"

namespace {

using namespace ullage;

TEST_CASE("one row with every kind of value") {
  CHECK(report::to_csv(report::sample::answer()) ==
        "model,device,verdict,weights_floor,required_memory,device_budget,memory_bandwidth,a_third,"
        "tdp,secondary,sources\n"
        "example-320b,example-chip,lower-bound,320000000000,352000000000,87617332838.4,"
        "2900000000000,0.33333333333333333,unknown,,chip-page;guide-page;model-card\n");
}

TEST_CASE("columns are the union of the rows' results, sources those of the row") {
  provenance::Answer answer = report::sample::answer();
  const std::vector<provenance::NamedFigure> results = answer.rows.front().results;
  answer.rows.front().results = {results[0]};
  provenance::Row& second = answer.rows.emplace_back();
  second.model = "b";
  second.results = {results[3], results[0]};
  CHECK(report::to_csv(answer) ==
        "model,device,verdict,weights_floor,memory_bandwidth,secondary,sources\n"
        "example-320b,example-chip,lower-bound,320000000000,,,model-card\n"
        "b,,,320000000000,2900000000000,,chip-page;guide-page;model-card\n");
}

TEST_CASE("fields are quoted where they must be") {
  CHECK(report::csv_field("plain text") == "plain text");
  CHECK(report::csv_field("a,b") == "\"a,b\"");
  CHECK(report::csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(report::csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(report::csv_field("") == "");
}

TEST_CASE("hostile names cannot add a field or a row") {
  provenance::Answer answer;
  answer.rows.emplace_back().model = "x\",y\r\n\xff";
  CHECK(report::to_csv(answer) ==
        "model,device,verdict,secondary,sources\n\"x\"\",y\r\n\xEF\xBF\xBD\",,,,\n");
}

TEST_CASE("facts in words follow the figures, and their sources count") {
  provenance::Answer answer;
  provenance::Row row;
  row.device = "chip";
  row.attributes = {{"memory_type", "HBM3", "", "chip-page", "L1", ""},
                    {"form", "", "not stated", "", "", ""}};
  row.notes = {{"statement", base::Severity::note, "a sentence", "guide-page", "L2"}};
  answer.rows.push_back(row);
  CHECK(report::to_csv(answer) ==
        "model,device,verdict,memory_type,form,secondary,sources\n"
        ",chip,,HBM3,unknown,,chip-page;guide-page\n");
}

TEST_CASE("no rows leave the header") {
  CHECK(report::to_csv({}) == "model,device,verdict,secondary,sources\n");
}

}  // namespace
