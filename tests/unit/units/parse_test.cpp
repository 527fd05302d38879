// The unit grammar: what is read, what is refused, and with which words.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "units/quantity.hpp"
#include "units/unit_names.hpp"

namespace ullage::units {
namespace {

exact::Rational number(std::string_view text) {
  return exact::Rational::parse_fraction(text).value();
}

TEST_CASE("quantities are read in base units") {
  struct Row {
    const char* text;
    const char* number;
    const char* unit;
    const char* value;
    Dimension dimension;
  };
  const Row rows[] = {
      {"96 GiB", "96", "GiB", "103079215104", kBytes},
      {"96GB", "96", "GB", "96000000000", kBytes},
      {"  32GB\t", "32", "GB", "32000000000", kBytes},
      {"1.5GiB", "3/2", "GiB", "1610612736", kBytes},
      {"128 KiB", "128", "KiB", "131072", kBytes},
      {"24 kB", "24", "kB", "24000", kBytes},
      {"24 KB", "24", "kB", "24000", kBytes},
      {"2 MiB", "2", "MiB", "2097152", kBytes},
      {"1 TiB", "1", "TiB", "1099511627776", kBytes},
      {"20.7 TB", "207/10", "TB", "20700000000000", kBytes},
      {"1 PiB", "1", "PiB", "1125899906842624", kBytes},
      {"1 PB", "1", "PB", "1000000000000000", kBytes},
      {"5EB", "5", "EB", "5000000000000000000", kBytes},
      {"5E3B", "5000", "B", "5000", kBytes},
      {"512 bytes", "512", "B", "512", kBytes},
      {"1 byte", "1", "B", "1", kBytes},
      {"12 bit", "12", "bit", "3/2", kBytes},
      {"800 Gbit", "800", "Gbit", "100000000000", kBytes},
      {"3200 Gbit/s", "3200", "Gbit/s", "400000000000", kByteRate},
      {"3200 Gbps", "3200", "Gbit/s", "400000000000", kByteRate},
      {"3.2 Tbps", "16/5", "Tbit/s", "400000000000", kByteRate},
      {"3.2 Tbit/s", "16/5", "Tbit/s", "400000000000", kByteRate},
      {"100 Mbps", "100", "Mbit/s", "12500000", kByteRate},
      {"1 bps", "1", "bit/s", "1/8", kByteRate},
      {"2.9 TB/s", "29/10", "TB/s", "2900000000000", kByteRate},
      {"3TB/sec", "3", "TB/s", "3000000000000", kByteRate},
      {"50 GiB/s", "50", "GiB/s", "53687091200", kByteRate},
      {"50 GiB/sec", "50", "GiB/s", "53687091200", kByteRate},
      {"936 GBps", "936", "GB/s", "936000000000", kByteRate},
      {"9 TBps", "9", "TB/s", "9000000000000", kByteRate},
      {"667 TFLOPS", "667", "TFLOP/s", "667000000000000", kFlopRate},
      {"667 TFLOPs", "667", "TFLOP/s", "667000000000000", kFlopRate},
      {"667 TFLOP/s", "667", "TFLOP/s", "667000000000000", kFlopRate},
      {"1.3 PFLOPS", "13/10", "PFLOP/s", "1300000000000000", kFlopRate},
      {"83.2 PFLOP/s", "416/5", "PFLOP/s", "83200000000000000", kFlopRate},
      {"1.44 EFLOPS", "36/25", "EFLOP/s", "1440000000000000000", kFlopRate},
      {"500 GFLOPS", "500", "GFLOP/s", "500000000000", kFlopRate},
      {"1 FLOP/s", "1", "FLOP/s", "1", kFlopRate},
      {"1 FLOPS", "1", "FLOP/s", "1", kFlopRate},
      {"6e21 FLOP", "6000000000000000000000", "FLOP", "6000000000000000000000", kFlops},
      {"2 PFLOP", "2", "PFLOP", "2000000000000000", kFlops},
      {"380 TOPS", "380", "TOP/s", "380000000000000", kOpRate},
      {"380 TOP/s", "380", "TOP/s", "380000000000000", kOpRate},
      {"2 POPS", "2", "POP/s", "2000000000000000", kOpRate},
      {"7 OP/s", "7", "OP/s", "7", kOpRate},
      {"700 W", "700", "W", "700", kWatts},
      {"10.2 kW", "51/5", "kW", "10200", kWatts},
      {"131072 token", "131072", "token", "131072", kTokens},
      {"131072 tokens", "131072", "token", "131072", kTokens},
      {"45 tokens/s", "45", "token/s", "45", kTokenRate},
      {"36 USD/h", "36", "USD/h", "1/100", kDollarRate},
      {"8 cores", "8", "core", "8", kNumber},
      {"1 core", "1", "core", "1", kNumber},
      {"16 chips", "16", "chip", "16", kNumber},
      {"4 stacks", "4", "stack", "4", kNumber},
      {"192 vCPU", "192", "vCPU", "192", kNumber},
      {"20 engines", "20", "engine", "20", kNumber},
      {"6.7x", "67/10", "x", "67/10", kNumber},
      {"320e9 parameters", "320000000000", "parameter", "320000000000", kNumber},
      {"62 layers", "62", "layer", "62", kNumber},
      {"16", "16", "", "16", kNumber},
      {"320e9", "320000000000", "", "320000000000", kNumber},
      {"-3 GB", "-3", "GB", "-3000000000", kBytes},
      {"320B", "320", "B", "320", kBytes},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto written = parse_written(row.text);
    REQUIRE(written.ok());
    CHECK(written->number == number(row.number));
    CHECK(written->unit == row.unit);
    CHECK(written->value() == number(row.value));
    CHECK(written->dimension == row.dimension);
  }
}

TEST_CASE("bare and misspelt prefixes are refused with every reading in exact bytes") {
  for (const char* unit : {"G", "Gi", "g", "gb", "gib", "GIB", "Gib"}) {
    const std::string text = std::string("96") + unit;
    CAPTURE(text);
    const auto written = parse_written(text);
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().code == base::Code::unit);
    CHECK(written.error().message ==
          "`" + text + "` does not say which unit: 96GB = 96000000000 B, 96GiB = 103079215104 B");
    CHECK(written.error().hint == "write 96GB (96000000000 B) or 96GiB (103079215104 B)");
  }
  struct Row {
    const char* text;
    const char* readings;
  };
  const Row rows[] = {
      {"96M", "96MB = 96000000 B, 96MiB = 100663296 B"},
      {"1.5 m", "1.5MB = 1500000 B, 1.5MiB = 1572864 B"},
      {"8k", "8kB = 8000 B, 8KiB = 8192 B"},
      {"8Ki", "8kB = 8000 B, 8KiB = 8192 B"},
      {"2T", "2TB = 2000000000000 B, 2TiB = 2199023255552 B"},
      {"5E", "5EB = 5000000000000000000 B, 5EiB = 5764607523034234880 B"},
      {"96Gb", "96GB = 96000000000 B, 96GiB = 103079215104 B, 96Gbit = 12000000000 B"},
      {"1 Gb/s", "1GB/s = 1000000000 B/s, 1GiB/s = 1073741824 B/s, 1Gbit/s = 125000000 B/s"},
      {"2 tb/s",
       "2TB/s = 2000000000000 B/s, 2TiB/s = 2199023255552 B/s, 2Tbit/s = 250000000000 B/s"},
      {"1gbps", "1GB/s = 1000000000 B/s, 1GiB/s = 1073741824 B/s, 1Gbit/s = 125000000 B/s"},
      {"1 G/s", "1GB/s = 1000000000 B/s, 1GiB/s = 1073741824 B/s"},
      {"16b", "16B = 16 B, 16bit = 2 B"},
      {"0.1G", "0.1GB = 100000000 B, 0.1GiB = 107374182.4 B"},
      {"3b", "3B = 3 B, 3bit = 0.375 B"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto written = parse_written(row.text);
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().code == base::Code::unit);
    CHECK(written.error().message ==
          "`" + std::string(row.text) + "` does not say which unit: " + row.readings);
  }
}

TEST_CASE("commas in numbers are refused with what to write") {
  const auto thousands = parse_written("1,299 TFLOPS");
  REQUIRE_FALSE(thousands.ok());
  CHECK(thousands.error().code == base::Code::syntax);
  CHECK(thousands.error().message == "`1,299 TFLOPS` has a comma in the number");
  CHECK(thousands.error().hint ==
        "write 1299 without a thousands separator, or 1.299 if the comma is a decimal point");
  CHECK(parse_written("1,234,567 B").error().hint == "write 1234567 without a thousands separator");
  CHECK(parse_written("1,299.5 TFLOPS").error().hint ==
        "write 1299.5 without a thousands separator");
}

TEST_CASE("an unknown unit is refused with the nearest known one") {
  struct Row {
    const char* text;
    const char* unit;
    const char* nearest;
  };
  const Row rows[] = {{"96 GiBB", "GiBB", "GiB"},
                      {"667 tflops", "tflops", "TFLOPS"},
                      {"700 w", "w", "W"},
                      {"2.9 TB/S", "TB/S", "TB/s"},
                      {"8 corse", "corse", "core"},
                      {"131072 Token", "Token", "token"},
                      {"3200 gbit/s", "gbit/s", "Gbit/s"}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto written = parse_written(row.text);
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().code == base::Code::unit);
    CHECK(written.error().message ==
          "unknown unit `" + std::string(row.unit) + "` in `" + row.text + "`");
    CHECK(written.error().hint.find(row.nearest) != std::string::npos);
  }
  const auto far = parse_written("5 bananaweights");
  REQUIRE_FALSE(far.ok());
  CHECK(far.error().code == base::Code::unit);
  CHECK_FALSE(far.error().hint.empty());
}

