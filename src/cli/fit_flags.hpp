// The flags of `fit` as typed, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/serving_flags.hpp"
#include "plan/fit.hpp"

namespace ullage::cli {

struct FitArguments {
  std::string model;
  std::optional<std::string> on;
  std::optional<std::string> assume;
  std::optional<std::string> weights;
  std::optional<std::string> bits;
  std::optional<std::string> working_memory;
  std::optional<std::string> reserve;
  std::optional<std::string> capacity;
  std::optional<std::string> devices;
  std::optional<std::string> price;
  std::optional<std::string> measured;
  ServingArguments serving;
  bool interval = false;
};

// Every flag of `ullage fit`, bound to `arguments`.
std::vector<Flag> fit_flags(FitArguments& arguments);

// What they say. Error usage naming the flag.
base::Result<plan::FitRequest> fit_request(const FitArguments& arguments);

}  // namespace ullage::cli
