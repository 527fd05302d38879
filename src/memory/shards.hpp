// What each device holds of a model's tensors under tensor, pipeline and expert parallelism.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "model/inventory.hpp"

namespace ullage::memory {

// A parallel degree, with the figure that states it where somebody does.
struct Degree {
  std::int64_t value = 1;
  std::optional<provenance::FigureId> figure = {};
};

struct Layout {
  Degree tensor;
  Degree pipeline;
  Degree expert;
  // Ranks that share the matrices of one expert. Nothing: the tensor degree where experts are not
  // spread, and 1 where they are, as vLLM and SGLang place them; Megatron-LM names it.
  std::optional<Degree> expert_tensor = {};
  // Decoder layers of each stage, in order; empty for an even split.
  std::vector<std::int64_t> layer_split = {};
};

// What the most loaded rank of a stage holds of one group of tensors. Ranks of a stage differ only
// in the padding that the last of them adds.
struct GroupShare {
  std::size_t group = 0;               // in the order of the inventory
  exact::Rational tensors;             // how many tensors of the group
  std::vector<exact::Rational> shape;  // of one of them, on this rank
  exact::Rational elements;            // tensors × shape
  exact::Rational whole;               // elements of these tensors over all of the stage's ranks,
                                       // each once and without padding
  std::int64_t parts = 1;              // ranks that the tensors are dealt over
  exact::Rational padding;             // elements over these ranks that no tensor has
  bool replicated = false;             // each of several ranks holds all of it
  bool heads_replicated = false;       // fewer KV heads than ranks: each keeps a whole one
};

struct Stage {
  std::int64_t first_layer = 0;
  std::int64_t layers = 0;
  std::vector<GroupShare> shares;  // of what the checkpoint stores; groups of other stages are left
                                   // out
};

struct Shards {
  std::vector<Stage> stages;
  std::int64_t ranks = 1;  // devices of a stage
  // Elements held on all devices ÷ elements stored: 1 where nothing is held twice.
  exact::Rational replication;
  std::vector<base::Note> notes;
};

// Splits an inventory. Column-parallel tensors are divided by their outputs, row-parallel ones by
// their inputs, vocabularies by rows; heads stay whole; where a degree does not divide, each rank
// holds the part rounded up. With fewer KV heads than ranks each rank keeps one whole head. Experts
// spread evenly over the expert ranks. Layers spread evenly over the stages; what is left over goes
// to the stages before the last one, from the back, as vLLM's get_pp_indices has it. The input
// table, the vision tower and other tensors before the first layer are on the first stage; the last
// norm, the head and prediction modules are on the last, with a copy of a tied table.
// Errors: usage where there are more stages than layers or `layer_split` does not name every layer
// once; unsupported_architecture where nobody says on which layers a group of tensors is.
base::Result<Shards> shard(const model::Inventory& inventory, const Layout& layout);

// Decoder layers of an inventory: one more than the largest number that a group names, else
// `main_layers`; 0 where nobody says.
std::int64_t layers_of(const model::Inventory& inventory);

// The layers of each of `stages` pipeline stages under an even split.
std::vector<std::int64_t> even_split(std::int64_t layers, std::int64_t stages);

}  // namespace ullage::memory
