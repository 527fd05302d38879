// Weights as an engine loads them: what it puts on each device, and what stays on the host.
#pragma once

#include <optional>
#include <vector>

#include "engine/engines.hpp"
#include "memory/device_weights.hpp"

namespace ullage::engine {

struct LoadedWeights {
  provenance::Figure<units::Bytes> per_device;  // of the largest stage
  std::optional<provenance::Figure<units::Bytes>> host;
  std::vector<base::Note> notes;
};

// The layers that the model drafts with (MTP): engines that serve it load them only where it does.
enum class Drafting : std::uint8_t { no, yes };

// Where the engine adds buffers (vLLM's rotary table) or keeps parts on the host (llama.cpp's token
// embedding), these are counted; what it leaves out (MTP layers without `drafting`) is not, with a
// note; elsewhere the bytes are those of the tensors. Errors: those of
// `memory::device_weights`.
base::Result<LoadedWeights> loaded_weights(provenance::Graph& graph, const model::Model& model,
                                           const memory::Weights& weights,
                                           const memory::Layout& layout, const EngineChoice& engine,
                                           Drafting drafting, catalog::Catalogue& catalogue);

}  // namespace ullage::engine
