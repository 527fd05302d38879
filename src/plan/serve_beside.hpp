// What stands beside the question of tokens: the share of a device that an engine takes, the least
// that serves a workload, and host memory.
#pragma once

#include <optional>
#include <string>

#include "plan/serve.hpp"

namespace ullage::plan {

// The share of the device that may be used: given, else the engine's own.
struct Usable {
  provenance::Figure<units::Share> share;
  bool of_free = false;  // of what weights and overheads leave
  std::optional<exact::Rational> cap;
  std::string cap_citation;
};
Usable usable_share(provenance::Graph& graph, const engine::EngineChoice& engine,
                    const ServeMemory& memory);

// `utilization_min`: the smallest share of `capacity` that leaves the cache its least memory, with
// a note where that is more than there is. Nothing where no context is asked for or a figure is
// unknown.
void add_least_utilization(provenance::Graph& graph, provenance::Figure<units::Capacity> capacity,
                           const Usable& usable, Serving& serving);

// Takes `wanted` bytes of the weights of each device to the host: all of them where they are fewer.
void move_weights_to_host(provenance::Graph& graph, const GivenNumber& wanted, Serving& serving);

// Device memory of one rank that firmware and the runtime's micro-code keep, where the chip's entry
// states both; it joins the overheads, with a note.
void add_runtime_memory(provenance::Graph& graph, const catalog::Entry& chip, Serving& serving);

// Blocks and tokens that --kv-on-host holds for each device, and the host memory of all devices:
// weights and caches that lie there.
void add_host(provenance::Graph& graph, const ServeChoice& choice, Serving& serving);

// Error usage where --vision-tokens cannot mean anything: without a context, or for a model whose
// images do not stand in the sequence.
base::Result<void> check_vision(const model::Model& model, const ServeChoice& choice);

// Notes for a reader who expected more: a model that keeps nothing, drafts that nothing proposes,
// and flags that neither the engine nor the model reads.
void note_unused(const model::Model& model, const ServeChoice& choice, std::string_view engine,
                 std::vector<base::Note>& notes);

// What loading a model takes beside the devices: the bytes of its files on disk, and at least one
// whole tensor in host memory. Unknown where the width of the weights is.
struct LoadNeed {
  provenance::Figure<units::Bytes> disk;
  std::optional<provenance::Figure<units::Bytes>> host_min;  // nothing without a shape
};
LoadNeed load_need(provenance::Graph& graph, const model::Model& model,
                   const memory::Weights& weights, catalog::Catalogue& catalogue);

}  // namespace ullage::plan
