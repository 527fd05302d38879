// How values read: prefixes, digits, rounding directions.
#include "report/value_text.hpp"

#include <doctest/doctest.h>

#include "sample_answer.hpp"
#include "units/quantity.hpp"

namespace {

using namespace ullage;
using namespace ullage::report;
using exact::Rounding;
using report::sample::number;

constexpr units::Unit kBytes{.dimension = units::kBytes};

std::string text_of(std::string_view value, units::Dimension dimension,
                    Rounding rounding = Rounding::nearest) {
  return value_text(number(value), {.dimension = dimension}, {.rounding = rounding});
}

TEST_CASE("bytes read in decimal with the binary size beside") {
  CHECK(text_of("103079215104", units::kBytes) == "103.08 GB (96.00 GiB)");
  CHECK(text_of("320000000000", units::kBytes) == "320.00 GB (298.02 GiB)");
  CHECK(text_of("320000000000", units::kBytes, Rounding::up) == "320.00 GB (298.03 GiB)");
  CHECK(text_of("0", units::kBytes) == "0 B");
  CHECK(text_of("999", units::kBytes) == "999 B");
  CHECK(text_of("5/2", units::kBytes) == "2.50 B");
  CHECK(text_of("1000", units::kBytes) == "1.00 kB (0.98 KiB)");
  CHECK(text_of("1540000000000", units::kBytes) == "1.54 TB (1.40 TiB)");
  CHECK(text_of("2000000000000000000000000", units::kBytes) ==
        "2,000,000.00 EB (1,734,723.48 EiB)");
}

TEST_CASE("the prefix follows the rounded value") {
  CHECK(text_of("999999999", units::kBytes, Rounding::up) == "1.00 GB (0.94 GiB)");
  CHECK(text_of("999999999", units::kBytes, Rounding::down) == "999.99 MB (953.67 MiB)");
  CHECK(text_of("999999999", units::kBytes) == "1.00 GB (0.93 GiB)");
}

TEST_CASE("rounding goes the way that is asked, below zero too") {
  const auto plain = [](std::string_view value, Rounding rounding) {
    return value_text(number(value), kBytes, {.rounding = rounding, .binary_beside = false});
  };
  CHECK(plain("87617332838.4", Rounding::down) == "87.61 GB");
  CHECK(plain("87617332838.4", Rounding::up) == "87.62 GB");
  CHECK(plain("-1234567890", Rounding::down) == "-1.24 GB");
  CHECK(plain("-1234567890", Rounding::up) == "-1.23 GB");
}

TEST_CASE("a rounded value is marked only where asked") {
  CHECK(value_text(number("87617332838.4"), kBytes, {.mark_rounded = true}) ==
        "≈ 87.62 GB (81.60 GiB)");
  CHECK(value_text(number("320000000000"), kBytes, {.mark_rounded = true}).substr(0, 6) ==
        "320.00");
  CHECK(number_text(number("1/3"), {.mark_rounded = true}) == "≈ 0.3333");
  CHECK(number_text(number("1/4"), {.mark_rounded = true}) == "0.25");
}

TEST_CASE("rates") {
  CHECK(text_of("667000000000000", units::kFlopRate) == "667 TFLOP/s");
  CHECK(text_of("1978900000000000", units::kFlopRate) == "1,978.90 TFLOP/s");
  CHECK(text_of("20000000000000000", units::kFlopRate) == "20 PFLOP/s");
  CHECK(text_of("190000000000000", units::kOpRate) == "190 TOP/s");
  CHECK(text_of("2900000000000", units::kByteRate) == "2.90 TB/s");
  CHECK(text_of("72400000000", units::kFlops) == "72.40 GFLOP");
  CHECK(text_of("2900000000000", units::kFlopRate / units::kWatts) == "2.90 TFLOP/s per W");
}

TEST_CASE("tokens, power, time and money") {
  CHECK(text_of("131072", units::kTokens) == "131,072 tokens");
  CHECK(text_of("1", units::kTokens) == "1 token");
  CHECK(text_of("2469/2", units::kTokenRate) == "1,234.50 tokens/s");
  CHECK(text_of("72000", units::kBytes / units::kTokens) == "72.00 kB/token (70.31 KiB/token)");
  CHECK(text_of("500", units::kWatts) == "500 W");
  CHECK(text_of("0.0124", units::kSeconds) == "12.40 ms");
  CHECK(text_of("0.0000000001", units::kSeconds) == "0.10 ns");
  CHECK(text_of("0", units::kSeconds) == "0 s");
  CHECK(text_of("86399", units::kSeconds) == "86,399 s");
  CHECK(text_of("129600", units::kSeconds) == "129,600 s (1.50 days)");
  CHECK(value_text(number("98.32") / number("3600"), {.dimension = units::kDollarRate}) ==
        "98.32 USD/h");
  CHECK(text_of("0.00000042", {.token = -1, .dollar = 1}) == "0.42 USD/million tokens");
}

TEST_CASE("plain numbers") {
  CHECK(number_text(number("320000000000")) == "320,000,000,000");
  CHECK(number_text(number("-1234567")) == "-1,234,567");
  CHECK(number_text(number("100")) == "100");
  CHECK(number_text(number("4.25")) == "4.25");
  CHECK(number_text(number("10/3")) == "3.3333");
  CHECK(number_text(number("10/3"), {.rounding = Rounding::up}) == "3.3334");
  CHECK(number_text(number("123456.789")) == "123,456.79");
  CHECK(number_text(number("1/3000")) == "0.0003333");
  CHECK(number_text(number("-1/3000"), {.rounding = Rounding::down}) == "-0.0003334");
}

TEST_CASE("percent") {
  CHECK(percent_text(number("3/20")) == "15%");
  CHECK(percent_text(number("1/3"), {.rounding = Rounding::down}) == "33.33%");
  CHECK(percent_text(number("1")) == "100%");
  CHECK(percent_text(number("-1/1000000")) == "0%");
}

TEST_CASE("exact text never rounds") {
  CHECK(exact_text(number("103079215104"), kBytes) == "103,079,215,104 B");
  CHECK(exact_text(number("87617332838.4"), kBytes) == "87,617,332,838.4 B");
  CHECK(exact_text(number("1/3"), {}) == "1/3");
  CHECK(exact_text(exact::power_of_two(-40), {}) == finite_decimal(exact::power_of_two(-40)));
  CHECK(finite_decimal(exact::power_of_two(-41)).empty());
  CHECK(finite_decimal(number("-3/20")) == "-0.15");
}

TEST_CASE("figures without a value") {
  provenance::Graph graph;
  const auto unknown =
      graph.unknown("tdp", {}, provenance::Absence::unpublished, "printed nowhere");
  const auto missing = graph.unknown("fp4", {}, provenance::Absence::unsupported, "no such unit");
  CHECK(figure_text(graph[unknown]) == "unknown");
  CHECK(figure_text(graph[missing]) == "not supported");
  CHECK(figure_text_with_printed(graph[unknown]) == "unknown");
}

TEST_CASE("a published figure keeps the source's own words") {
  provenance::Graph graph;
  const auto capacity =
      graph.published("memory", {sample::claim("103079215104", kBytes, "96 GiB", "s", "L1")});
  const auto power = graph.published(
      "tdp", {sample::claim("500", {.dimension = units::kWatts}, "500 W", "s", "L1")});
  CHECK(figure_text_with_printed(graph[capacity]) == "103.08 GB (96.00 GiB), printed as 96 GiB");
  CHECK(figure_text_with_printed(graph[power]) == "500 W");
}

TEST_CASE("rounding by result name") {
  CHECK(rounding_for("device_budget") == Rounding::down);
  CHECK(rounding_for("headroom_per_device") == Rounding::down);
  CHECK(rounding_for("max_concurrency") == Rounding::down);
  CHECK(rounding_for("kv_memory") == Rounding::down);
  CHECK(rounding_for("weights_payload") == Rounding::up);
  CHECK(rounding_for("kv_total") == Rounding::up);
  CHECK(rounding_for("total_upper_per_device") == Rounding::up);
  CHECK(rounding_for("memory_capacity") == Rounding::nearest);
  CHECK(rounding_for("bits_per_parameter") == Rounding::nearest);
}

}  // namespace
