// A formula with the numbers put in.
#pragma once

#include <string>

#include "provenance/graph.hpp"

namespace ullage::report {

// The formula of a derived figure with its terms, or else the names of its inputs, replaced by
// their exact values: `320,000,000,000 × 8 ÷ 8` for `parameters × bits ÷ 8`. A sum of parts is
// written out up to eight parts. Other words stay. Empty where nothing could be put in, or where
// only the value itself would stand there.
std::string with_numbers(const provenance::Graph& graph, const provenance::Node& node);

}  // namespace ullage::report
