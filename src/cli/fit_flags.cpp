// Reads each flag of `fit` through cli/values.
#include "cli/fit_flags.hpp"

#include "cli/values.hpp"

namespace ullage::cli {

base::Result<plan::FitRequest> fit_request(const FitArguments& arguments) {
  plan::FitRequest request;
  request.model = arguments.model;
  request.on = *arguments.on;
  request.assume = arguments.assume;
  ULLAGE_TRY(request.weights, weight_flags(arguments.weights, arguments.bits));
  ULLAGE_TRY(request.working_memory, size_flag("--working-memory", arguments.working_memory));
  ULLAGE_TRY(request.reserve, percent_flag("--reserve", arguments.reserve));
  ULLAGE_TRY(request.capacity, capacity_flag(arguments.capacity));
  ULLAGE_TRY(request.devices, count_flag("--devices", arguments.devices));
  ULLAGE_TRY(request.price, price_flag("--price", arguments.price));
  ULLAGE_TRY(request.measured, token_rate_flag("--measured", arguments.measured));
  ULLAGE_TRY(request.serve, arguments.serving.choice());
  ULLAGE_TRY(request.utilization, utilization_flag(arguments.serving.utilization));
  request.interval = arguments.interval;
  return request;
}

std::vector<Flag> fit_flags(FitArguments& arguments) {
  std::vector<Flag> flags = {
      {"--on", "DEVICE[,...]", "chips, instances or systems, comma separated, or all",
       &arguments.on, true},
      {"--weights", "DTYPE",
       "weight format: bf16, fp8, fp8-block, int4, mxfp4 … (default: the model's own)",
       &arguments.weights},
      {"--bits", "N", "plain bits per parameter instead of a format", &arguments.bits},
      {"--working-memory", "SIZE",
       "memory beside the weights, as a lump (default 32GB, shown as assumed)",
       &arguments.working_memory},
      {"--reserve", "PCT", "share of each device kept free (default 15%, shown as assumed)",
       &arguments.reserve},
      {"--capacity", "WHICH",
       "nominal, visible or a SIZE: the capacity that counts (default nominal)",
       &arguments.capacity},
      {"--devices", "N", "how many you have: gives a verdict and the headroom", &arguments.devices},
      {"--price", "USD/h",
       "price of one device: gives the cost of the lower bound (the catalogue holds no prices)",
       &arguments.price},
      {"--measured", "TOKENS/s",
       "rate that you measured on all devices: with --price the cost of a million tokens",
       &arguments.measured},
      {"--interval", "", "carry conflicting claims through the arithmetic as ranges",
       &arguments.interval},
      {"--assume", "FAMILY", "count a configuration as another family", &arguments.assume}};
  const std::vector<Flag> serving = arguments.serving.flags();
  flags.insert(flags.end(), serving.begin(), serving.end());
  return flags;
}

}  // namespace ullage::cli
