// A device as the planner sees it: one memory-bearing chip or partition of one, and how many of
// them the named thing holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "catalog/catalogue.hpp"
#include "provenance/graph.hpp"

namespace ullage::plan {

// Which capacity counts: the vendor's, the driver's, or a size that the user gives.
enum class CapacityBasis : std::uint8_t { nominal, visible, given };

struct CapacityChoice {
  CapacityBasis basis = CapacityBasis::nominal;
  exact::Rational size;  // given: bytes
  std::string where;     // given: the flag as typed
};

struct Device {
  const catalog::Entry* entry = nullptr;      // what was named
  const catalog::Entry* chip = nullptr;       // what holds the memory; `entry` itself for a chip
                                              // or partition
  std::optional<provenance::FigureId> chips;  // of an instance or system
  provenance::FigureId capacity;              // of one chip; may be unknown
  std::vector<base::Note> notes;
};

// Resolves the memory of one chip of `name`. Errors of the catalogue, `reference` for an instance
// whose chip has no entry.
base::Result<Device> open_device(provenance::Graph& graph, catalog::Catalogue& catalogue,
                                 const std::string& name, const CapacityChoice& capacity);

// The names behind `--on A,B` or `--on all` (every current chip, instance and system, sorted by
// kind and id; announced entries are left out and named by nobody else). Error usage on an empty
// item.
base::Result<std::vector<std::string>> device_names(catalog::Catalogue& catalogue,
                                                    const std::string& on);

// Documented chips whose nominal capacity is nearest to that of `chip`, at most `most`, by distance
// and then id: candidates, not a ranking. Nothing is loaded for it.
std::vector<catalog::Listing> nearest_by_capacity(const catalog::Catalogue& catalogue,
                                                  const catalog::Entry& chip, std::size_t most);

// Notes that an answer about the entry needs: its conflicts among `figures`, a status other than
// documented.
void note_conflicts(const catalog::Entry& entry, const std::vector<std::string>& figures,
                    std::vector<base::Note>& notes);

}  // namespace ullage::plan
