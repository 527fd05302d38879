// Numbered marks behind figures, and the list of sources that they stand for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "provenance/graph.hpp"
#include "report/page.hpp"
#include "report/reach.hpp"

namespace ullage::report {

// Collects sources in the order in which they are first marked. Holds references: the graph
// outlives it.
class SourceList {
 public:
  SourceList(const provenance::Graph& graph, SourceLookup sources)
      : graph_(graph), sources_(std::move(sources)) {}

  // `[1] [3]`: the sources of the pinned claims that the figure rests on, by number. Empty where it
  // rests on none.
  std::string marks(provenance::FigureId figure);

  bool empty() const { return entries_.empty(); }

  // Section "Sources": number, title, publisher, the places that were used, revision, day, tier,
  // and the address. Defect where a source does not exist.
  Section legend() const;

 private:
  struct Entry {
    std::string id;
    std::vector<std::string> locators;
  };

  std::size_t number_of(const provenance::Claim& claim);

  const provenance::Graph& graph_;
  SourceLookup sources_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace ullage::report
