// What the layers of a decoder do with a token: which attend, over which widths, and through which
// MLPs or experts. Read off the two inventories, so that activations and FLOPs count the layers
// that weights and caches count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/term.hpp"

namespace ullage::model {

enum class Mixing : std::uint8_t {
  softmax,      // queries against keys (grouped heads, or all of them)
  latent,       // likewise, keys and values expanded from one latent vector
  delta_rule,   // a state that each token corrects (gated delta net, Kimi delta attention)
  state_space,  // a state that decays (Mamba)
  linear,       // a state that sums keys and values (lightning attention), or a convolution alone
};

// Equal mixers, in `layers` layers.
struct MixerLayers {
  Mixing mixing = Mixing::softmax;
  Extent layers;
  bool prediction = false;  // of multi-token prediction
  // softmax and latent
  std::optional<Extent> heads = {};
  std::optional<Extent> kv_heads = {};  // softmax
  Axis query = {};                      // heads × width of a query
  Axis key = {};                        // KV heads × width of a key; latent: as query
  Axis value = {};                      // KV heads × width of a value; latent: as output
  Axis output = {};                  // heads × width of a value: what the output projection reads
  std::vector<Extent> latents = {};  // latent: the inputs of the expanding matrices
  std::optional<Extent> window = {};
  std::optional<Extent> chosen = {};  // latent: tokens that a query reads, chosen by an indexer
  bool chunked = false;               // the window is a chunk that starts anew
  bool head_norms = false;            // norms on queries and keys
  // the others
  Axis projected = {};  // width of the input projections together
  Axis state = {};      // elements of the state; empty for a convolution alone
};

// Equal indexers, in `layers` layers: each scores the keys of all tokens.
struct IndexerLayers {
  Extent layers;
  bool prediction = false;
  Axis query = {};  // heads × width
};

// Equal MLPs, in `layers` layers.
struct MlpLayers {
  Extent layers;
  bool prediction = false;
  Axis width = {};
  bool gated = false;   // gate and up, else one matrix before the activation
  bool shared = false;  // beside routed experts
  // Routed experts: how many there are and how many a token passes.
  std::optional<Extent> experts = {};
  std::optional<Extent> chosen = {};
};

struct LayerKinds {
  Extent hidden;
  std::optional<Extent> vocabulary;  // rows of the head; nothing where there is none
  Extent layers;                     // of the main model
  bool one_part_layers = false;      // each layer is a mixer or an MLP, not both (Nemotron-H)
  std::vector<MixerLayers> mixers = {};
  std::vector<MlpLayers> mlps = {};
  Term norms{0};              // norms of hidden_size in the layers of the main model, together
  Term prediction_layers{0};  // modules that pass through the head once more each
  bool offset_norms = false;  // as in the inventory
  std::vector<IndexerLayers> indexers = {};  // choose the tokens that are attended to
  bool vision = false;                       // a tower that is not described here
};

// Whether a group is a matrix that a token is multiplied with: two axes, or one output of a
// projection; no norm, bias, table or vector of a mixer.
bool is_matrix(const TensorGroup& group);
// A norm's weight or bias, in whichever component it is listed.
bool is_norm(const TensorGroup& group);
// The matrix that chooses experts, in whichever component it is listed.
bool is_router(const TensorGroup& group);

// Error unsupported_architecture with the reason: an encoder (no cache), an encoder and a decoder,
// a mixer whose widths the inventory does not tell.
base::Result<LayerKinds> layer_kinds(provenance::Graph& graph, const Inventory& inventory,
                                     const std::string& model);

}  // namespace ullage::model
