// The JSON object of the contract, read back by the document room's reader.
#include "report/json.hpp"

#include <doctest/doctest.h>

#include "document/read.hpp"
#include "sample_answer.hpp"

namespace {

using namespace ullage;
using document::Type;
using document::Value;

const report::ToolInfo kTool{"0.1.0", "2026-11-30", "sha256:00ff"};

document::Document parsed(const provenance::Answer& answer) {
  const std::string text = report::to_json(answer, kTool, report::sample::source);
  base::Result<document::Document> result = document::read_json(text, "answer.json");
  REQUIRE_MESSAGE(result.ok(), result.error().message);
  return std::move(result).value();
}

// The value under a path of keys and indices; Defect-free: a missing one fails the test.
const Value& at(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* found = &value;
  for (std::string_view step : path) {
    const Value* next = nullptr;
    if (found->type == Type::array) {
      const std::size_t index = static_cast<std::size_t>(step.front() - '0');
      REQUIRE(index < found->items.size());
      next = &found->items[index];
    } else {
      next = found->find(step);
    }
    REQUIRE_MESSAGE(next != nullptr, std::string(step));
    found = next;
  }
  return *found;
}

std::string text_at(const Value& value, std::initializer_list<std::string_view> path) {
  return at(value, path).text;
}

TEST_CASE("the object carries schema, tool, command and rows") {
  const document::Document document = parsed(report::sample::answer());
  const Value& root = document.root;
  CHECK(text_at(root, {"schema"}) == "ullage/result/1");
  CHECK(text_at(root, {"tool", "version"}) == "0.1.0");
  CHECK(text_at(root, {"tool", "catalogue", "digest"}) == "sha256:00ff");
  CHECK(text_at(root, {"command"}) == "fit");
  CHECK(text_at(root, {"rows", "0", "verdict"}) == "lower-bound");
  CHECK(text_at(root, {"rows", "0", "notes", "0", "level"}) == "note");
  CHECK(text_at(root, {"rows", "0", "notes", "1", "level"}) == "warning");
}

TEST_CASE("results: whole, fractional and unknown values") {
  const document::Document document = parsed(report::sample::answer());
  const Value& results = at(document.root, {"rows", "0", "results"});
  CHECK(text_at(results, {"weights_floor", "value"}) == "320000000000");
  CHECK(text_at(results, {"weights_floor", "unit"}) == "B");
  CHECK(at(results, {"weights_floor"}).find("exact") == nullptr);
  CHECK(text_at(results, {"device_budget", "value"}) == "87617332838.4");
  CHECK(text_at(results, {"device_budget", "exact"}) == "438086664192/5");
  CHECK(text_at(results, {"a_third", "value"}) == "0.33333333333333333");
  CHECK(text_at(results, {"a_third", "exact"}) == "1/3");
  CHECK(at(results, {"tdp", "value"}).type == Type::null);
  CHECK(text_at(results, {"tdp", "unknown"}) == "printed nowhere");
  CHECK(text_at(results, {"tdp", "status"}) == "unpublished");
}

TEST_CASE("figures are numbered as they appear and hold every field") {
  const document::Document document = parsed(report::sample::answer());
  const Value& root = document.root;
  const Value& figures = at(root, {"figures"});
  CHECK(figures.members.size() == 11);
  for (std::size_t index = 0; index < figures.members.size(); ++index)
    CHECK(figures.members[index].key == "f" + std::to_string(index + 1));
  CHECK(text_at(root, {"rows", "0", "results", "weights_floor", "figure"}) == "f1");
  CHECK(text_at(figures, {"f1", "formula"}) == "parameters × bits ÷ 8");
  CHECK(text_at(figures, {"f1", "inputs", "0"}) == "f7");
  CHECK(at(figures, {"f1", "source"}).type == Type::null);
  CHECK(text_at(figures, {"f2", "inputs", "0"}) == "f1");
  CHECK(text_at(figures, {"f5", "citation"}) == "Euclid, book VII");
  CHECK(text_at(figures, {"f7", "kind"}) == "published");
  CHECK(text_at(figures, {"f7", "printed"}) == "320B");
  CHECK(text_at(figures, {"f7", "source"}) == "model-card");
  CHECK(text_at(figures, {"f7", "locator"}) == "first table");
  CHECK(text_at(figures, {"f8", "kind"}) == "given");
  CHECK(text_at(figures, {"f8", "where"}) == "--bits 8");
  CHECK(text_at(figures, {"f9", "kind"}) == "assumed");
  CHECK(text_at(figures, {"f10", "measure", "kind"}) == "nominal");
  CHECK(text_at(figures, {"f10", "measure", "scope"}) == "chip");
  CHECK(at(figures, {"f9"}).find("measure") == nullptr);
}

TEST_CASE("claims that disagree are all kept, with the reason of the pin") {
  const document::Document document = parsed(report::sample::answer());
  const Value& bandwidth = at(document.root, {"figures", "f4"});
  CHECK(at(bandwidth, {"claims"}).items.size() == 2);
  CHECK(text_at(bandwidth, {"claims", "0", "relation"}) == "pinned");
  CHECK(text_at(bandwidth, {"claims", "0", "pinned"}) == "the chip's own page; the guide rounds");
  CHECK(text_at(bandwidth, {"claims", "1", "value"}) == "3000000000000");
  CHECK(text_at(bandwidth, {"claims", "1", "relation"}) == "other-page");
  CHECK(text_at(bandwidth, {"claims", "1", "tier"}) == "quoted");
}

TEST_CASE("claims beside a derived figure are no source of its value") {
  provenance::Answer answer = report::sample::answer();
  const provenance::FigureId floor = answer.rows.front().results.front().figure;
  answer.graph.keep_beside(
      floor, {report::sample::claim("321000000000", {.dimension = units::kBytes}, "321 GB",
                                    "guide-page", "L5")});
  const document::Document document = parsed(answer);
  const Value& figure = at(document.root, {"figures", "f1"});
  CHECK(at(figure, {"source"}).type == Type::null);
  CHECK(figure.find("printed") == nullptr);
  CHECK(text_at(figure, {"claims", "0", "printed"}) == "321 GB");
  CHECK(at(figure, {"claims", "0"}).find("relation") == nullptr);
  CHECK(at(document.root, {"sources"}).find("guide-page") != nullptr);
}

TEST_CASE("only cited sources are listed, sorted") {
  provenance::Answer answer = report::sample::answer();
  const document::Document all = parsed(answer);
  const Value& sources = at(all.root, {"sources"});
  REQUIRE(sources.members.size() == 3);
  CHECK(sources.members[0].key == "chip-page");
  CHECK(sources.members[1].key == "guide-page");
  CHECK(sources.members[2].key == "model-card");
  CHECK(text_at(sources, {"guide-page", "note"}) == "an old page");
  answer.rows.front().results = {answer.rows.front().results.front()};
  const document::Document one = parsed(answer);
  CHECK(at(one.root, {"sources"}).members.size() == 1);
  CHECK(at(one.root, {"figures"}).members.size() == 3);
}

TEST_CASE("facts in words and notes carry their sources") {
  provenance::Answer answer;
  answer.command = "show";
  provenance::Row row;
  row.attributes = {{"memory_type", "HBM3", "", "chip-page", "L1", ""},
                    {"form", "", "not stated", "", "", ""}};
  row.notes = {{"statement", base::Severity::note, "a sentence", "guide-page", "L2"}};
  answer.rows.push_back(row);
  const document::Document document = parsed(answer);
  const Value& written = at(document.root, {"rows", "0"});
  CHECK(text_at(written, {"attributes", "memory_type", "value"}) == "HBM3");
  CHECK(text_at(written, {"attributes", "memory_type", "source"}) == "chip-page");
  CHECK(at(written, {"attributes", "form", "value"}).type == Type::null);
  CHECK(text_at(written, {"attributes", "form", "unknown"}) == "not stated");
  CHECK(text_at(written, {"notes", "0", "source"}) == "guide-page");
  CHECK(text_at(written, {"notes", "0", "locator"}) == "L2");
  CHECK(at(document.root, {"sources"}).members.size() == 2);
}

TEST_CASE("equal answers give equal bytes") {
  const auto text = [] {
    return report::to_json(report::sample::answer(), kTool, report::sample::source);
  };
  CHECK(text() == text());
  CHECK(text().ends_with("}\n"));
}

TEST_CASE("hostile text stays text") {
  provenance::Answer answer = report::sample::answer();
  answer.rows.front().model = report::sample::kHostile;
  answer.rows.front().results.front().name = "evil\"name";
  const document::Document document = parsed(answer);
  CHECK(text_at(document.root, {"rows", "0", "model"}) ==
        "a\"b\\c\n\x1b[31m\xEF\xBF\xBD\xE2\x80\xAE|<b>*x*");
  CHECK(text_at(document.root, {"rows", "0", "results", "evil\"name", "figure"}) == "f1");
}

TEST_CASE("an answer without rows, and rows without names") {
  provenance::Answer answer;
  answer.command = "list";
  answer.rows.emplace_back();
  const document::Document document = parsed(answer);
  const Value& row = at(document.root, {"rows", "0"});
  CHECK(row.find("model") == nullptr);
  CHECK(row.find("verdict") == nullptr);
  CHECK(at(document.root, {"figures"}).members.empty());
}

TEST_CASE("a source that does not exist, a result named twice: defects") {
  const auto none = [](std::string_view) -> const provenance::Source* { return nullptr; };
  CHECK_THROWS_AS(report::to_json(report::sample::answer(), kTool, none), base::Defect);
  CHECK_THROWS_AS(report::to_json(report::sample::answer(), kTool, nullptr), base::Defect);
  provenance::Answer answer = report::sample::answer();
  answer.rows.front().results.push_back(answer.rows.front().results.front());
  CHECK_THROWS_AS(report::to_json(answer, kTool, report::sample::source), base::Defect);
}

}  // namespace
