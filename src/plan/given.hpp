// Numbers that a user gives.
#pragma once

#include <string>

#include "exact/rational.hpp"

namespace ullage::plan {

// A size or number of the user's with the flag as typed, for the figure's origin.
struct GivenNumber {
  exact::Rational value;
  std::string where;  // `--reserve 15%`
};

}  // namespace ullage::plan
