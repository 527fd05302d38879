// The two inventories: what a model stores, as groups of equal tensors, and what it keeps for each
// sequence, as groups of equal layers. Every way to name a model ends here; every count of weights,
// shards and matrix products is a sum over the first, every count of cache and state over the
// second.
#pragma once

#include <cstdint>
#include <memory>
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
  other,  // of a checkpoint without a configuration: its name tells no part
};
std::string_view name_of(Component component);
inline constexpr std::size_t kComponents = 11;

// Numbers of decoder layers, from 0, ascending.
using LayerNumbers = std::shared_ptr<const std::vector<std::int64_t>>;

// A number of the architecture with its figure, such as hidden_size = 4096 of config.json:12.
struct Extent {
  std::string name;
  exact::Rational value;
  provenance::FigureId figure;
  // Where it counts decoder layers: which ones. Null where it counts something else, or where
  // nobody says which.
  LayerNumbers layers = nullptr;
};

// One axis of a tensor: a product of extents (heads × head_dim).
using Axis = std::vector<Extent>;

// How a token meets the tensors of a group.
enum class Use : std::uint8_t {
  every_token,  // passes through all of them
  routed,       // passes through `chosen` of the `experts` repeats
  look_up,      // reads one row (an input embedding)
  apart,        // passes through none of them (vision tower, multi-token prediction)
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
  // The storage format in which quantised checkpoints of the family keep this tensor (`bf16` for
  // norms, `fp32` for a router); empty where it is the checkpoint's own.
  std::string kept = {};
  // Bytes that a quantised checkpoint stores beside each tensor and its format does not tell, such
  // as the scale of the keys' cache.
  exact::Rational beside = {};
};

// What a layer keeps of the tokens that it has seen.
enum class CacheKind : std::uint8_t {
  full,       // keys and values of every token
  window,     // keys and values of the last `window` tokens
  chunked,    // keys and values of the current chunk of `window` tokens
  latent,     // one compressed vector a token (multi-head latent attention)
  index,      // the keys of a sparse-attention indexer
  recurrent,  // a state of fixed size (Mamba, linear attention, gated delta net, RWKV)
  cross,      // keys and values of an encoder's output, fixed once it has run
};
std::string_view name_of(CacheKind kind);

// One named array of a cache: `key` of kv_heads × head_dim elements.
struct CachePart {
  std::string name;  // key, value, latent, rope, index key, ssm, conv
  Axis elements;     // of one token, or of one sequence for fixed parts
  // The extent that tensor parallelism divides (KV heads, state heads); nothing where each rank
  // keeps all of it.
  std::optional<Extent> divided;
  // The storage format that the configuration states for this part (`float32` for a state); empty
  // where it says nothing and the cache's own format holds.
  std::string stated_format = {};
};

// Equal layers. Growth per token is layers × Σ per_token, fixed size layers × Σ per_sequence. A
// layer that reads another layer's cache is in no group.
struct CacheGroup {
  std::string name;  // `layers.*.self_attn`
  CacheKind kind = CacheKind::full;
  Extent layers;
  std::vector<CachePart> per_token;
  std::vector<CachePart> per_sequence;
  std::optional<Extent> window;    // window, chunked: tokens that are kept
  std::optional<Extent> compress;  // tokens that share one entry, where more than one do
  // latent: the keys of every head, for engines that keep them instead; their last axis is a width.
  std::vector<CachePart> expanded = {};
  // Tokens that a query reads of those that are kept, where an indexer chooses them.
  std::optional<Extent> chosen = {};
};

struct Inventory {
  std::vector<TensorGroup> tensors;
  std::vector<CacheGroup> caches;
  // Caches of multi-token-prediction layers: kept only where the model drafts with them.
  std::vector<CacheGroup> draft_caches = {};
  // Whether every tensor's format in the family's quantised checkpoints is known, so that bytes
  // follow from the groups.
  bool formats_known = false;
  // Decoder layers of the main model as the configuration states them; 0 where it does not. Layers
  // behind them in an index are MTP modules.
  std::int64_t main_layers = 0;
  // Tokens of a sequence up to which the model was trained.
  std::optional<Extent> trained_length = {};
  // Norms multiply by 1 + weight in fp32 (Gemma), which keeps more for the backward pass.
  bool offset_norms = false;
  // Elements of a head that rotary positions turn, where the model has such positions.
  std::optional<Extent> rotary_width = {};
};

}  // namespace ullage::model
