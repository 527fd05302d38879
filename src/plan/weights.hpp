// Parameters by component, floor and payload, as an answer.
#pragma once

#include <optional>
#include <string>

#include "import/open.hpp"
#include "memory/weights.hpp"
#include "plan/layout.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

struct WeightsRequest {
  std::string model;
  std::optional<std::string> assume;  // --assume FAMILY
  memory::WeightChoice weights;
  LayoutChoice layout;
  std::optional<std::string> engine;  // NAME[@VERSION]: gives the weights as it loads them
};

// One row with `parameters`, each `parameters_COMPONENT` (they sum to it), `parameters_stored`,
// `active_parameters`, `bits_per_parameter`, `weights_floor`, `weights_payload`; where headers of a
// checkpoint were read `weights_payload_FORMAT` of each of its formats; with a layout
// `weights_per_device` and, as children that sum to it, `weights_per_device_COMPONENT`; with an
// engine `weights_loaded_per_device` and `weights_loaded_host`. Figures that nobody states are
// unknown with the reason.
base::Result<provenance::Answer> weights(const WeightsRequest& request,
                                         catalog::Catalogue& catalogue,
                                         const base::FileSystem& files);

}  // namespace ullage::plan
