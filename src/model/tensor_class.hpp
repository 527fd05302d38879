// Classes of tensors by which quantisation conventions tell what stays in a wider format.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/inventory.hpp"

namespace ullage::model {

enum class TensorClass : std::uint8_t {
  embedding,
  head,
  norms,
  router,
  vectors,  // biases, sinks and whatever else is no matrix of a layer
  convolutions,
  vision,
  experts,
  linear,
};
// As conventions spell it.
std::string_view name_of(TensorClass tensor_class);
inline constexpr std::size_t kTensorClasses = 9;

// The class of a group, whichever component shows it: a norm inside a prediction module is a norm.
TensorClass class_of(const TensorGroup& group);

}  // namespace ullage::model
