// From selectors and resource names to a device of the catalogue.
#pragma once

#include <vector>

#include "plan/check/subject.hpp"

namespace ullage::plan {

// One workload for each alternative that the file leaves open: values of one label that mean
// different devices.
std::vector<Workload> alternatives_of(const Workload& workload, catalog::Catalogue& catalogue);

// Fills `place`: from --on, else from what the file states, else the reason why nothing is known.
// Errors: those of the catalogue for --on, and for the device of a native plan.
base::Result<void> find_place(Subject& subject);

}  // namespace ullage::plan
