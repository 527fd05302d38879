// Divisions of figures whose units are known at run time only.
#pragma once

#include <string>

#include "provenance/graph.hpp"

namespace ullage::plan {

// What a quotient is called and measures.
struct QuotientName {
  std::string name;
  units::Unit unit;
  std::string formula;
};

// dividend ÷ divisor with its range, where one of them has one; unknown with the reason where one
// of them is unknown, or the divisor is zero.
provenance::FigureId quotient(provenance::Graph& graph, QuotientName name,
                              provenance::FigureId dividend, provenance::FigureId divisor);

}  // namespace ullage::plan
