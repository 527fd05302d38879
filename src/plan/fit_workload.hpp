// A row of `fit` for a workload or a layout: working memory computed instead of assumed.
#pragma once

#include <optional>

#include "memory/weights.hpp"
#include "plan/devices.hpp"
#include "plan/serve.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// The share of a device that is kept free: given, or the assumed default of 15 %.
provenance::Figure<units::Share> reserve_of(provenance::Graph& graph,
                                            const std::optional<GivenNumber>& reserve);

struct WorkloadRequest {
  ServeChoice serve;
  std::optional<GivenNumber> working_memory;  // bytes over all devices, beside a layout
  std::optional<GivenNumber> reserve;         // share; replaces a utilisation
  std::optional<GivenNumber> utilization;     // share
  std::optional<GivenNumber> devices;         // how many the user has

  // Whether a workload or a layout is asked for.
  bool given() const;
};

// What a device offers each rank and what the workload takes of it: everything of the row but the
// weights' own figures, cost and notes of the device. With a layout the need is that of its fullest
// device, else it is shared evenly. `required_memory` is over all devices. `devices_min` stays the
// arithmetic bound. Errors: those of `serve`.
struct WorkloadRow {
  provenance::Figure<units::Bytes> required;  // over all devices
  provenance::Figure<units::Bytes> budget;    // of one chip
  provenance::Figure<units::Count> chips_min;
  // As they were named (instances, not their chips): given, or those that the layout takes.
  std::optional<provenance::Figure<units::Count>> devices;
};
base::Result<WorkloadRow> add_workload(provenance::Graph& graph, const WorkloadRequest& request,
                                       const model::Model& model, const memory::Weights& weights,
                                       const Device& device, catalog::Catalogue& catalogue,
                                       provenance::Row& row);

}  // namespace ullage::plan
