// The spellings of units that ullage reads. Inside this room only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exact/rational.hpp"
#include "units/unit.hpp"

namespace ullage::units {

// One spelling: `GBps` stands for `GB/s`, a billion base units (B/s).
struct UnitName {
  std::string spelling;
  std::string canonical;
  Dimension dimension;
  std::int64_t multiple;  // base units in one unit: multiple ÷ divisor
  std::int64_t divisor;

  exact::Rational scale() const { return exact::Rational(multiple) / exact::Rational(divisor); }
};

// Every spelling, related ones side by side, each once.
const std::vector<UnitName>& unit_names();

// The unit of exactly that spelling (case counts: `Mbit` is no `mbit`), or null.
const UnitName* find_unit(std::string_view spelling);

}  // namespace ullage::units
