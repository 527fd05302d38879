// Parallel degrees as a user gives them.
#pragma once

#include <optional>
#include <vector>

#include "memory/shards.hpp"
#include "plan/given.hpp"

namespace ullage::plan {

struct LayoutChoice {
  std::optional<GivenNumber> tensor;
  std::optional<GivenNumber> pipeline;
  std::optional<GivenNumber> expert;
  std::vector<GivenNumber> layer_split;  // layers of each stage; empty: even

  // Whether anything was asked for.
  bool given() const { return tensor || pipeline || expert || !layer_split.empty(); }
};

// The layout with its degrees as figures. Errors: usage for a degree above 65,536, and where
// `layer_split` has another number of stages than `pipeline`.
base::Result<memory::Layout> layout_of(provenance::Graph& graph, const LayoutChoice& choice);

}  // namespace ullage::plan
