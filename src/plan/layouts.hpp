// Every way to lay a model out over a number of devices, with what each device holds, and why the
// others are not possible.
#pragma once

#include <optional>
#include <string>

#include "import/open.hpp"
#include "plan/devices.hpp"
#include "plan/serve.hpp"

namespace ullage::plan {

struct LayoutsRequest {
  std::string model;
  std::string on;                     // one chip, instance or system
  std::optional<std::string> assume;  // --assume FAMILY
  memory::WeightChoice weights;
  ServeChoice serve;  // degrees that are given are kept as they are
  CapacityChoice capacity;
  std::optional<GivenNumber> reserve;      // share
  std::optional<GivenNumber> utilization;  // share
  std::optional<GivenNumber> devices;      // as --on names them; nothing: all of one, or the fewest
  std::optional<std::string> by;           // the result that rows are sorted by
  std::optional<GivenNumber> limit;        // rows shown
};

// One row a layout that the counts allow: `tp pp ep dp cp devices weights_per_device kv_per_device
// headroom_per_device kv_replication padding_per_device feasible` (1 or 0), feasible ones with the
// most headroom first unless `by` says otherwise. Rejected degrees are notes of the first row with
// their reason; `devices_min` there is the arithmetic bound beside `devices_feasible`, the fewest
// devices of a feasible layout. Errors: usage for an unknown `by`, those of `serve`.
base::Result<provenance::Answer> layouts(const LayoutsRequest& request,
                                         catalog::Catalogue& catalogue,
                                         const base::FileSystem& files);

}  // namespace ullage::plan
