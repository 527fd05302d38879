// How vLLM V1 divides layers into groups that draw blocks from one pool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/demand.hpp"

namespace ullage::engine {

// Layers of one kind and one page, with the tokens of a block. `members` are indices into the
// question's classes.
struct PagedLayers {
  model::CacheKind kind = model::CacheKind::full;
  std::vector<std::size_t> members;
  exact::Rational layers;           // of the whole model
  exact::Rational layers_on_stage;  // of the largest stage
  exact::Rational block;            // tokens of a block
  exact::Rational page;             // bytes of a block of one layer on one rank
  exact::Rational unpadded;         // bytes that the page really holds, where it is padded
  std::optional<model::Extent> window;
};

// One or several groups of equal length over a shared pool.
struct Pool {
  std::vector<PagedLayers> paged;
  // For each entry of `paged`, into how many groups its layers fall.
  std::vector<exact::Rational> groups;
  bool uniform = false;                   // one group holds every layer, whatever its page
  exact::Rational group_layers;           // layers of a group on the largest stage
  exact::Rational group_layers_of_model;  // likewise over all stages
  exact::Rational block_bytes;            // of one block of every layer of a group, on one device
  exact::Rational block_bytes_of_model;
  exact::Rational groups_in_all;
  exact::Rational block_tokens;  // the shortest block
  exact::Rational alignment;     // tokens of which a block that holds a state is a multiple
  bool index_in_latent = false;  // whether an indexer's keys share the page of the latent
  std::string padding;           // layers that a last group lacks, in words; empty for none
};

struct VllmSettings {
  model::Extent block;  // as asked for, or the default
  bool block_given = false;
  model::Extent batched;  // tokens of a scheduler step
  CacheMode mode = CacheMode::none;
  exact::Rational speculative_blocks;
  bool hybrid = true;  // whether windowed layers have groups of their own
};

// Error unknown_figure where pages cannot be made equal.
base::Result<Pool> vllm_pool(const provenance::Graph& graph, const Question& question,
                             const VllmSettings& settings);

// Blocks that a sequence of `length` takes in one group of `paged`.
exact::Rational vllm_blocks(const PagedLayers& paged, const VllmSettings& settings,
                            const exact::Rational& length, const exact::Rational& context_ranks);

}  // namespace ullage::engine
