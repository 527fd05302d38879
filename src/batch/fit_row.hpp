// A row of `fit` from resolved facts, in plain numbers.
#pragma once

#include <array>
#include <string_view>

#include "batch/facts.hpp"

namespace ullage::batch {

// The results that this way computes, in the order of a row of `fit`.
enum class FitResult : std::uint8_t {
  parameters,
  active_parameters,
  bits_per_parameter,
  weights_floor,
  weights_payload,
  state_per_sequence,
  kv_per_sequence,
  kv_total,
  state_total,
  working_memory,
  required_memory,
  device_capacity,
  reserve,
  device_budget,
  devices_min,
  chips_min,
  chips,
  devices,
  headroom_per_device,
};
inline constexpr std::size_t kFitResults = 19;
std::string_view name_of(FitResult result);

struct FitRow {
  std::string_view device;
  std::string_view verdict;
  std::array<Value, kFitResults> results;

  Value& operator[](FitResult result) { return results[static_cast<std::size_t>(result)]; }
  const Value& operator[](FitResult result) const {
    return results[static_cast<std::size_t>(result)];
  }
};

// What a scenario asks of them. With `cache` a workload, else a lump of working memory.
struct FitQuestion {
  const ModelFacts* model = nullptr;
  const DeviceFacts* device = nullptr;
  const CacheFacts* cache = nullptr;
  Number working_memory;
  std::optional<Number> devices;
  Number context;
  Number concurrency = 1;
};

// Fills the row with the figures of plan::fit for the same question, by the same formulas; with a
// workload only what the enumeration names. False where a number overflows: the row then says
// nothing.
bool compute_fit(const FitQuestion& question, FitRow& row);

}  // namespace ullage::batch
