// Sizes, counts and shares as flags write them.
#include <doctest/doctest.h>

#include <string>

#include "units/quantity.hpp"

namespace ullage::units {
namespace {

exact::Rational number(std::string_view text) {
  return exact::Rational::parse_fraction(text).value();
}

struct Good {
  const char* text;
  const char* value;
};

struct Bad {
  const char* text;
  base::Code code;
};

TEST_CASE("sizes are bytes, decimal or binary as written") {
  const Good rows[] = {{"32GB", "32000000000"},   {"32 GB", "32000000000"},
                       {"32GiB", "34359738368"},  {"81559 MiB", "85520809984"},
                       {"1.5GiB", "1610612736"},  {"0GB", "0"},
                       {"4096B", "4096"},         {"4096 bytes", "4096"},
                       {"0.1GiB", "536870912/5"}, {"1e3 kB", "1000000"}};
  for (const Good& row : rows) {
    CAPTURE(row.text);
    const auto size = parse_size(row.text);
    REQUIRE(size.ok());
    CHECK(*size == number(row.value));
  }
}

TEST_CASE("sizes without a unit of bytes are refused") {
  const Bad rows[] = {{"32", base::Code::unit},           {"32G", base::Code::unit},
                      {"32gb", base::Code::unit},         {"32Gb", base::Code::unit},
                      {"32 GB/s", base::Code::unit},      {"32 cores", base::Code::unit},
                      {"32Gbit", base::Code::unit},       {"700W", base::Code::unit},
                      {"-1GB", base::Code::out_of_range}, {"-1", base::Code::unit},
                      {"", base::Code::syntax},           {"GB", base::Code::syntax},
                      {"lots", base::Code::syntax},       {"1,5GB", base::Code::syntax}};
  for (const Bad& row : rows) {
    CAPTURE(row.text);
    const auto size = parse_size(row.text);
    REQUIRE_FALSE(size.ok());
    CHECK(size.error().code == row.code);
    CHECK_FALSE(size.error().hint.empty());
  }
}

TEST_CASE("a bare size shows both readings") {
  const auto size = parse_size("96");
  REQUIRE_FALSE(size.ok());
  CHECK(size.error().message == "`96` has no unit: 96GB = 96000000000 B, 96GiB = 103079215104 B");
  CHECK(size.error().hint ==
        "write 96GB (96000000000 B) or 96GiB (103079215104 B), or 96B if bytes are meant");
  CHECK(parse_size("3200 Gbit/s").error().message ==
        "`3200 Gbit/s` is in B/s, not a size in bytes");
  CHECK(parse_size("32Gbit").error().message == "`32Gbit` is in bits, not in bytes");
  CHECK(parse_size("8 cores").error().message == "`8 cores` is a count, not a size in bytes");
}

TEST_CASE("counts take k and m as powers of 1024") {
  const Good rows[] = {{"0", "0"},           {"1", "1"},
                       {"131072", "131072"}, {"8k", "8192"},
                       {"8K", "8192"},       {"128k", "131072"},
                       {"1m", "1048576"},    {"1M", "1048576"},
                       {"1.5k", "1536"},     {"2e3", "2000"},
                       {" 16 ", "16"},       {"1.0", "1"},
                       {"0.5m", "524288"},   {"36893488147419103232", "36893488147419103232"}};
  for (const Good& row : rows) {
    CAPTURE(row.text);
    const auto count = parse_count(row.text);
    REQUIRE(count.ok());
    CHECK(*count == number(row.value));
  }
}

TEST_CASE("counts that are negative, fractional or no numbers are refused") {
  const Bad rows[] = {{"-1", base::Code::out_of_range},
                      {"-8k", base::Code::out_of_range},
                      {"1.5", base::Code::out_of_range},
                      {"0.0001k", base::Code::out_of_range},
                      {"1e9999", base::Code::out_of_range},
                      {"", base::Code::syntax},
                      {"k", base::Code::syntax},
                      {"8 k", base::Code::syntax},
                      {"8kk", base::Code::syntax},
                      {"8g", base::Code::syntax},
                      {"8Ki", base::Code::syntax},
                      {"8kB", base::Code::syntax},
                      {"eight", base::Code::syntax},
                      {"8,192", base::Code::syntax},
                      {"0x8", base::Code::syntax},
                      {"+8", base::Code::syntax}};
  for (const Bad& row : rows) {
    CAPTURE(row.text);
    const auto count = parse_count(row.text);
    REQUIRE_FALSE(count.ok());
    CHECK(count.error().code == row.code);
  }
}

TEST_CASE("percentages become shares") {
  const Good rows[] = {{"15%", "3/20"}, {"15", "3/20"},   {"0", "0"},       {"0%", "0"},
                       {"100", "1"},    {"100%", "1"},    {"1", "1/100"},   {"0.5%", "1/200"},
                       {"7.5", "3/40"}, {"15 %", "3/20"}, {"1e1%", "1/10"}, {"-0", "0"}};
  for (const Good& row : rows) {
    CAPTURE(row.text);
    const auto share = parse_percent(row.text);
    REQUIRE(share.ok());
    CHECK(*share == number(row.value));
  }
}

TEST_CASE("percentages that are unclear or out of range are refused") {
  const Bad rows[] = {{"0.15", base::Code::unit},
                      {"0.999", base::Code::unit},
                      {"-1", base::Code::out_of_range},
                      {"-0.5", base::Code::out_of_range},
                      {"101", base::Code::out_of_range},
                      {"100.01%", base::Code::out_of_range},
                      {"", base::Code::syntax},
                      {"%", base::Code::syntax},
                      {"15%%", base::Code::syntax},
                      {"half", base::Code::syntax},
                      {"15 GB", base::Code::syntax},
                      {"15,5", base::Code::syntax},
                      {"1e9999", base::Code::out_of_range}};
  for (const Bad& row : rows) {
    CAPTURE(row.text);
    const auto share = parse_percent(row.text);
    REQUIRE_FALSE(share.ok());
    CHECK(share.error().code == row.code);
  }
  const auto unclear = parse_percent("0.15");
  CHECK(unclear.error().message == "`0.15` could be 15% or 0.15%");
  CHECK(unclear.error().hint == "write 15% or 0.15%");
}

}  // namespace
}  // namespace ullage::units