TEST_CASE("FLOPs alone could be a count or a rate") {
  const auto written = parse_written("6e21 FLOPs");
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().code == base::Code::unit);
  CHECK(written.error().message == "`6e21 FLOPs` could be a count or a rate");
}

TEST_CASE("what is no quantity is refused") {
  struct Row {
    std::string text;
    base::Code code;
  };
  const Row rows[] = {
      {"", base::Code::syntax},
      {"   ", base::Code::syntax},
      {"GB", base::Code::syntax},
      {"-", base::Code::syntax},
      {"-GB", base::Code::syntax},
      {".", base::Code::syntax},
      {"NaN", base::Code::syntax},
      {"inf GB", base::Code::syntax},
      {".5 GB", base::Code::syntax},
      {"5. GB", base::Code::syntax},
      {"+5 GB", base::Code::syntax},
      {"1_000 GB", base::Code::syntax},
      {"1.2.3 GB", base::Code::syntax},
      {"1e5000 GB", base::Code::out_of_range},
      {std::string(5000, '1') + " GB", base::Code::out_of_range},
      {"5 GB GB", base::Code::unit},
      {"5 G B", base::Code::unit},
      {"0x10", base::Code::unit},
      {"5 GB\n", base::Code::unit},
      {std::string("5 GB\0", 5), base::Code::unit},
      {"5 \xff", base::Code::unit},
      {"5 " + std::string(100000, 'Z'), base::Code::unit},
      {"96 / s", base::Code::unit},
      {"15%", base::Code::unit},
  };
  for (const Row& row : rows) {
    const std::string shown = row.text.substr(0, 40);
    CAPTURE(shown);
    const auto written = parse_written(row.text);
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().code == row.code);
    CHECK_FALSE(written.error().message.empty());
    CHECK(written.error().message.size() < 400);
    CHECK(written.error().hint.size() < 600);
  }
}

TEST_CASE("the table of spellings is consistent") {
  std::set<std::string> seen;
  for (const UnitName& name : unit_names()) {
    CAPTURE(name.spelling);
    CHECK(seen.insert(name.spelling).second);
    const UnitName* canonical = find_unit(name.canonical);
    REQUIRE(canonical != nullptr);
    CHECK(canonical->canonical == name.canonical);
    CHECK(canonical->scale() == name.scale());
    CHECK(canonical->dimension == name.dimension);
    CHECK(name.scale().sign() > 0);
  }
  const std::vector<std::string> names = known_unit_names();
  CHECK(names.size() == seen.size());
  CHECK(std::find(names.begin(), names.end(), "GiB/s") != names.end());
}

}  // namespace
}  // namespace ullage::units
