// Elements of tensor groups: the one place where shapes are multiplied out.
#pragma once

#include "model/inventory.hpp"

namespace ullage::model {

// Elements of a group: product of its repeats and axes, under the group's name.
provenance::Figure<units::Count> elements(provenance::Graph& graph, const TensorGroup& group);

// The part of a group with experts that one token passes; `all` are its elements.
provenance::Figure<units::Count> active_part(provenance::Graph& graph, const TensorGroup& group,
                                             provenance::Figure<units::Count> all);

}  // namespace ullage::model
