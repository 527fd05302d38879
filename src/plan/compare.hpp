// Devices side by side: the same figure of each, with its ratio to the first device's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalogue.hpp"
#include "plan/fit.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// Of what one figure is shown. `entry`: of the device as named.
enum class Per : std::uint8_t { entry, chip, core, instance, system, watt };

struct CompareRequest {
  std::vector<std::string> devices;          // as named; `all` is every current one
  std::vector<std::string_view> precisions;  // of catalog::precisions(); empty: all
  Per per = Per::entry;
  // One for all devices or one a device, in their order; empty: none.
  std::vector<GivenNumber> prices;    // USD/s
  std::vector<GivenNumber> measured;  // tokens/s
  bool interval = false;              // conflicting claims as ranges
};

// One row a device, in the order asked. Results are the figures of `show` that devices can be
// compared by, in its order and under its names: each that any device mentions and each precision
// asked for; what a device does not state is unknown, never taken from another precision, form or
// direction. From the second row on `ratio_NAME` follows for every figure that this device and the
// first one know, but for links of different directions. Where a vendor states a factor between two
// of the devices, the row has `factor_NAME_over_ID`, computed, with the statement beside it. With a
// price and a measured rate: `cost_per_million_tokens`.
// Errors: those of the catalogue; usage for fewer than two devices, one device twice, or a number
// of prices or rates that is neither one nor that of the devices.
base::Result<provenance::Answer> compare(const CompareRequest& request,
                                         catalog::Catalogue& catalogue);

}  // namespace ullage::plan
