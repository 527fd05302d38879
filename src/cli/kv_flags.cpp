// Reads each flag of `kv` through cli/values.
#include "cli/kv_flags.hpp"

#include "cli/values.hpp"

namespace ullage::cli {

base::Result<plan::KvRequest> kv_request(const KvArguments& arguments) {
  plan::KvRequest request;
  request.model = arguments.model;
  request.assume = arguments.assume;
  ULLAGE_TRY(request.weights, weight_flags(arguments.weights, arguments.bits));
  ULLAGE_TRY(request.serve, arguments.serving.choice());
  ULLAGE_TRY(request.kv_memory, size_flag("--kv-memory", arguments.kv_memory));
  ULLAGE_TRY(request.capacity, size_flag("--capacity", arguments.capacity));
  ULLAGE_TRY(request.utilization, utilization_flag(arguments.serving.utilization));
  return request;
}

std::vector<Flag> kv_flags(KvArguments& arguments) {
  std::vector<Flag> flags = arguments.serving.flags();
  flags.push_back({"--kv-memory", "SIZE",
                   "memory for the cache of one device: asks how much it holds",
                   &arguments.kv_memory});
  flags.push_back({"--capacity", "SIZE",
                   "memory of one device, of which --utilization, the weights and each "
                   "--overhead leave the rest to the cache",
                   &arguments.capacity});
  flags.push_back({"--weights", "DTYPE",
                   "weight format that --capacity has to hold (default: the model's)",
                   &arguments.weights});
  flags.push_back({"--bits", "N", "plain bits per parameter instead", &arguments.bits});
  flags.push_back(
      {"--assume", "FAMILY", "count a configuration as another family", &arguments.assume});
  return flags;
}

}  // namespace ullage::cli
