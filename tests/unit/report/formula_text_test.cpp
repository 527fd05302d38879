// Putting numbers into formulas.
#include "report/formula_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <tuple>

#include "sample_answer.hpp"

namespace {

using namespace ullage;
using provenance::FigureId;
using report::with_numbers;
using report::sample::number;

struct Input {
  std::string name;
  std::string value;
};

std::string filled(std::string formula, const std::vector<Input>& inputs) {
  provenance::Graph graph;
  std::vector<FigureId> ids;
  for (const Input& input : inputs) {
    ids.push_back(input.value == "?"
                      ? graph.unknown(input.name, {}, provenance::Absence::unpublished, "why")
                      : graph.given(input.name, {number(input.value), {}}, {"--flag", ""}));
  }
  const FigureId id = graph.derived("result", {}, std::move(formula), "", ids, number("1"));
  return with_numbers(graph, graph[id]);
}

TEST_CASE("names of inputs become numbers") {
  CHECK(filled("parameters × bits ÷ 8", {{"parameters", "320000"}, {"bits", "4.5"}}) ==
        "320,000 × 4.5 ÷ 8");
  CHECK(filled("a + b", {{"a", "1/3"}, {"b", "-2"}}) == "(1/3) + (-2)");
  CHECK(filled("a + b", {{"a", "1"}, {"b", "?"}}) == "1 + unknown");
}

TEST_CASE("the longest name wins and only whole words count") {
  CHECK(filled("layers × KV layers", {{"layers", "4"}, {"KV layers", "2"}}) == "4 × 2");
  CHECK(filled("layers × heads_per_layers", {{"layers", "4"}}) == "4 × heads_per_layers");
  CHECK(filled("2×a", {{"a", "3"}}) == "2×3");
}

struct Floor {
  using Output = units::Bytes;
  using Inputs = std::tuple<units::Count, units::Bits>;
  static constexpr std::string_view kName = "weight floor";
  static constexpr std::string_view kFormula = "parameters × bits ÷ 8";
  static constexpr std::array<std::string_view, 2> kTerms{"parameters", "bits"};
  static constexpr std::string_view kCitation = "";
  template <class Number>
  static Number evaluate(const Number& parameters, const Number& bits) {
    return parameters * bits / Number(8);
  }
};

TEST_CASE("a formula's own terms win over the names of the figures") {
  provenance::Graph graph;
  const auto parameters = graph.given<units::Count>("all parameters", 320, {"--p 320", ""});
  const auto bits = graph.given<units::Bits>("bits per parameter", 4, {"--bits 4", ""});
  const FigureId floor = graph.derive<Floor>(parameters, bits).id();
  CHECK(with_numbers(graph, graph[floor]) == "320 × 4 ÷ 8");
}

TEST_CASE("a formula that is only the value says nothing more") {
  const auto alone = [](std::string formula) {
    provenance::Graph graph;
    const FigureId part = graph.given("part", {number("7"), {}}, {"--flag", ""});
    const FigureId id = graph.derived("whole", {}, std::move(formula), "", {part}, number("7"));
    return with_numbers(graph, graph[id]);
  };
  CHECK(alone("sum of its parts").empty());
  CHECK(alone("part").empty());
  CHECK(alone("part × 1") == "7 × 1");
}

TEST_CASE("inputs of one name are taken in order") {
  CHECK(filled("x + x + x", {{"x", "1"}, {"x", "2"}}) == "1 + 2 + 1");
}

TEST_CASE("a sum of parts is written out while it is short") {
  CHECK(filled("sum of its parts", {{"a", "1"}, {"b", "2"}}) == "1 + 2");
  CHECK(filled("sum of its parts", std::vector<Input>(9, {"a", "1"})).empty());
}

TEST_CASE("nothing to put in gives nothing") {
  CHECK(filled("1 ÷ 3", {}).empty());
  CHECK(filled("largest stage", {{"stage weights", "3"}}).empty());
}

}  // namespace
