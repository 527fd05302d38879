// The closed table of figure names: what each measures, so that an entry cannot say a rate in
// bytes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "units/unit.hpp"

namespace ullage::catalog {

struct FigureName {
  std::string_view name;
  units::Dimension dimension;
  units::Kind kind = units::Kind::plain;
  units::Scope scope =
      units::Scope::chip;  // in a chip's entry; aggregates take their entry's scope
  bool directed = false;   // whether a claim must say its direction
  bool aggregate = false;  // whether a system's figure is chips × chip
  std::string_view help;
};

// Hardware figures, in the order in which commands show them.
const std::vector<FigureName>& hardware_figure_names();
// Figures of model cards.
const std::vector<FigureName>& model_figure_names();
// Figures of what software does on a chip.
const std::vector<FigureName>& software_figure_names();

// The row of a name, or nullptr.
const FigureName* find_hardware_figure(std::string_view name);
const FigureName* find_model_figure(std::string_view name);
const FigureName* find_software_figure(std::string_view name);

// The precisions for which `dense_…` and `sparse_…` figures exist, in showing order.
const std::vector<std::string_view>& precisions();

}  // namespace ullage::catalog
