// In which format each tensor of a quantised checkpoint is stored: an inventory cut along the lines
// that a quantisation section, a convention or a rule of a file format draws.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "catalog/quantization_rules.hpp"
#include "model/module_pattern.hpp"
#include "model/tensor_class.hpp"

namespace ullage::model {

// The format of a group's tensors in one decoder layer; −1 for groups outside the layers.
using ChooseFormat = std::function<std::string(const TensorGroup& group, std::int64_t layer)>;

// A copy of `inventory` in which every group is in one format (`kept`), cut by layers where they
// differ; `why` is the formula of the layer counts that this makes. Groups whose layers nobody
// numbers take the format of layer 0.
Inventory store(provenance::Graph& graph, const Inventory& inventory, const std::string& why,
                const ChooseFormat& choose);

// Which modules a checkpoint stores in which format.
struct StoragePlan {
  struct Assignment {
    std::optional<ModuleList> targets;  // nothing: every module
    std::string format;
  };
  std::vector<Assignment> assignments;  // the first that names a module counts
  ModuleList skips;
  catalog::Convention convention;    // what stays in `kept_in` besides
  std::string kept_in;               // `bf16`
  exact::Rational cache_scale_bits;  // of each projection to keys and to values
  // Whether a format that the family states for a tensor (`kept`) counts before the convention.
  bool family_first = true;
  std::string where = {};  // where the plan stands, for formulas
  // The format in which the section says that caches are kept (`fp8`); empty where it says nothing.
  std::string cache_format = {};

  std::string format_of(const TensorGroup& group, std::int64_t layer,
                        std::int64_t decoder_layers) const;
};

// The inventory as the plan stores it.
Inventory store(provenance::Graph& graph, const Inventory& inventory, const StoragePlan& plan);

// What the plan's list leaves out and `store` met in no tensor, as a warning.
std::optional<base::Note> unmatched_modules(const StoragePlan& plan);

// Elements of the classes that are not in `format`: what a note says of the rest.
std::string describe_kept(const Inventory& stored, const std::string& format);

}  // namespace ullage::model
