// What tokens cost at a price and a measured rate, both given by the user.
#pragma once

#include "provenance/graph.hpp"

namespace ullage::plan {

// price ÷ measured rate × 1,000,000 in USD; `price` in USD/s, `rate` in tokens/s. Unknown where one
// of them is, or the rate is zero.
provenance::FigureId cost_per_million_tokens(provenance::Graph& graph, provenance::FigureId price,
                                             provenance::FigureId rate);

}  // namespace ullage::plan
