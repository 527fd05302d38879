// Aggregates of instances and systems beside what vendors print.
#include "plan/show.hpp"

#include <doctest/doctest.h>

using namespace ullage;

namespace {

const provenance::Node* find(const plan::Shown& shown, std::string_view name) {
  for (const provenance::NamedFigure& result : shown.answer.rows.front().results) {
    if (result.name == name) return &shown.answer.graph[result.figure];
  }
  return nullptr;
}

}  // namespace

TEST_SUITE("plan/show") {
  TEST_CASE("a system's memory is chips × chip, with the printed total beside it") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto shown = plan::show(catalogue, "trn3-gen2-ultraserver");
    REQUIRE(shown.ok());
    const provenance::Node* memory = find(*shown, "memory_capacity");
    REQUIRE(memory != nullptr);
    CHECK(*memory->value == exact::Rational(22'265'110'462'464));
    CHECK(memory->kind == provenance::FigureKind::derived);
    CHECK_FALSE(memory->claims.empty());
    CHECK(*find(*shown, "chips")->value == exact::Rational(144));
  }

  TEST_CASE("an aggregate that differs beyond its digits is a conflict by name") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto shown = plan::show(catalogue, "trn2-ultraserver");
    REQUIRE(shown.ok());
    bool named = false;
    for (const base::Note& note : shown->answer.rows.front().notes) {
      named =
          named || (note.code == "conflict" && note.text.find("dense_fp8") != std::string::npos);
    }
    CHECK(named);
  }

  TEST_CASE("what no source prints is shown as unknown with the reason") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto shown = plan::show(catalogue, "trainium2");
    REQUIRE(shown.ok());
    const provenance::Node* tdp = find(*shown, "tdp");
    REQUIRE(tdp != nullptr);
    CHECK_FALSE(tdp->value.has_value());
    CHECK_FALSE(tdp->unknown.empty());
  }
}
