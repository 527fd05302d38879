// Counts that must divide, and what stacks allow.
#include "plan/layout_rules.hpp"

#include <algorithm>

#include "memory/cache.hpp"
#include "memory/shards.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using model::TensorGroup;

Rational product(const model::Axis& axis) {
  Rational value = 1;
  for (const model::Extent& extent : axis)
    value *= extent.value;
  return value;
}

void add_once(std::vector<Rational>& values, const Rational& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

bool divides(const Rational& value, std::int64_t degree) {
  return (value / Rational(degree)).is_whole();
}

// Tensor-parallel degrees that NeuronX Distributed Inference lists for a generation of chips.
void legal_degrees(const catalog::Entry& chip, LayoutRules& rules) {
  const auto is = [&](std::string_view family) {
    return chip.id == family ||
           std::find(chip.families.begin(), chip.families.end(), family) != chip.families.end();
  };
  if (is("trainium2")) {
    rules.legal_tensor = {1, 2, 4, 8, 16, 32, 64};
  } else if (is("inferentia2")) {
    rules.legal_tensor = {1, 2, 4, 8, 24};
  } else if (is("trainium1")) {
    rules.legal_tensor = {1, 2, 8, 16, 32};
  } else {
    return;
  }
  rules.legal_source = "aws-neuron-sdk 81ce03ae, nxd-inference feature guide, L154-158";
}

}  // namespace

LayoutRules layout_rules(const model::Model& model, const std::string& weight_format,
                         std::string_view engine, const catalog::Entry& chip,
                         catalog::Catalogue& catalogue) {
  LayoutRules rules;
  if (engine == "neuronx") legal_degrees(chip, rules);
  if (!model.inventory) return rules;
  const model::Inventory& inventory = *model.inventory;
  if (const auto heads = memory::attention_heads(inventory)) rules.heads = heads->value;
  rules.layers = memory::layers_of(inventory);
  for (const model::CacheGroup& group : inventory.caches) {
    if (group.kind == model::CacheKind::recurrent) continue;
    for (const model::CachePart& part : group.per_token) {
      if (part.divided) add_once(rules.kv_heads, part.divided->value);
    }
  }
  for (const TensorGroup& group : inventory.tensors) {
    if (group.experts) rules.experts = group.experts->value;
    const bool rows = group.split == model::Split::rows && group.shape.size() == 2 &&
                      group.component != model::Component::vision && !group.experts;
    if (rows) add_once(rules.row_inputs, product(group.shape[1]));
  }
  if (const auto format = catalogue.formats().find(weight_format)) {
    // Blocks of 128 × 128 are 128 inputs wide.
    constexpr std::uint64_t kSquare = 16384;
    const std::uint64_t group = (*format)->group;
    rules.group =
        group == kSquare ? 128 : static_cast<std::int64_t>(std::max<std::uint64_t>(group, 1));
    rules.format = (*format)->name;
  }
  return rules;
}

std::string refusal(const LayoutRules& rules, const Degrees& degrees) {
  const std::int64_t tp = degrees.tensor;
  if (rules.heads && !divides(*rules.heads, tp)) {
    return "tp does not divide " + rules.heads->to_string() + " attention heads";
  }
  for (const Rational& kept : rules.kv_heads) {
    const bool even = divides(kept, tp) || divides(Rational(tp), kept.to_int64().value_or(1));
    if (!even) return "tp neither divides nor is a multiple of " + kept.to_string() + " KV heads";
  }
  if (rules.experts && !divides(*rules.experts, degrees.expert)) {
    return "ep does not divide " + rules.experts->to_string() + " experts";
  }
  if (!rules.experts && degrees.expert > 1) return "the model has no experts";
  if (degrees.expert > 1 && !divides(Rational(tp * degrees.data), degrees.expert)) {
    return "ep does not divide tp × dp";
  }
  if (rules.layers > 0 && degrees.pipeline > rules.layers) {
    return "pp is more than " + std::to_string(rules.layers) + " layers";
  }
  if (!rules.legal_tensor.empty() && std::find(rules.legal_tensor.begin(), rules.legal_tensor.end(),
                                               tp) == rules.legal_tensor.end()) {
    return "tp is no degree that the stack takes (" + rules.legal_source + ")";
  }
  if (rules.domain && tp > *rules.domain) {
    return "tp is more than the " + std::to_string(*rules.domain) + " ranks of a scale-up domain";
  }
  for (const Rational& inputs : rules.row_inputs) {
    const Rational share = inputs / Rational(tp);
    if (tp > 1 && rules.group > 1 && !divides(share, rules.group)) {
      return "tp cuts " + inputs.to_string() + " inputs of a matrix inside groups of " +
             std::to_string(rules.group) + " (" + rules.format + ")";
    }
  }
  return {};
}

}  // namespace ullage::plan
