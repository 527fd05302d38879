// MaxText's configuration: `key=value` on its command line, and the keys of its files.
#pragma once

#include <span>
#include <string>

#include "plan/files/settings.hpp"

namespace ullage::plan {

struct MaxTextKey {
  std::string name;  // `ici_fsdp_parallelism`
  Word value;
};

// The knobs among the keys; the last of a name wins.
Settings maxtext_settings(std::span<const MaxTextKey> keys);

// What no knob holds: how the states are sharded, their bytes, what lies on the host. Keys with
// variables that nobody gives are left out.
void read_maxtext_layout(std::span<const MaxTextKey> keys, Workload& workload);

}  // namespace ullage::plan
