// What of an entry rests on which source.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/entry.hpp"

namespace ullage::catalog {

// One thing that an entry takes from one source.
struct Citation {
  std::string source;
  std::string what;  // figure, attribute, statement, status, architecture, software
  std::string name;  // of a figure or attribute; else empty
  std::string says;  // the value or text as the entry writes it
  std::string locator;
  const provenance::Claim* claim = nullptr;  // of a figure
};

// Every citation of the entry in the order of its file, figures with all their claims, and of the
// partitions and software that it has loaded. A claim that
// rests on several sources is one citation for each. Pointers live as long as the entry.
std::vector<Citation> citations_of(const Entry& entry);

// The ids of those sources, sorted.
std::set<std::string, std::less<>> cited_sources(const Entry& entry);

}  // namespace ullage::catalog
