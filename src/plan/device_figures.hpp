// The figures of one device as commands show them: what its entry states, and for an instance or
// system the sums over its parts with what the vendor prints beside them.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "catalog/catalogue.hpp"
#include "catalog/figure_names.hpp"
#include "plan/aggregate.hpp"
#include "provenance/graph.hpp"

namespace ullage::plan {

// Holds references: graph, catalogue and entry outlive it.
class DeviceFigures {
 public:
  DeviceFigures(provenance::Graph& graph, catalog::Catalogue& catalogue,
                const catalog::Entry& entry);

  // Whether the entry or its parts say anything of the figure, be it that it is unknown.
  bool mentions(const catalog::FigureName& name) const;

  // The figure: a sum over the parts, the published one, or an unknown one with its reason. The
  // same figure each time.
  provenance::FigureId bring(const catalog::FigureName& name);

  // The figure `chips` of an instance or system, made once.
  std::optional<provenance::FigureId> chips() const { return chips_; }

  const Parts& parts() const { return parts_; }
  const catalog::Entry& entry() const { return entry_; }

 private:
  bool is_sum_of_chips(const catalog::FigureName& name) const;
  provenance::FigureId make(const catalog::FigureName& name);
  provenance::FigureId sum_of_chips(const catalog::FigureName& name);
  provenance::FigureId sum_of_instances(const catalog::FigureName& name);

  provenance::Graph& graph_;
  const catalog::Entry& entry_;
  Parts parts_;
  std::optional<provenance::FigureId> chips_;
  std::map<std::string_view, provenance::FigureId> made_;
};

}  // namespace ullage::plan
