// Why a published total may differ from what the shape of the model gives.
#pragma once

#include <optional>
#include <string>

#include "catalog/storage_format.hpp"
#include "model/inventory.hpp"

namespace ullage::plan {

// What a card's shape gives. Parameters each once, and as often as checkpoints store them; bytes
// where the formats of all tensors are known. `form` is the inventory with the format of each
// tensor (`TensorGroup::kept`), null where all are alike or nobody knows.
struct ShapeTotals {
  exact::Rational parameters;
  exact::Rational stored;
  std::optional<exact::Rational> bytes;
  const model::Inventory* inventory = nullptr;
  const model::Inventory* form = nullptr;
  exact::Rational context;  // tokens; 0 where unknown
};

// The elements of every scale of a quantised checkpoint: one a block, group, row or tensor.
exact::Rational scale_elements(const model::Inventory& form,
                               const catalog::StorageFormats& formats);

// In words, why a total of `published` parameters is another than `totals.parameters` (stored
// copies, a tied head, scales, rotary buffers, causal masks, correction biases, a part that is not
// counted); empty where none of these gives exactly the difference. A published figure of few
// digits is matched within half of `last_place`, one step of its last digit.
std::string parameters_cause(const ShapeTotals& totals, const exact::Rational& published,
                             const exact::Rational& last_place,
                             const catalog::StorageFormats& formats);

// Likewise why a checkpoint has `published` bytes and not `totals.bytes`: a tied head stored again,
// rotary buffers, routers or everything in a wider format.
std::string bytes_cause(const ShapeTotals& totals, const exact::Rational& published);

}  // namespace ullage::plan
