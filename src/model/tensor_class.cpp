// Tells classes by component, shape and the last words of the name.
#include "model/tensor_class.hpp"

namespace ullage::model {

std::string_view name_of(TensorClass tensor_class) {
  switch (tensor_class) {
    case TensorClass::embedding:
      return "embedding";
    case TensorClass::head:
      return "head";
    case TensorClass::norms:
      return "norms";
    case TensorClass::router:
      return "router";
    case TensorClass::vectors:
      return "vectors";
    case TensorClass::convolutions:
      return "convolutions";
    case TensorClass::vision:
      return "vision";
    case TensorClass::experts:
      return "experts";
    case TensorClass::linear:
      return "linear";
  }
  return "linear";
}

TensorClass class_of(const TensorGroup& group) {
  const std::string_view name = group.name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (group.component == Component::vision) return TensorClass::vision;
  if (group.component == Component::norms || has("norm")) return TensorClass::norms;
  if (group.component == Component::embedding || has("embed_tokens")) return TensorClass::embedding;
  if (has("conv")) return TensorClass::convolutions;
  const bool matrix = group.shape.size() == 2 && !name.ends_with("bias");
  if (!matrix) return TensorClass::vectors;
  if (group.component == Component::head || has("head.weight")) return TensorClass::head;
  if (group.component == Component::router || name.ends_with(".gate.weight") ||
      name.ends_with(".router.weight")) {
    return TensorClass::router;
  }
  if (group.experts) return TensorClass::experts;
  return name.ends_with(".weight") ? TensorClass::linear : TensorClass::vectors;
}

}  // namespace ullage::model
