// What an unclear unit could mean, with the exact bytes of each reading. Inside this room only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "exact/rational.hpp"

namespace ullage::units {

// The units that `unit` could stand for where it is a prefix without a unit or a unit of bytes or
// bits in the wrong case: `G`, `Gi`, `gb`, `Gb/s`. Empty for anything else.
std::vector<std::string> readings_of(std::string_view unit);

// The fault of an unclear quantity: `text` as typed, its number as typed and as a value, the units
// it could be in. `complaint` says what is missing: `does not say which unit`.
base::Diagnostic unclear(std::string_view text, std::string_view typed,
                         const exact::Rational& number, const std::vector<std::string>& readings,
                         std::string_view complaint);

// `text` without the spaces and tabs around it.
std::string_view trim(std::string_view text);

}  // namespace ullage::units
