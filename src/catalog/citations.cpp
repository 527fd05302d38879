// Walks an entry for its sources.
#include "catalog/citations.hpp"

namespace ullage::catalog {
namespace {

void add(std::vector<Citation>& citations, const Citation& citation,
         const std::vector<std::string>& also) {
  if (!citation.source.empty()) citations.push_back(citation);
  for (const std::string& source : also) {
    citations.push_back(citation);
    citations.back().source = source;
  }
}

void add_fact(std::vector<Citation>& citations, const TextFact& fact, const std::string& what) {
  add(citations, {fact.source, what, what == "status" ? "" : fact.name, fact.value, fact.locator},
      fact.also);
}

}  // namespace

std::vector<Citation> citations_of(const Entry& entry) {
  std::vector<Citation> citations;
  add_fact(citations, entry.status, "status");
  for (const FigureFact& fact : entry.figures) {
    for (const provenance::Claim& claim : fact.claims) {
      add(citations, {claim.source, "figure", fact.name, claim.written, claim.locator, &claim},
          claim.also);
    }
  }
  for (const TextFact& fact : entry.attributes)
    add_fact(citations, fact, "attribute");
  for (const Statement& statement : entry.statements) {
    add(citations, {statement.source, "statement", "", statement.text, statement.locator}, {});
  }
  if (entry.architecture) {
    const Architecture& shape = *entry.architecture;
    add(citations, {shape.source, "architecture", "", "the shape of the model", shape.locator}, {});
  }
  return citations;
}

std::set<std::string, std::less<>> cited_sources(const Entry& entry) {
  std::set<std::string, std::less<>> ids;
  for (const Citation& citation : citations_of(entry))
    ids.insert(citation.source);
  return ids;
}

}  // namespace ullage::catalog
