// Units in symbols and words.
#include "units/unit.hpp"

#include <doctest/doctest.h>

namespace ullage::units {
namespace {

TEST_CASE("base units have the symbols that the JSON output promises") {
  CHECK(symbol_of(kBytes) == "B");
  CHECK(symbol_of(kFlops) == "FLOP");
  CHECK(symbol_of(kFlopRate) == "FLOP/s");
  CHECK(symbol_of(kOpRate) == "OP/s");
  CHECK(symbol_of(kByteRate) == "B/s");
  CHECK(symbol_of(kTokens) == "token");
  CHECK(symbol_of(kTokenRate) == "token/s");
  CHECK(symbol_of(kSeconds) == "s");
  CHECK(symbol_of(kWatts) == "W");
  CHECK(symbol_of(kDollarRate) == "USD/s");
  CHECK(symbol_of(kNumber) == "1");
}

TEST_CASE("composed units have symbols too") {
  CHECK(symbol_of(kFlopRate / kByteRate) == "FLOP/B");
  CHECK(symbol_of(kNumber / kSeconds) == "1/s");
  CHECK(symbol_of(kBytes * kBytes) == "B^2");
  CHECK(symbol_of(kWatts * kSeconds) == "W·s");
  CHECK(symbol_of(kFlopRate / kWatts) == "FLOP/(W·s)");
  CHECK(symbol_of(kFlopRate * kSeconds) == "FLOP");
}

TEST_CASE("descriptions name what sets figures apart") {
  struct Row {
    Unit unit;
    const char* words;
  };
  const Row rows[] = {
      {{.dimension = kNumber}, "number"},
      {{.dimension = kNumber, .scope = Scope::chip}, "number per chip"},
      {{.dimension = kBytes}, "B"},
      {{.dimension = kBytes, .kind = Kind::nominal, .scope = Scope::chip}, "nominal B per chip"},
      {{.dimension = kBytes, .kind = Kind::visible}, "visible B"},
      {{.dimension = kFlopRate, .kind = Kind::dense, .scope = Scope::chip},
       "dense FLOP/s per chip"},
      {{.dimension = kOpRate, .kind = Kind::sparse, .scope = Scope::logical_core},
       "sparse OP/s per logical core"},
      {{.dimension = kByteRate, .kind = Kind::scale_up, .direction = Direction::both_ways},
       "both-way scale-up B/s"},
      {{.dimension = kByteRate, .kind = Kind::scale_out, .direction = Direction::one_way},
       "one-way scale-out B/s"},
      {{.dimension = kByteRate,
        .kind = Kind::scale_up,
        .direction = Direction::not_stated,
        .scope = Scope::system},
       "scale-up B/s per system (direction not stated)"},
      {{.dimension = kByteRate, .kind = Kind::memory}, "memory B/s"},
      {{.dimension = kByteRate, .kind = Kind::host}, "host B/s"},
      {{.dimension = kByteRate, .kind = Kind::dma, .scope = Scope::core}, "dma B/s per core"},
  };
  for (const Row& row : rows)
    CHECK(describe(row.unit) == row.words);
}

TEST_CASE("names are those of the data files") {
  CHECK(name_of(Kind::plain) == "plain");
  CHECK(name_of(Kind::scale_up) == "scale-up");
  CHECK(name_of(Direction::one_way) == "one-way");
  CHECK(name_of(Direction::both_ways) == "both-ways");
  CHECK(name_of(Direction::not_stated) == "not-stated");
  CHECK(name_of(Scope::logical_core) == "logical-core");
  CHECK(name_of(Scope::system) == "system");
}

TEST_CASE("dimensions multiply and divide") {
  static_assert(kFlops / kSeconds == kFlopRate);
  static_assert(kByteRate * kSeconds == kBytes);
  static_assert(kFlopRate != kOpRate);
  static_assert(kTokens / kTokens == kNumber);
  CHECK(kTokenRate * kSeconds == kTokens);
}

}  // namespace
}  // namespace ullage::units
