// What a model card means for memory: derived figures beside those that it states.
#pragma once

#include "catalog/catalogue.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// Adds to the row, as far as the card lets them be known: `weights_floor`, `weights_payload` (of
// its native format, where the card does not state the bytes), `kv_per_token`, `kv_per_sequence` at
// the card's context length (16-bit elements, assumed) and `state_per_sequence`; and as notes what
// the counting has to say. Returns the names that were added, in their order. Where nothing can be
// derived a note says why.
std::vector<std::string> add_memory(const catalog::Entry& card, catalog::Catalogue& catalogue,
                                    provenance::Graph& graph, provenance::Row& row);

}  // namespace ullage::plan
