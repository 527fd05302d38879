// Times that no serving can beat: bytes that must be read over the bandwidth, operations that must
// be done over the dense rate.
#pragma once

#include "memory/weights.hpp"
#include "plan/devices.hpp"
#include "plan/serve.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

struct Roofline {
  const memory::Weights& weights;
  const Serving& serving;
  const Device& device;
  provenance::Figure<units::Count> chips;
  std::optional<Role> role = {};  // instances that only do one of the two have one time
};

// Adds `decode_step_min` (one token for every sequence: active weights and the cache once through
// memory) and `prefill_min` (2 × active parameters × tokens of the context, at the dense rate of
// the precision that is computed in), in seconds, with the note `bound-not-prediction`. Unknown
// where a figure of the device or the weights is.
void add_roofline(provenance::Graph& graph, const Roofline& roofline, provenance::Row& row);

}  // namespace ullage::plan
