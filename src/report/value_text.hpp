// How a figure reads to people: which prefix, how many digits, what stands beside it.
#pragma once

#include <string>
#include <string_view>

#include "provenance/graph.hpp"

namespace ullage::report {

// How a value is cut to the digits that are shown. Capacities, budgets and headroom go down,
// demands up, so that a rounded pair never turns a miss into a fit.
struct ValueStyle {
  exact::Rounding rounding = exact::Rounding::nearest;
  bool mark_rounded = false;  // `≈ ` before a value that is not exactly what is shown
  bool binary_beside = true;  // bytes: `103.08 GB (96.00 GiB)` instead of `103.08 GB`
};

// The value in the unit that people use for it:
//   bytes        `103.08 GB (96.00 GiB)`, two decimals, the decimal prefix chosen by magnitude and
//                its binary neighbour beside it; exact below 1 kB: `512 B`
//   byte rates   `2.90 TB/s`, bytes a token `70.31 kB/token (68.66 KiB/token)`
//   FLOP, OP     `667 TFLOP/s`, `190 TOP/s`, `36.20 GFLOP/token`; rates change from T to P only at
//                10,000 T, as vendors print them
//   tokens       `131,072 tokens`, `1,234.50 tokens/s`
//   power, time  `500 W`, `12.40 ms`
//   money        `98.32 USD/h`; a price of tokens as `0.42 USD/million tokens`
//   plain        as number_text
// Whole values have no decimals but in bytes and byte rates. Rounded once, in the given direction.
std::string value_text(const exact::Rational& value, const units::Unit& unit,
                       const ValueStyle& style = {});

// A plain number: whole ones with separators (`320,000,000,000`), others as decimals: two from 100
// on, at most four from 1 on, four significant digits below; trailing zeros are cut.
std::string number_text(const exact::Rational& value, const ValueStyle& style = {});

// A share of one as percent with at most two decimals: `15%`, `98.27%`.
std::string percent_text(const exact::Rational& share, const ValueStyle& style = {});

// The value without any rounding, in base units: `103,079,215,104 B`, `0.15`, `1/3`. Decimal where
// it ends within 40 digits, else a fraction.
std::string exact_text(const exact::Rational& value, const units::Unit& unit);

// Plain decimal text of a value that ends within 40 digits (`87617332838.4`), else empty.
std::string finite_decimal(const exact::Rational& value);

// Both ends of a range, the low one rounded down and the high one up: `94.00 GB … 103.08 GB`.
std::string range_text(const exact::Interval& range, const units::Unit& unit);

// The text of a value with the range that conflicting claims give it, rounded outwards:
// `5 (4 … 6)`, `103.08 GB (96.00 GiB; 94.00 GB … 103.08 GB)`.
std::string with_range(std::string text, const exact::Interval& range, const units::Unit& unit);

// A figure: value_text, with its range where it has one, or `unknown` where it has no value (`not
// supported` where the device does not have it).
std::string figure_text(const provenance::Node& node, const ValueStyle& style = {});

// As figure_text, with the source's own words beside a published value where they read otherwise:
// `103.08 GB (96.00 GiB), printed as 96 GiB`.
std::string figure_text_with_printed(const provenance::Node& node, const ValueStyle& style = {});

// The direction for a result of that name (contract: results): down for what is available or
// possible (budget, headroom, limits on tokens), up for what is needed in bytes, else nearest.
exact::Rounding rounding_for(std::string_view result_name);

}  // namespace ullage::report
