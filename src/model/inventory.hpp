// The tensor inventory: what a model stores, as groups of equal tensors. Every way to name a model
// ends here, and every count of weights, shards and matrix products is a sum over it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provenance/graph.hpp"

namespace ullage::model {

// Parts of a model that answers show apart.
enum class Component : std::uint8_t {
  embedding,
  attention,
  mlp,
  experts,
  shared_experts,
  router,
  norms,
  head,
  mtp,
  vision,
};
std::string_view name_of(Component component);
inline constexpr std::size_t kComponents = 10;

// A number of the architecture with its figure, such as hidden_size = 4096 of config.json:12.
struct Extent {
  std::string name;
  exact::Rational value;
  provenance::FigureId figure;
};

// One axis of a tensor: a product of extents (heads × head_dim).
using Axis = std::vector<Extent>;

// How a token meets the tensors of a group.
enum class Use : std::uint8_t {
  every_token,  // passes through all of them
  routed,       // passes through `chosen` of the `experts` repeats
  look_up,      // reads one row (an input embedding)
};

// Which axis tensor parallelism divides. Column-parallel divides the outputs (axis 0), row-parallel
// the inputs (axis 1).
enum class Split : std::uint8_t { replicated, columns, rows, vocabulary };

// Groups of equal tensors. Elements = product of the axes × product of the repeats.
struct TensorGroup {
  std::string name;  // `layers.*.self_attn.q_proj.weight`
  Component component = Component::attention;
  std::vector<Axis> shape;
  std::vector<Extent> repeat;  // layers, experts
  Use use = Use::every_token;
  std::optional<Extent> experts;  // routed: the repeat that a router chooses from
  std::optional<Extent> chosen;   // routed: how many of them a token passes
  Split split = Split::replicated;
  bool counted = true;  // false for a stored copy of a tensor that another group counts
  bool stored = true;   // false where the checkpoint holds it under another name only
};

struct Inventory {
  std::vector<TensorGroup> tensors;
};

}  // namespace ullage::model
