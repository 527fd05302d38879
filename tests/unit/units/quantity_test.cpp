// Quantities add up only with their like.
#include "units/quantity.hpp"

#include <doctest/doctest.h>

namespace ullage::units {
namespace {

constexpr Unit kDenseChip{.dimension = kFlopRate, .kind = Kind::dense, .scope = Scope::chip};
constexpr Unit kSparseChip{.dimension = kFlopRate, .kind = Kind::sparse, .scope = Scope::chip};
constexpr Unit kDenseSystem{.dimension = kFlopRate, .kind = Kind::dense, .scope = Scope::system};
constexpr Unit kOneWay{
    .dimension = kByteRate, .kind = Kind::scale_up, .direction = Direction::one_way};
constexpr Unit kBothWays{
    .dimension = kByteRate, .kind = Kind::scale_up, .direction = Direction::both_ways};
constexpr Unit kNominal{.dimension = kBytes, .kind = Kind::nominal};
constexpr Unit kVisible{.dimension = kBytes, .kind = Kind::visible};
constexpr Unit kDenseOps{.dimension = kOpRate, .kind = Kind::dense, .scope = Scope::chip};

TEST_CASE("like quantities add, subtract and divide") {
  const Quantity a{7, kDenseChip};
  const Quantity b{2, kDenseChip};
  CHECK(add(a, b).value() == Quantity{9, kDenseChip});
  CHECK(subtract(a, b).value() == Quantity{5, kDenseChip});
  CHECK(subtract(b, a).value() == Quantity{-5, kDenseChip});
  CHECK(ratio(a, b).value() == exact::Rational(7) / exact::Rational(2));
}

TEST_CASE("a ratio over zero is an arithmetic fault") {
  const auto result = ratio(Quantity{7, kDenseChip}, Quantity{0, kDenseChip});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == base::Code::arithmetic);
}

TEST_CASE("unlike quantities do not mix, in either order, and both sides are named") {
  struct Row {
    Unit a;
    Unit b;
    const char* hint;
  };
  const Row rows[] = {
      {kDenseChip, kSparseChip, "they differ in kind (dense and sparse)"},
      {kDenseChip, kDenseSystem, "they differ in scope (chip and system)"},
      {kOneWay, kBothWays, "they differ in direction (one-way and both-ways)"},
      {kNominal, kVisible, "they differ in kind (nominal and visible)"},
      {kDenseChip, kDenseOps, "they differ in dimension (FLOP/s and OP/s)"},
      {kNominal, kOneWay,
       "they differ in dimension (B and B/s), kind (nominal and scale-up), direction (none and "
       "one-way)"},
  };
  for (const Row& row : rows) {
    const Quantity a{1, row.a};
    const Quantity b{1, row.b};
    const auto sum = add(a, b);
    REQUIRE_FALSE(sum.ok());
    CHECK(sum.error().code == base::Code::kind_mismatch);
    CHECK(sum.error().message == "cannot add " + describe(row.a) + " and " + describe(row.b));
    CHECK(sum.error().hint == row.hint);
    REQUIRE_FALSE(add(b, a).ok());
    CHECK(add(b, a).error().message == "cannot add " + describe(row.b) + " and " + describe(row.a));
    CHECK(subtract(a, b).error().message ==
          "cannot subtract " + describe(row.b) + " from " + describe(row.a));
    CHECK(subtract(b, a).error().code == base::Code::kind_mismatch);
    CHECK(ratio(a, b).error().message ==
          "cannot divide " + describe(row.a) + " by " + describe(row.b));
    CHECK(ratio(b, a).error().code == base::Code::kind_mismatch);
  }
}

TEST_CASE("a zero of another kind is not neutral") {
  CHECK_FALSE(add(Quantity{0, kSparseChip}, Quantity{5, kDenseChip}).ok());
}

}  // namespace
}  // namespace ullage::units
