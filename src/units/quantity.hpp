// A number with its unit, and the grammar in which people and data files write one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "exact/rational.hpp"
#include "units/unit.hpp"

namespace ullage::units {

// An exact value in base units (bytes, FLOP/s, …).
struct Quantity {
  exact::Rational value;
  Unit unit;

  bool operator==(const Quantity&) const = default;
};

// Sum and difference. Error `kind_mismatch` naming both sides unless dimension, kind, direction and
// scope all agree: dense and sparse, one-way and both-way, chip and system never add up.
base::Result<Quantity> add(const Quantity& a, const Quantity& b);
base::Result<Quantity> subtract(const Quantity& a, const Quantity& b);
// Ratio of two quantities of one unit, as a plain number. Error `kind_mismatch`, or `arithmetic` on
// a zero divisor.
base::Result<exact::Rational> ratio(const Quantity& a, const Quantity& b);

// A value as it was written, with its unit spelled as it was written.
struct Written {
  exact::Rational number;  // as printed: 96 of `96 GiB`
  std::string unit;        // canonical spelling of the printed unit: `GiB`, `TFLOP/s`
  exact::Rational scale;   // base units in one printed unit
  Dimension dimension;

  exact::Rational value() const { return number * scale; }
};

// Reads `96 GiB`, `32GB`, `667 TFLOPS`, `2.9 TB/s`, `3200 Gbit/s`, `50 GiB/s`, `700 W`, `380 TOPS`,
// `8 cores`, `131072 token`, `16` … with the number as Rational::parse takes it.
// Decimal prefixes are powers of 1000 (kB MB GB TB PB), binary ones of 1024 (KiB MiB GiB TiB PiB);
// bits only as `bit`, `Gbit`, `Gbps`, `Tbps`.
// Error `unit`: a bare `G`, `M`, `gb` and the like with every reading shown; an unknown unit with
// the nearest known one; `syntax` for the number.
base::Result<Written> parse_written(std::string_view text);

// Every spelling of a unit that parse_written knows, related ones side by side.
std::vector<std::string> known_unit_names();

// A memory size for a flag or a plan: as parse_written, but the unit must be one of bytes. A bare
// number or bare prefix is refused with both readings (`96GB = 96000000000 B, 96GiB = …`).
// A negative size is refused.
base::Result<exact::Rational> parse_size(std::string_view text);

// A count with the suffixes that people use for tokens: `8k` = 8192, `128k`, `1m` = 1048576, else a
// plain whole number. Upper case K and M mean the same. Negative or fractional values are refused.
base::Result<exact::Rational> parse_count(std::string_view text);

// A share: `15%` or `15` is 15/100; a value in (0, 1) without the sign is refused with both
// readings; below 0 or above 100 is refused.
base::Result<exact::Rational> parse_percent(std::string_view text);

}  // namespace ullage::units
