// vLLM: tensors and one table of rotary cosines and sines for the longest trained length
// (vllm/model_executor/layers/rotary_embedding, _compute_cos_sin_cache). llama.cpp: the token
// embedding stays in host memory, the output matrix is on the last device; a tied one is loaded
// twice (src/llama-model.cpp).
#include "engine/loaded.hpp"

#include <algorithm>

#include "memory/tensor_bytes.hpp"

namespace ullage::engine {
namespace {

using exact::Rational;
using model::Component;
using model::Extent;
using model::TensorGroup;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;

// The tensors on one device. Undivided they are the whole checkpoint, whose bytes may be stated.
base::Result<Figure<Bytes>> tensors_on_device(Graph& graph, const model::Model& model,
                                              const memory::Weights& weights,
                                              const memory::Layout& layout,
                                              catalog::Catalogue& catalogue,
                                              std::vector<base::Note>& notes) {
  const bool whole = layout.tensor.value == 1 && layout.pipeline.value == 1 &&
                     layout.expert.value == 1 && layout.layer_split.empty();
  if (whole) return graph.known(weights.payload.id()) ? weights.payload : weights.floor;
  ULLAGE_TRY(memory::DeviceWeights device,
             memory::device_weights(graph, model, weights, layout, catalogue));
  notes = std::move(device.notes);
  return device.bytes;
}

// A model whose tensors an engine does not load as the checkpoint has them.
struct Changed {
  model::Model model;
  memory::Weights weights;
};

// `change` on the inventory, and on the form in which it is stored.
template <class Change>
Changed changed(const model::Model& model, const memory::Weights& weights, const Change& change) {
  Changed result{model, weights};
  change(*result.model.inventory);
  if (weights.stored) {
    auto stored = std::make_shared<model::Inventory>(*weights.stored);
    change(*stored);
    result.weights.stored = std::move(stored);
  }
  return result;
}

// vLLM and SGLang skip the tensors of a prediction module when they load the model that it belongs
// to; a draft worker loads them.
bool leaves_drafts(std::string_view engine) {
  return engine == "vllm" || engine == "sglang";
}

bool is_draft(const TensorGroup& group) {
  return group.component == Component::mtp;
}

bool has_drafts(const model::Inventory& inventory) {
  return std::any_of(inventory.tensors.begin(), inventory.tensors.end(), is_draft);
}

// The tensors on one device but those of prediction modules; all where their bytes are not known
// one by one.
base::Result<Figure<Bytes>> without_drafts(Graph& graph, const model::Model& model,
                                           const memory::Weights& weights,
                                           const memory::Layout& layout,
                                           catalog::Catalogue& catalogue,
                                           std::vector<base::Note>& notes) {
  const Changed loaded = changed(model, weights, [](model::Inventory& inventory) {
    std::erase_if(inventory.tensors, is_draft);
  });
  ULLAGE_TRY(memory::DeviceWeights device,
             memory::device_weights(graph, loaded.model, loaded.weights, layout, catalogue));
  if (!graph.known(device.bytes.id())) {
    return tensors_on_device(graph, model, weights, layout, catalogue, notes);
  }
  notes = std::move(device.notes);
  notes.push_back({"mtp-not-loaded", base::Severity::note,
                   "the multi-token-prediction layers are not loaded unless the model drafts with "
                   "them (--speculative-tokens N; vLLM, vllm/model_executor/models/deepseek_v2.py, "
                   "load_weights, and SGLang likewise)"});
  return device.bytes;
}

// Cosines and sines of every position in 16 bits, once on each device.
std::optional<Figure<Bytes>> rotary_table(Graph& graph, const model::Model& model) {
  if (!model.inventory) return std::nullopt;
  const auto& length = model.inventory->trained_length;
  const auto& width = model.inventory->rotary_width;
  if (!length || !width) return std::nullopt;
  return graph.derived<Bytes>(
      "rotary table", length->name + " × " + width->name + " × 2 B",
      "vLLM, vllm/model_executor/layers/rotary_embedding: a buffer of cosines and sines in the "
      "model's 16-bit type",
      {length->figure, width->figure}, length->value * width->value * Rational(2));
}

Rational elements_of(const TensorGroup& group) {
  Rational elements = 1;
  for (const Extent& extent : group.repeat)
    elements *= extent.value;
  for (const model::Axis& axis : group.shape) {
    for (const Extent& extent : axis)
      elements *= extent.value;
  }
  return elements;
}

// A table that tokens are looked up in.
bool looked_up(const TensorGroup& group) {
  return group.component == Component::embedding && group.stored;
}

Figure<Bytes> host_table(Graph& graph, const std::vector<TensorGroup>& tables,
                         const memory::Weights& weights, catalog::Catalogue& catalogue) {
  std::vector<Figure<Bytes>> parts;
  for (const TensorGroup& table : tables) {
    const std::string& name = weights.stored ? table.kept : weights.format;
    const auto format = catalogue.formats().find(name);
    std::vector<FigureId> inputs;
    std::vector<Rational> shape;
    for (const model::Axis& axis : table.shape) {
      Rational width = 1;
      for (const Extent& extent : axis) {
        inputs.push_back(extent.figure);
        width *= extent.value;
      }
      shape.push_back(width);
    }
    inputs.push_back(weights.bits.id());
    std::optional<Rational> bytes;
    if (format.ok()) bytes = memory::tensor_bytes(**format, shape);
    if (!bytes && format.ok() && (*format)->stored_bits) {
      bytes = elements_of(table) * *(*format)->stored_bits / Rational(8);
    }
    const bool known = graph.known(weights.bits.id());
    const Rational plain =
        known ? elements_of(table) * graph.value(weights.bits) / Rational(8) : Rational();
    parts.push_back(graph.derived<Bytes>(
        table.name + ", on the host",
        bytes ? "its elements in " + name + " with their scales" : "elements × bits ÷ 8",
        "llama.cpp, src/llama-model.cpp: the input layer is assigned to the CPU", std::move(inputs),
        bytes.value_or(plain)));
  }
  return graph.sum("weights on the host", parts);
}

// Tables go to the host; the output matrix stays, or a copy of the table where they are one.
void take_tables(model::Inventory& inventory) {
  auto& tensors = inventory.tensors;
  const auto table = std::find_if(tensors.begin(), tensors.end(), looked_up);
  const bool head = std::any_of(tensors.begin(), tensors.end(), [](const TensorGroup& group) {
    return group.component == Component::head && group.shape.size() == 2;
  });
  std::optional<TensorGroup> output;
  if (!head && table != tensors.end()) {
    output = *table;
    output->name = "output";
    output->component = Component::head;
    output->use = model::Use::every_token;
  }
  std::erase_if(tensors, looked_up);
  if (output) tensors.push_back(std::move(*output));
}

base::Result<LoadedWeights> loaded_llamacpp(Graph& graph, const model::Model& model,
                                            const memory::Weights& weights,
                                            const memory::Layout& layout,
                                            catalog::Catalogue& catalogue) {
  const auto& tensors = (weights.stored ? *weights.stored : *model.inventory).tensors;
  std::vector<TensorGroup> tables;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(tables), looked_up);
  const Changed loaded = changed(model, weights, take_tables);
  ULLAGE_TRY(memory::DeviceWeights device,
             memory::device_weights(graph, loaded.model, loaded.weights, layout, catalogue));
  return LoadedWeights{device.bytes, host_table(graph, tables, weights, catalogue),
                       std::move(device.notes)};
}

}  // namespace

base::Result<LoadedWeights> loaded_weights(Graph& graph, const model::Model& model,
                                           const memory::Weights& weights,
                                           const memory::Layout& layout, const EngineChoice& engine,
                                           Drafting drafting, catalog::Catalogue& catalogue) {
  if (engine.engine->name == "llamacpp" && model.inventory) {
    return loaded_llamacpp(graph, model, weights, layout, catalogue);
  }
  std::vector<base::Note> notes;
  const bool leaves_out = drafting == Drafting::no && leaves_drafts(engine.engine->name) &&
                          model.inventory && has_drafts(*model.inventory);
  ULLAGE_TRY(auto bytes, leaves_out
                             ? without_drafts(graph, model, weights, layout, catalogue, notes)
                             : tensors_on_device(graph, model, weights, layout, catalogue, notes));
  if (engine.engine->name == "vllm") {
    if (const auto table = rotary_table(graph, model)) {
      bytes = graph.sum("weights as loaded", std::vector<Figure<Bytes>>{bytes, *table},
                        "tensors + rotary table");
    }
  }
  return LoadedWeights{bytes, std::nullopt, std::move(notes)};
}

}  // namespace ullage::engine
