// Sums the shares of each stage and follows the largest one into figures.
#include "memory/device_weights.hpp"

#include <array>
#include <utility>

#include "memory/tensor_bytes.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::Component;
using model::TensorGroup;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;
using units::Count;

// How each group's bytes follow: from its format, or from plain bits where formats are not known.
struct Widths {
  std::vector<const catalog::StorageFormat*> formats;  // of each group; empty: by `bits`
  std::optional<Rational> bits;
  std::string kept_dtype;
  const model::Inventory* inventory = nullptr;
};

std::optional<Rational> stored_bytes(const Widths& widths, const GroupShare& share) {
  const auto bytes = tensor_bytes(*widths.formats[share.group], share.shape, widths.kept_dtype);
  if (!bytes) return bytes;
  return share.tensors * (*bytes + widths.inventory->tensors[share.group].beside);
}

Rational bytes_of(const Widths& widths, const GroupShare& share) {
  if (widths.formats.empty()) {
    return widths.bits ? share.elements * *widths.bits / Rational(8) : share.elements;
  }
  return *stored_bytes(widths, share);
}

// The formats of every stored group where all of them say how they store its shape.
base::Result<Widths> widths_of(const Graph& graph, const model::Model& model,
                               const model::Inventory& inventory, const Weights& weights,
                               const Shards& shards, catalog::Catalogue& catalogue) {
  Widths widths;
  widths.kept_dtype = model.plain_format;
  widths.inventory = &inventory;
  if (graph.known(weights.bits.id())) widths.bits = graph.value(weights.bits);
  if (weights.format.empty() || !graph.known(weights.payload.id())) return widths;
  for (const TensorGroup& group : inventory.tensors) {
    const std::string& name = weights.stored ? group.kept : weights.format;
    ULLAGE_TRY(const catalog::StorageFormat* format, catalogue.formats().find(name));
    widths.formats.push_back(format);
  }
  for (const Stage& stage : shards.stages) {
    for (const GroupShare& share : stage.shares) {
      if (stored_bytes(widths, share)) continue;
      widths.formats.clear();
      return widths;
    }
  }
  return widths;
}

std::size_t largest_stage(const Shards& shards, const Widths& widths) {
  std::size_t largest = 0;
  Rational most;
  for (std::size_t s = 0; s < shards.stages.size(); ++s) {
    Rational bytes;
    for (const GroupShare& share : shards.stages[s].shares)
      bytes += bytes_of(widths, share);
    if (bytes > most) {
      most = bytes;
      largest = s;
    }
  }
  return largest;
}

// What divides a group, in words and as figures.
struct Division {
  std::string words;
  std::vector<FigureId> inputs;
};

Division division_of(const TensorGroup& group, const GroupShare& share, const Layout& layout,
                     std::size_t stages) {
  Division division;
  for (const model::Extent& extent : group.repeat)
    division.inputs.push_back(extent.figure);
  for (const model::Axis& axis : group.shape) {
    for (const model::Extent& extent : axis)
      division.inputs.push_back(extent.figure);
  }
  const auto degree = [&](const Degree& value) {
    if (value.figure) division.inputs.push_back(*value.figure);
  };
  if (stages > 1) degree(layout.pipeline);
  if (share.parts > 1) degree(layout.tensor);
  if (group.experts) degree(layout.expert);
  division.words =
      share.tensors.to_string() + (share.tensors == Rational(1) ? " tensor" : " tensors");
  for (std::size_t i = 0; i < share.shape.size(); ++i)
    division.words += (i == 0 ? " of " : " × ") + share.shape[i].to_string();
  if (share.replicated) division.words += ", whole on every rank";
  if (share.heads_replicated) division.words += ", one KV head a rank";
  if (!share.padding.is_zero()) division.words += ", rounded up";
  return division;
}

std::string basis(const Widths& widths, const GroupShare& share) {
  if (widths.formats.empty()) return "elements × bits ÷ 8";
  return "its elements in " + widths.formats[share.group]->name;
}

}  // namespace

base::Result<DeviceWeights> device_weights(Graph& graph, const model::Model& model,
                                           const Weights& weights, const Layout& layout,
                                           catalog::Catalogue& catalogue) {
  if (!model.inventory) {
    const std::string why = "the shape of " + model.name + " is not known, so it cannot be divided";
    const auto absent = provenance::Absence::unpublished;
    ULLAGE_TRY(const auto elements,
               graph.narrow<Count>(graph.unknown("elements per device", {}, absent, why)));
    ULLAGE_TRY(const auto bytes,
               graph.narrow<Bytes>(graph.unknown("weights per device", Bytes::kUnit, absent, why)));
    return DeviceWeights{0, elements, bytes, {}, {}};
  }
  const model::Inventory& inventory = weights.stored ? *weights.stored : *model.inventory;
  ULLAGE_TRY(Shards shards, shard(inventory, layout));
  ULLAGE_TRY(const Widths widths, widths_of(graph, model, inventory, weights, shards, catalogue));
  const std::size_t largest = largest_stage(shards, widths);
  std::array<std::vector<Figure<Bytes>>, model::kComponents> parts;
  std::vector<Figure<Count>> elements;
  for (const GroupShare& share : shards.stages[largest].shares) {
    const TensorGroup& group = inventory.tensors[share.group];
    const Division division = division_of(group, share, layout, shards.stages.size());
    const auto held = graph.derived<Count>(group.name + ", on one device", division.words, {},
                                           division.inputs, share.elements);
    std::vector<FigureId> inputs{held.id()};
    if (widths.formats.empty()) inputs.push_back(weights.bits.id());
    parts[static_cast<std::size_t>(group.component)].push_back(
        graph.derived<Bytes>(group.name + ", bytes on one device", basis(widths, share), {},
                             std::move(inputs), bytes_of(widths, share)));
    elements.push_back(held);
  }
  std::vector<ComponentBytes> components;
  std::vector<Figure<Bytes>> totals;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const auto component = static_cast<Component>(i);
    const auto total =
        graph.sum("weights per device, " + std::string(name_of(component)), parts[i]);
    components.push_back({component, total});
    totals.push_back(total);
  }
  std::vector<base::Note> notes = std::move(shards.notes);
  if (shards.stages.size() > 1) {
    const Stage& stage = shards.stages[largest];
    notes.push_back({"largest-stage", base::Severity::note,
                     "per device is the largest stage, number " + std::to_string(largest + 1) +
                         " of " + std::to_string(shards.stages.size()) + " with " +
                         std::to_string(stage.layers) + " layers"});
  }
  notes.push_back({"replication", base::Severity::note,
                   "all devices together hold " + shards.replication.to_significant(6) +
                       " times what the checkpoint stores"});
  if (widths.formats.empty() && graph.known(weights.bits.id()) && !weights.format.empty()) {
    notes.push_back({"per-device-basis", base::Severity::note,
                     "weights per device count elements × bits ÷ 8, because not every tensor's "
                     "format is known"});
  }
  return DeviceWeights{largest, graph.sum("elements per device", elements),
                       graph.sum("weights per device", totals), std::move(components),
                       std::move(notes)};
}

}  // namespace ullage::memory
