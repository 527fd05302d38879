// The flags of `kv` as typed, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/serving_flags.hpp"
#include "plan/kv.hpp"

namespace ullage::cli {

struct KvArguments {
  std::string model;
  ServingArguments serving;
  std::optional<std::string> kv_memory, capacity, weights, bits, assume;
};

// Every flag of `ullage kv`, bound to `arguments`.
std::vector<Flag> kv_flags(KvArguments& arguments);

// What they say. Error usage naming the flag.
base::Result<plan::KvRequest> kv_request(const KvArguments& arguments);

}  // namespace ullage::cli
