// Fills in what the tensors of a list share.
#include "import/tensor_list.hpp"

namespace ullage::import {

using model::Axis;
using model::Component;
using model::Extent;
using model::Split;
using model::TensorGroup;

TensorList::TensorList(model::Inventory& inventory, std::string prefix, std::vector<Extent> repeat,
                       std::optional<Component> whole)
    : inventory_(inventory),
      prefix_(std::move(prefix)),
      repeat_(std::move(repeat)),
      whole_(whole) {}

TensorGroup& TensorList::add(std::string_view name, Component component, std::vector<Axis> shape,
                             Split split) {
  TensorGroup group;
  group.name = prefix_ + std::string(name);
  group.component = whole_.value_or(component);
  group.shape = std::move(shape);
  group.repeat = repeat_;
  group.use = whole_ ? model::Use::apart : model::Use::every_token;
  group.split = split;
  return inventory_.tensors.emplace_back(std::move(group));
}

TensorGroup& TensorList::add_routed(std::string_view name, std::vector<Axis> shape, Split split,
                                    const Extent& experts, const Extent& chosen) {
  TensorGroup& group = add(name, Component::experts, std::move(shape), split);
  group.repeat.push_back(experts);
  group.experts = experts;
  group.chosen = chosen;
  if (!whole_) group.use = model::Use::routed;
  return group;
}

TensorList TensorList::under(std::string prefix, std::vector<Extent> repeat) const {
  return {inventory_, std::move(prefix), std::move(repeat), whole_};
}

}  // namespace ullage::import
