// Versions as people write them, and what a series stands for.
#include "engine/version.hpp"

#include <doctest/doctest.h>

using namespace ullage;

TEST_SUITE("engine/version") {
  TEST_CASE("numbers, a leading v, and what stands behind them") {
    for (const char* text : {"0.10.1", "v0.10.1", "0.10.1.dev101+gbda9d0535", "0.10.1rc2"}) {
      const auto version = engine::parse_version(text);
      REQUIRE_MESSAGE(version.ok(), text);
      CHECK(*version == engine::Version{0, 10, 1});
    }
    CHECK(engine::parse_version("b5432")->major == 5432);
  }

  TEST_CASE("a series stands for its last release") {
    const auto series = *engine::parse_version("0.6");
    CHECK(engine::since(series, 0, 6, 6));
    CHECK_FALSE(engine::since(series, 0, 7));
    CHECK(engine::since(engine::Version{}, 99, 0));
  }

  TEST_CASE("anything else is refused") {
    for (const char* text : {"", "v", "new", "0.x", "-1", "0.6 ", "99999999999999999999", "0..1"}) {
      CHECK_MESSAGE(!engine::parse_version(text).ok(), text);
    }
  }
}
