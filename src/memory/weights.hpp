// Weights: parameters by component, the floor, and the bytes that a checkpoint stores.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/model.hpp"

namespace ullage::memory {

// How the weights are to be held: the model's native format, a named one, or plain bits.
struct WeightChoice {
  std::optional<std::string> format;    // --weights DTYPE
  std::optional<exact::Rational> bits;  // --bits N
  // Whether every group of tensors becomes a figure of its own, so that explanations reach it, and
  // whether a checkpoint whose bytes are stated is also counted, to compare the two and to know
  // each tensor's format. A short answer that needs neither is made in half the time.
  bool by_group = true;
  bool count_stated = true;
};

struct ComponentCount {
  model::Component component;
  provenance::Figure<units::Count> parameters;
};

struct Weights {
  provenance::Figure<units::Count> parameters;
  std::optional<provenance::Figure<units::Count>> parameters_stored;
  std::optional<provenance::Figure<units::Count>> active_parameters;
  std::vector<ComponentCount> components;  // sums to `parameters`; empty where no shape is known
  std::string format;                      // as resolved; empty for plain bits
  // Every group in the format in which it is stored, where that is known and not all are alike.
  std::shared_ptr<const model::Inventory> stored;
  provenance::Figure<units::Bits> bits;  // of one element, without scales; may be unknown
  provenance::Figure<units::Bytes> floor;
  provenance::Figure<units::Bytes> payload;  // may be unknown
  std::vector<base::Note> notes;
};

// Counts a model. Parameters are summed over the inventory where there is one (each weight once),
// else they are what a card or literal states. The payload is the checkpoint's own total for the
// native format, parameters × bits for a format without scales, else unknown with the reason.
// Errors: usage where neither the model nor the choice says a width; unknown_name for a format.
base::Result<Weights> weigh(provenance::Graph& graph, const model::Model& model,
                            const WeightChoice& choice, catalog::Catalogue& catalogue);

}  // namespace ullage::memory
