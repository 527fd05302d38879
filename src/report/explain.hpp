// How each figure came about, down to its sources, as an outline.
#pragma once

#include <vector>

#include "provenance/answer.hpp"
#include "report/page.hpp"
#include "report/reach.hpp"

namespace ullage::report {

// One section a named figure, in the order given: its value (rounded, and exactly beside it), its
// formula in words and with the numbers put in, and below it each input in the same way, down to
// flags, file places, defaults and published claims with their sources; every claim that disagrees
// with its relation and the reason of the pin; unknown figures with the reason. What was shown
// before is referred to, not shown again; a source is given in full where it first appears.
// Defect where a claim cites a source that does not exist.
std::vector<Section> explain(const provenance::Graph& graph,
                             const std::vector<provenance::NamedFigure>& figures,
                             const SourceLookup& sources);

}  // namespace ullage::report
