// One device's memory as a bar that a person reads at a glance.
#pragma once

#include "provenance/answer.hpp"
#include "report/page.hpp"

namespace ullage::cli {

// A bar of 60 marks for the capacity of a device, with a legend: weights, cache, state, overheads,
// what is kept free and what is left. Where more is needed than there is the bar stands for the
// need, and the legend says by how much it is over. Empty where the row does not say what a device
// holds.
std::vector<report::Block> memory_bar(const provenance::Answer& answer, const provenance::Row& row);

}  // namespace ullage::cli
