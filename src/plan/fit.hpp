// The main question: does a model fit on a device, on how many, and with how much room left.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/open.hpp"
#include "memory/weights.hpp"
#include "plan/devices.hpp"
#include "plan/fit_workload.hpp"
#include "plan/given.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

struct FitRequest {
  std::string model;
  std::string on;                     // `trainium2,h100-sxm` or `all`
  std::optional<std::string> assume;  // --assume FAMILY
  memory::WeightChoice weights;
  std::optional<GivenNumber> working_memory;  // bytes; nothing: 32 GB, assumed
  std::optional<GivenNumber> reserve;         // share; nothing: 15 %, assumed
  CapacityChoice capacity;
  std::optional<GivenNumber> devices;      // how many the user has
  std::optional<GivenNumber> price;        // USD/s for one device as named
  std::optional<GivenNumber> measured;     // tokens/s of all devices together
  ServeChoice serve;                       // a workload and a layout, where given
  std::optional<GivenNumber> utilization;  // share that the engine may use
  bool interval = false;  // whether conflicting claims stay in the answer as ranges
};

// One row a device, in the order asked. Verdict `lower-bound` without `devices`, else `fits` or
// `does-not-fit`; `unknown` where a needed figure is. Every amount is exact; the lower bound rounds
// up. The pinned claims decide; where others would flip the verdict or change the bound, a note
// `conflict` says so. On an instance or system, capacity, budget, reserve and headroom are those of
// one chip, `devices_min` counts instances and `chips_min` chips.
base::Result<provenance::Answer> fit(const FitRequest& request, catalog::Catalogue& catalogue,
                                     const base::FileSystem& files);

}  // namespace ullage::plan
