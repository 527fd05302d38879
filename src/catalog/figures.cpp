// Copies claims into the graph, pinned one first.
#include "catalog/figures.hpp"

namespace ullage::catalog {

provenance::FigureId bring(provenance::Graph& graph, const FigureFact& fact) {
  if (!fact.known()) return graph.unknown(fact.name, fact.unit, fact.absence, fact.unknown);
  return graph.published(fact.name, fact.claims, fact.note);
}

provenance::FigureId bring(provenance::Graph& graph, const Entry& entry, std::string_view name,
                           units::Unit unit) {
  if (const FigureFact* fact = entry.figure(name)) return bring(graph, *fact);
  return graph.unknown(std::string(name), unit, provenance::Absence::unpublished,
                       "the entry of " + entry.id + " states no " + std::string(name));
}

}  // namespace ullage::catalog
