// Bytes of model states for each parameter: recipes and optimizers, as tables with their sources.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/term.hpp"

namespace ullage::memory {

// One way to keep weights, gradients, master weights and AdamW's two moments.
struct Recipe {
  std::string_view name;
  std::string_view help;
  exact::Rational weights;
  exact::Rational matrices;       // of matrices in layers, where they are kept in another width
  exact::Rational gradients;      // resident from the first microbatch on
  exact::Rational gradient_copy;  // sharded with the optimizer (Megatron's fp16)
  exact::Rational master;
  exact::Rational optimizer;
  std::string_view source;
  std::string_view locator;
};
std::span<const Recipe> recipes();
// Error unknown_name with suggestions.
base::Result<const Recipe*> find_recipe(std::string_view name);

// How an optimizer keeps its state.
enum class OptimizerState : std::uint8_t {
  two_moments,     // as the recipe says for AdamW
  one_moment,      // half of that
  nothing,         // none, with gradients and master weights
  frozen,          // none, without either
  eight_bit,       // blocks of 256 with a scale, large tensors only
  factored,        // a row and a column of each matrix
  orthogonalised,  // one moment of a layer's matrices, two of the rest
  projected,       // two moments of low rank
};
struct Optimizer {
  std::string_view name;
  std::string_view help;
  OptimizerState state;
  std::string_view source;
  std::string_view locator;
};
std::span<const Optimizer> optimizers();
base::Result<const Optimizer*> find_optimizer(std::string_view name);

// A published constant of those tables as a figure.
provenance::FigureId published(provenance::Graph& graph, catalog::Catalogue& catalogue,
                               std::string name, const exact::Rational& value,
                               std::string_view derivation, std::string_view source,
                               std::string_view locator, units::Unit unit = units::Bytes::kUnit);

// The terms of one question: what the recipe says unless a flag overrides it.
struct StateBytes {
  model::Extent weights;
  std::optional<model::Extent> matrices;
  model::Extent gradients;
  std::optional<model::Extent> gradient_copy;
  model::Extent master;
  model::Extent optimizer;  // of AdamW; the optimizer makes of it what it keeps
};

// A term given by --state-bytes, --weights or --base-weights: bytes, and the flag as typed.
struct GivenBytes {
  exact::Rational bytes;
  std::string where;
};
struct StateOverrides {
  std::optional<GivenBytes> weights;
  std::optional<GivenBytes> gradients;
  std::optional<GivenBytes> master;
  std::optional<GivenBytes> optimizer;
  // The format of the weights, where it is named instead of counted in bytes.
  std::optional<model::Extent> weights_format;
};
// The recipe's terms as figures; a default that nobody chose is noted on each.
StateBytes state_bytes(provenance::Graph& graph, catalog::Catalogue& catalogue,
                       const Recipe& recipe, bool chosen, const StateOverrides& overrides);

}  // namespace ullage::memory
