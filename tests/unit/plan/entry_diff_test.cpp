// What changed between versions of an entry.
#include "plan/entry_diff.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace ullage;

namespace {

const exact::Rational* value_of(const plan::EntryDiff& diff, std::string_view name) {
  for (const provenance::NamedFigure& result : diff.answer.rows.front().results) {
    if (result.name == name) return &*diff.answer.graph[result.figure].value;
  }
  return nullptr;
}

}  // namespace

TEST_SUITE("plan/entry_diff") {
  TEST_CASE("the first published rates of Trainium2 against today's") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto diff = plan::diff_entries(catalogue, "trainium2@2024-12-03", "trainium2");
    REQUIRE(diff.ok());
    CHECK(*value_of(*diff, "before_dense_fp8") == exact::Rational(1'287'000'000'000'000));
    CHECK(*value_of(*diff, "after_dense_fp8") == exact::Rational(1'299'000'000'000'000));
    CHECK(*value_of(*diff, "ratio_dense_fp8") == exact::Rational(433) / exact::Rational(429));
    CHECK(*value_of(*diff, "before_dense_bf16") == exact::Rational(655'000'000'000'000));
    CHECK(*value_of(*diff, "before_sparse_bf16") == exact::Rational(2'551'000'000'000'000));
    CHECK(value_of(*diff, "before_memory_bandwidth") == nullptr);
  }

  TEST_CASE("the other way round, everything is the other way round") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto there = plan::diff_entries(catalogue, "inferentia2@2023-04-24", "inferentia2");
    const auto back = plan::diff_entries(catalogue, "inferentia2", "inferentia2@2023-04-24");
    REQUIRE(there.ok());
    REQUIRE(back.ok());
    REQUIRE(there->figures.size() == back->figures.size());
    for (std::size_t i = 0; i < there->figures.size(); ++i) {
      CHECK(there->figures[i].name == back->figures[i].name);
      CHECK((there->figures[i].change == plan::Change::added) ==
            (back->figures[i].change == plan::Change::removed));
    }
    // 32 GB became 32 GiB.
    CHECK(*value_of(*there, "ratio_memory_capacity") ==
          exact::Rational(1 << 30) / exact::Rational(1'000'000'000));
  }

  TEST_CASE("an entry does not differ from itself") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto diff = plan::diff_entries(catalogue, "trn2", "trainium2");
    REQUIRE(diff.ok());
    CHECK(diff->figures.empty());
    CHECK(diff->attributes.empty());
    CHECK(diff->answer.rows.front().notes.empty());
  }

  TEST_CASE("a device is not held against a model, nor against nothing") {
    catalog::Catalogue catalogue(catalog::embedded_catalogue());
    const auto unlike = plan::diff_entries(catalogue, "trainium2", "llama-3.1-8b");
    REQUIRE_FALSE(unlike.ok());
    CHECK(unlike.error().code == base::Code::usage);
    const auto unknown = plan::diff_entries(catalogue, "trainium2", "trainium2@2020-01-01");
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().hint.find("2024-12-03") != std::string::npos);
  }
}
