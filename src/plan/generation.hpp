// Factors between generations: what a vendor states ("6.7 times the FP8 rate") beside what the
// published figures give.
#pragma once

#include <vector>

#include "plan/device_figures.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// For each factor over `older` that a statement of `newer` gives for one of `figures`: the result
// `factor_NAME_over_ID`, computed, with the statement's factor as its claim, and a note that names
// both, as a warning where they differ by more than half of the last printed digit.
void add_generation_factors(provenance::Graph& graph,
                            const std::vector<const catalog::FigureName*>& figures,
                            DeviceFigures& newer, DeviceFigures& older, provenance::Row& row);

}  // namespace ullage::plan
