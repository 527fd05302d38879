// Arithmetic as an engine's binary floating point does it, in integers: where its rounding decides
// a count that it prints.
#pragma once

#include "exact/rational.hpp"

namespace ullage::engine {

// The nearest binary64 number (53 significant bits, ties to even) to a value of at least 0 within
// its normal range.
exact::Rational to_binary64(const exact::Rational& value);

}  // namespace ullage::engine
