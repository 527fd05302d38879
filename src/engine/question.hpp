// What an engine is asked, and what it answers: how much memory a workload needs, and what a given
// memory holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/version.hpp"
#include "memory/cache.hpp"

namespace ullage::engine {

// How the recurrent state of hybrid models is kept for prefix caching (vLLM's mamba_cache_mode).
enum class CacheMode : std::uint8_t { none, align, all };

// Every number is a whole one of at least 1 (context and kv_memory may be 0).
struct Workload {
  std::optional<model::Extent> context;  // tokens of a sequence
  model::Extent concurrency;             // sequences held at once, over all data-parallel copies
  std::optional<model::Extent> block_size;
  std::optional<model::Extent> batched_tokens;  // tokens of one scheduler step
  std::optional<model::Extent> ubatch;          // physical batch of llama.cpp
  std::optional<model::Extent> speculative;     // tokens proposed a step
  std::optional<bool> prefix_caching;
  std::optional<CacheMode> cache_mode;
  bool swa_full = false;                         // windowed layers keep every token
  std::optional<model::Extent> trained_length;   // of the model
  std::optional<model::Extent> attention_heads;  // of the model
  // Memory of one device for the cache: asks what it holds.
  std::optional<provenance::Figure<units::Bytes>> kv_memory;
};

// Share of a device's memory that an engine uses unless told otherwise, and who says so.
struct Utilization {
  exact::Rational share;
  std::string citation;
  bool of_free = false;  // a share of what weights and overheads leave, for the cache alone
  std::optional<exact::Rational> cap = {};  // the cache's most, as a share of the usable memory
  std::string cap_citation = {};
};

struct Question {
  const std::vector<memory::CacheClass>& classes;
  const memory::CacheLayout& layout;
  const Workload& workload;
  Version version;
  std::string_view format;  // of the cache, as the table of storage formats names it
};

// The bytes of one kind of cache on one device.
struct KindBytes {
  model::CacheKind kind;
  provenance::FigureId bytes;
};

// Figures of the need are there where a context is asked for, those of the supply where a memory
// is. KV figures leave recurrent state out.
struct Allocation {
  std::optional<provenance::Figure<units::Bytes>> kv_per_token;
  std::optional<provenance::Figure<units::Bytes>> kv_per_token_per_device;
  std::optional<provenance::Figure<units::Bytes>> state_per_sequence;  // of the whole model
  std::optional<provenance::Figure<units::Bytes>> kv_per_sequence;
  std::optional<provenance::Figure<units::Bytes>> kv_per_sequence_per_device;
  // Of models with windows: what windows leave of a sequence, and as if every layer kept all of it.
  std::optional<provenance::Figure<units::Bytes>> kv_floor_per_sequence;
  std::optional<provenance::Figure<units::Bytes>> kv_full_per_sequence;
  std::optional<provenance::Figure<units::Bytes>> kv_total;
  std::optional<provenance::Figure<units::Bytes>> kv_total_per_device;
  std::vector<KindBytes> kinds;  // of kv_total_per_device
  std::optional<provenance::Figure<units::Bytes>> state_total;
  std::optional<provenance::Figure<units::Bytes>> state_total_per_device;
  std::optional<provenance::Figure<units::Tokens>> block_tokens;
  std::optional<provenance::Figure<units::Bytes>> block_bytes;
  std::optional<provenance::Figure<units::Count>> blocks;
  std::optional<provenance::Figure<units::Tokens>> max_tokens;
  std::optional<provenance::Figure<units::Count>> max_concurrency;
  std::optional<provenance::Figure<units::Tokens>> max_context;
  std::optional<provenance::Figure<units::Bytes>> pool_bytes;
  // The least memory of one device that holds the workload, states included.
  std::optional<provenance::Figure<units::Bytes>> kv_memory_min;
  std::vector<base::Note> notes;
};

}  // namespace ullage::engine
