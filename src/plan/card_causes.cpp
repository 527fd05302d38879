// Tries each known cause; only an exact match counts.
#include "plan/card_causes.hpp"

#include <array>
#include <utility>
#include <vector>

namespace ullage::plan {
namespace {

using exact::Rational;
using model::Component;
using model::Inventory;
using model::TensorGroup;

Rational product(const std::vector<model::Extent>& extents) {
  Rational value = 1;
  for (const model::Extent& extent : extents)
    value *= extent.value;
  return value;
}

Rational rounded_up(const Rational& value, std::int64_t step) {
  return (value / Rational(step)).ceil();
}

Rational elements(const TensorGroup& group) {
  Rational value = product(group.repeat);
  for (const model::Axis& axis : group.shape)
    value *= product(axis);
  return value;
}

Rational parameters_of(const Inventory& inventory, Component component) {
  Rational sum;
  for (const TensorGroup& group : inventory.tensors) {
    if (group.counted && group.component == component) sum += elements(group);
  }
  return sum;
}

// One-dimensional tensors of the routers: the correction biases.
Rational router_biases(const Inventory& inventory) {
  Rational sum;
  for (const TensorGroup& group : inventory.tensors) {
    const bool bias = group.shape.size() == 1 && group.name.find("bias") != std::string::npos;
    const bool router = group.component == Component::router || group.component == Component::mtp;
    if (group.counted && bias && router) sum += elements(group);
  }
  return sum;
}

// Scales of one tensor of these rows and columns.
Rational scales_of(const catalog::StorageFormat& format, const Rational& rows,
                   const Rational& columns) {
  Rational count;
  if (format.block_rows > 0) {
    count += rounded_up(rows, format.block_rows) * rounded_up(columns, format.block_columns);
  } else if (format.row_groups) {
    count += rows;
  } else if (format.grouped && !format.scale_bits.is_zero()) {
    count += rows * rounded_up(columns, static_cast<std::int64_t>(format.group));
  }
  if (!format.row_bits.is_zero()) count += rows;
  if (!format.column_bits.is_zero()) count += columns;
  if (!format.tensor_bits.is_zero()) count += (format.tensor_bits / Rational(32)).ceil();
  return count;
}

// A buffer of half the rotary width, in every layer or once.
struct Buffers {
  Rational one;
  Rational layers;
};

std::optional<Buffers> rotary_buffers(const Inventory& inventory) {
  if (!inventory.rotary_width || inventory.main_layers == 0) return std::nullopt;
  return Buffers{inventory.rotary_width->value / Rational(2), Rational(inventory.main_layers)};
}

bool within(const Rational& a, const Rational& b, const Rational& last_place) {
  const Rational difference = a - b;
  // A figure of all digits is exact.
  if (last_place <= Rational(1)) return difference.is_zero();
  return exact::max(difference, -difference) <= last_place / Rational(2);
}

std::string counted(const Rational& value) {
  return value.to_string();
}

std::string buffers_cause(const ShapeTotals& totals, const Rational& more) {
  const auto rotary = rotary_buffers(*totals.inventory);
  if (!rotary) return {};
  const std::string width = counted(rotary->one);
  if (more == rotary->one) return "a stored rotary buffer of " + width;
  const Rational all = rotary->one * rotary->layers;
  if (more == all) {
    return counted(rotary->layers) + " stored rotary buffers of " + width + ", one a layer";
  }
  const Rational masks = rotary->layers * totals.context * totals.context;
  if (masks.is_zero()) return {};
  const std::string text = counted(rotary->layers) + " stored causal masks of " +
                           counted(totals.context) + " × " + counted(totals.context);
  if (more == masks) return text;
  if (more == masks + all) return text + " and as many rotary buffers of " + width;
  return {};
}

}  // namespace

Rational scale_elements(const Inventory& form, const catalog::StorageFormats& formats) {
  Rational sum;
  for (const TensorGroup& group : form.tensors) {
    if (!group.stored || group.kept.empty() || group.shape.size() < 2) continue;
    const auto format = formats.find(group.kept);
    if (!format) continue;
    Rational columns = 1;
    for (std::size_t axis = 1; axis < group.shape.size(); ++axis)
      columns *= product(group.shape[axis]);
    sum += product(group.repeat) * scales_of(**format, product(group.shape[0]), columns);
  }
  return sum;
}

std::string parameters_cause(const ShapeTotals& totals, const Rational& published,
                             const Rational& last_place, const catalog::StorageFormats& formats) {
  if (totals.inventory == nullptr) return {};
  const Inventory& inventory = *totals.inventory;
  const Rational copies = totals.stored - totals.parameters;
  if (within(published, totals.stored, last_place)) {
    return counted(copies) + " weights that the checkpoint stores again are counted twice";
  }
  const Rational scales =
      totals.form != nullptr ? scale_elements(*totals.form, formats) : Rational(0);
  if (!scales.is_zero() && published == totals.parameters + scales) {
    return counted(scales) + " scales are counted as parameters";
  }
  if (!scales.is_zero() && !copies.is_zero() && published == totals.stored + scales) {
    return counted(copies) + " weights that the checkpoint stores again and " + counted(scales) +
           " scales are counted";
  }
  const Rational embedding = parameters_of(inventory, Component::embedding);
  if (published == totals.parameters + embedding || published == totals.stored + embedding) {
    return "the tied head is stored again: " + counted(embedding) + " more";
  }
  for (const auto& [component, what] :
       {std::pair(Component::mtp, "the multi-token prediction layers are not counted"),
        std::pair(Component::vision, "the vision tower is not counted")}) {
    const Rational part = parameters_of(inventory, component);
    if (!part.is_zero() && within(published, totals.parameters - part, last_place)) return what;
  }
  const Rational biases = router_biases(inventory);
  if (!biases.is_zero() && published == totals.parameters - biases) {
    return counted(biases) + " correction biases of the routers are not counted";
  }
  return buffers_cause(totals, published - totals.parameters);
}

std::string bytes_cause(const ShapeTotals& totals, const Rational& published) {
  if (!totals.bytes || totals.inventory == nullptr) return {};
  const Rational more = published - *totals.bytes;
  if (published == totals.stored * Rational(4)) return "every weight is stored in 4 bytes";
  const Rational embedding = parameters_of(*totals.inventory, Component::embedding);
  for (const std::int64_t width : {2, 4}) {
    if (!embedding.is_zero() && more == embedding * Rational(width)) {
      return "the tied head is stored again: " + counted(embedding) + " weights";
    }
  }
  if (const auto rotary = rotary_buffers(*totals.inventory)) {
    for (const std::int64_t width : {2, 4}) {
      const Rational all = rotary->one * Rational(width);
      const std::string size =
          " of " + counted(rotary->one) + " elements in " + std::to_string(width) + " bytes";
      if (more == all) return "a stored rotary buffer" + size;
      if (more == all * rotary->layers) {
        return counted(rotary->layers) + " stored rotary buffers" + size;
      }
    }
  }
  Rational gates;
  for (const TensorGroup& group : totals.inventory->tensors) {
    if (group.component == Component::router && group.shape.size() == 2) gates += elements(group);
  }
  if (!gates.is_zero() && more == gates * Rational(2)) {
    return counted(gates) + " weights of the routers are stored in 4 bytes, not 2";
  }
  return {};
}

}  // namespace ullage::plan
