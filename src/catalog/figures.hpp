// From an entry to the derivation graph: the only way in which catalogue facts become figures.
#pragma once

#include "catalog/entry.hpp"
#include "provenance/graph.hpp"

namespace ullage::catalog {

// The figure of a fact: published with all its claims, or unknown with its reason.
provenance::FigureId bring(provenance::Graph& graph, const FigureFact& fact);

// Likewise by name; an entry that says nothing of it gives an unknown figure of `unit` whose reason
// is that the entry does not state it.
provenance::FigureId bring(provenance::Graph& graph, const Entry& entry, std::string_view name,
                           units::Unit unit);

}  // namespace ullage::catalog
