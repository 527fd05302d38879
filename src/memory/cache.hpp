// What layers keep for a token and for a sequence, in bytes: of the whole model, and of the part
// that one tensor-parallel rank and one pipeline stage hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalogue.hpp"
#include "memory/cache_layout.hpp"
#include "model/model.hpp"

namespace ullage::memory {

// How elements of the KV cache are stored.
struct CacheFormat {
  std::string name;                      // `bf16`, `fp8`, `q8_0`
  provenance::Figure<units::Bits> bits;  // of one element, with the scales of its group
  std::optional<provenance::Figure<units::Bits>> head_bits;  // of the scale of a head in a token
  // The format of the codes in the packed record of sparse latent attention (fp8_ds_mla), beside
  // which rotary elements have 16 bits; empty for none.
  std::string packed = {};
  std::vector<base::Note> notes = {};
};

struct CacheRules;

// The format of `wanted` (--kv-dtype), else the one that the checkpoint's quantisation section
// states (unless the engine does not honour it, with a note either way), else the model's 16-bit
// type, which is shown as assumed. An 8-bit format of a model with sparse latent attention is the
// packed record. Errors: unknown_name; usage for a format that has no single width.
base::Result<CacheFormat> cache_format(provenance::Graph& graph, const model::Model& model,
                                       const std::optional<std::string>& wanted,
                                       const CacheRules& rules, catalog::Catalogue& catalogue);

// The width of an element in `format`, with the scales of its group where those are exact.
provenance::Figure<units::Bits> stored_width(provenance::Graph& graph,
                                             const catalog::StorageFormat& format, std::string name,
                                             catalog::Catalogue& catalogue);

// How many KV heads one of `tensor` ranks keeps.
enum class HeadRule : std::uint8_t {
  rounded_up,    // ⌈heads ÷ ranks⌉: no rank keeps part of a head
  rounded_down,  // ⌊heads ÷ ranks⌋, at least one
  replicated,    // NeuronX: to the tensor-parallel degree, or one for each query head
};

// How an engine keeps caches.
struct CacheRules {
  HeadRule heads = HeadRule::rounded_up;
  std::string heads_citation = {};
  // The format of every recurrent state, whatever the configuration says of it.
  std::string state_format = {};
  std::string state_citation = {};
  // The format of a state (not of its convolution) of which the configuration says nothing; empty:
  // the model's 16-bit type.
  std::string unstated_state_format = {};
  bool honours_stated_state = true;  // whether the configuration's word for a state counts
  bool honours_stated_cache = true;  // whether the checkpoint's word for its cache counts
  bool expanded_latent = false;      // whether latent attention keeps full keys and values
  // Width to which heads of an expanded latent are padded; nothing: to the width of a key.
  std::optional<exact::Rational> expanded_head = {};
  std::string expanded_citation = {};
};

// Equal layers. An entry holds one token, or `compress` of them.
struct CacheClass {
  std::string name;
  model::CacheKind kind = model::CacheKind::full;
  bool draft = false;  // of a multi-token-prediction layer
  model::Extent layers;
  provenance::Figure<units::Count> layers_on_stage;  // of the largest pipeline stage
  provenance::Figure<units::Bytes> entry;            // of one layer
  provenance::Figure<units::Bytes> entry_on_rank;    // of one layer on one rank
  provenance::Figure<units::Bytes> fixed;            // of one layer for each sequence
  provenance::Figure<units::Bytes> fixed_on_rank;    // likewise on one rank
  std::optional<model::Extent> window;
  std::optional<model::Extent> compress;
};

struct CacheClasses {
  std::vector<CacheClass> classes;
  CacheFormat format;
  std::vector<base::Note> notes;
};

struct CacheQuestion {
  std::optional<std::string> format;  // --kv-dtype
  const CacheLayout& layout;
  std::optional<model::Extent> speculative;  // tokens proposed a step
  bool own_drafts;                           // whether the model's own layers propose them
  const CacheRules& rules;
};

// The caches of a model. Layers of its own draft (MTP) count where speculative tokens are asked
// for. Notes `tensor-parallel-uneven` and `kv-heads-replicated` where heads do not divide. Errors:
// unknown_figure for a model without a known shape; usage for a layer split that does not add up;
// those of `cache_format`.
base::Result<CacheClasses> cache_classes(provenance::Graph& graph, const model::Model& model,
                                         const CacheQuestion& question,
                                         catalog::Catalogue& catalogue);

// The attention heads of the main model, where its tensors show them.
std::optional<model::Extent> attention_heads(const model::Inventory& inventory);

}  // namespace ullage::memory
