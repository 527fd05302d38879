// Walks an entry for its sources.
#include "catalog/citations.hpp"

#include "catalog/load_parts.hpp"

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

void add_figures(std::vector<Citation>& citations, const FigureList& figures,
                 const std::string& prefix) {
  for (const FigureFact& fact : figures) {
    for (const provenance::Claim& claim : fact.claims) {
      add(citations,
          {claim.source, "figure", prefix + fact.name, claim.written, claim.locator, &claim},
          claim.also);
    }
  }
}

void add_statements(std::vector<Citation>& citations, const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    add(citations, {statement.source, "statement", "", statement.text, statement.locator}, {});
  }
}

void add_software(std::vector<Citation>& citations, const Software& software) {
  const std::string prefix = software.id + " ";
  add(citations,
      {software.support.source, "software", prefix + "support", software.support.value,
       software.support.locator},
      software.support.also);
  for (const ListFact& list : software.lists) {
    std::string values;
    for (const std::string& value : list.values)
      values += (values.empty() ? "" : ", ") + value;
    add(citations, {list.source, "software", prefix + list.name, values, list.locator}, list.also);
  }
  add_figures(citations, software.figures, prefix);
  add_statements(citations, software.statements);
}

}  // namespace

std::vector<Citation> citations_of(const Entry& entry) {
  std::vector<Citation> citations;
  add_fact(citations, entry.status, "status");
  add_figures(citations, entry.figures, "");
  for (const TextFact& fact : entry.attributes)
    add_fact(citations, fact, "attribute");
  add_statements(citations, entry.statements);
  if (entry.architecture) {
    const Architecture& shape = *entry.architecture;
    add(citations, {shape.source, "architecture", "", "the shape of the model", shape.locator}, {});
  }
  for (const Entry& partition : entry.partitions) {
    const std::string prefix(partition_name(partition));
    add_figures(citations, partition.figures, prefix + " ");
    for (const TextFact& fact : partition.attributes)
      add_fact(citations, fact, "attribute");
    add_statements(citations, partition.statements);
  }
  for (const Software& software : entry.software)
    add_software(citations, software);
  return citations;
}

std::set<std::string, std::less<>> cited_sources(const Entry& entry) {
  std::set<std::string, std::less<>> ids;
  for (const Citation& citation : citations_of(entry))
    ids.insert(citation.source);
  return ids;
}

}  // namespace ullage::catalog
