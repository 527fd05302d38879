// Lists the tensors of one kind of layer: what they share is said once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/inventory.hpp"

namespace ullage::import {

class TensorList {
 public:
  // Names begin with `prefix`; each tensor stands once for each of `repeat`. `whole` puts all of
  // them into one component that no token of the main model passes (mtp, vision).
  TensorList(model::Inventory& inventory, std::string prefix, std::vector<model::Extent> repeat,
             std::optional<model::Component> whole = {});

  // Adds one group. The reference holds until the next call.
  model::TensorGroup& add(std::string_view name, model::Component component,
                          std::vector<model::Axis> shape,
                          model::Split split = model::Split::replicated);
  // Likewise for tensors of `experts`, of which a token passes `chosen`.
  model::TensorGroup& add_routed(std::string_view name, std::vector<model::Axis> shape,
                                 model::Split split, const model::Extent& experts,
                                 const model::Extent& chosen);

  model::Inventory& inventory() { return inventory_; }
  // A list of the same component under another prefix and repeat.
  TensorList under(std::string prefix, std::vector<model::Extent> repeat) const;

 private:
  model::Inventory& inventory_;
  std::string prefix_;
  std::vector<model::Extent> repeat_;
  std::optional<model::Component> whole_;
};

}  // namespace ullage::import
