// `.ullage.yaml`: what a project sets for its checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/check/waivers.hpp"

namespace ullage::plan {

struct CheckConfig {
  std::optional<std::string> on;
  std::optional<std::string> fail_on;
  std::optional<std::string> max_age;
  bool allow_inconclusive = false;
  std::map<std::string, std::string, std::less<>> devices;  // `label=value` to a device
  std::vector<Waiver> waivers;
};

// Reads ullage/config/1. Errors at their place.
base::Result<CheckConfig> read_config(std::string_view text, const std::string& file);

// The waivers of a file of their own, ullage/waivers/1.
base::Result<std::vector<Waiver>> read_waiver_file(std::string_view text, const std::string& file);

}  // namespace ullage::plan
