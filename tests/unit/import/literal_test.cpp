// Literals are exact, and what is none is left to the catalogue.
#include <doctest/doctest.h>

#include "import/open.hpp"

using namespace ullage;

TEST_SUITE("import/literal") {
  TEST_CASE("counts are exact") {
    struct Case {
      const char* text;
      exact::Rational total;
    };
    const Case cases[] = {{"70B", 70'000'000'000},      {"70.553706496B", 70'553'706'496},
                          {"1.5T", 1'500'000'000'000},  {"135M", 135'000'000},
                          {"0.016777216B", 16'777'216}, {"0.000001b", 1'000}};
    for (const Case& c : cases) {
      CAPTURE(c.text);
      const auto literal = import::parse_literal(c.text);
      REQUIRE(literal.ok());
      REQUIRE(literal->has_value());
      CHECK((*literal)->total == c.total);
      CHECK_FALSE((*literal)->active.has_value());
    }
  }

  TEST_CASE("total and active") {
    const auto literal = import::parse_literal("320B:18B");
    REQUIRE(literal.ok());
    CHECK((*literal)->total == exact::Rational(320'000'000'000));
    CHECK(*(*literal)->active == exact::Rational(18'000'000'000));
  }

  TEST_CASE("names are not literals") {
    for (const char* text :
         {"trainium2", "llama-3.1-8B", "meta-llama/Llama-3.1-8B", "B", "-", "7BB"}) {
      CAPTURE(text);
      const auto literal = import::parse_literal(text);
      REQUIRE(literal.ok());
      CHECK_FALSE(literal->has_value());
    }
  }

  TEST_CASE("impossible counts are refused with the text") {
    for (const char* text : {"70B:90B", "0B", "-7B", "0.0000000001B", "1.2.3B", "70B:", "70B:x"}) {
      CAPTURE(text);
      const auto literal = import::parse_literal(text);
      REQUIRE_FALSE(literal.ok());
      CHECK(literal.error().message.find(text) != std::string::npos);
    }
  }
}
