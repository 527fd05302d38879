// Serving a model: the memory that a workload needs under an engine's rules, and what a given
// memory holds. `kv`, `fit` and `check` ask it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engines.hpp"
#include "import/open.hpp"
#include "memory/weights.hpp"
#include "plan/layout.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// Memory that no formula covers, as the user states it: `activations`, `cuda-graphs`.
struct Overhead {
  std::string name;
  GivenNumber size;  // bytes on each device
};

// Instances that only read prompts, or only write answers from caches that they are handed.
enum class Role : std::uint8_t { prefill, decode };

struct ServeChoice {
  std::string engine = "ideal";         // `NAME[@VERSION]`
  std::optional<std::string> kv_dtype;  // nothing or `auto`: the model's rule, else 16 bits
  LayoutChoice layout;                  // of tensors; nothing: 1 each
  std::optional<GivenNumber> data, context_parallel;  // nothing: 1
  std::optional<GivenNumber> context;                 // tokens of a sequence
  std::optional<GivenNumber> concurrency;             // nothing: 1
  std::optional<GivenNumber> block_size, batched_tokens, ubatch, speculative_tokens;
  std::optional<bool> prefix_caching;
  std::optional<engine::CacheMode> cache_mode;
  std::optional<bool> expanded_latent;  // --mla
  bool swa_full = false;
  std::optional<GivenNumber> lora_adapters, lora_rank;  // held at once; rank 16, assumed
  std::optional<std::string> draft;                     // a model that proposes tokens
  const model::Model* draft_model = nullptr;            // opened: counts beside the model
  std::vector<Overhead> overheads;
  std::optional<Role> role;                                // nothing: both
  std::optional<GivenNumber> vision_tokens;                // of images, beside the context's text
  std::optional<GivenNumber> weights_on_host, kv_on_host;  // bytes of each device
};

// What of a device there is: the cache's memory itself, or a capacity of which `share` may be used
// (nothing: the engine's own share) and weights and overheads are taken first. Nothing of both asks
// for the need alone.
struct ServeMemory {
  std::optional<provenance::Figure<units::Bytes>> kv_memory;
  std::optional<provenance::Figure<units::Capacity>> capacity;
  std::optional<provenance::Figure<units::Share>> share;
  // Whether the weights are shared over devices that are counted later: nothing is known yet of
  // what one of them has left.
  bool shared = false;
};

struct Serving {
  engine::EngineChoice engine;
  memory::CacheLayout layout;
  engine::Workload workload;
  std::vector<memory::CacheClass> classes;  // what the model keeps, a draft's behind its own
  std::string kv_format;
  provenance::Figure<units::Bits> kv_bits;
  engine::Allocation allocation = {};
  provenance::Figure<units::Count> devices;  // tp × pp × dp × cp
  // Weights as the engine loads them, those that it leaves on the host, and LoRA adapters.
  std::optional<provenance::Figure<units::Bytes>> weights_per_device = {};
  std::optional<provenance::Figure<units::Bytes>> weights_host = {};
  std::optional<provenance::Figure<units::Bytes>> adapters = {};
  std::optional<provenance::Figure<units::Bytes>> overhead_per_device = {};
  // The need where a context is asked for: KV cache and state, on one device and in all.
  std::optional<provenance::Figure<units::Bytes>> cache_per_device = {};
  std::optional<provenance::Figure<units::Bytes>> cache_total = {};
  // Weights, cache, state and overheads.
  std::optional<provenance::Figure<units::Bytes>> required_per_device = {};
  std::optional<provenance::Figure<units::Bytes>> required_total = {};
  // Capacity × share, and what it leaves for the cache (or what was given for it).
  std::optional<provenance::Figure<units::Bytes>> budget_per_device = {};
  std::optional<provenance::Figure<units::Bytes>> kv_memory = {};
  // The smallest share of the capacity that holds the workload; nothing where none does.
  std::optional<provenance::Figure<units::Share>> utilization_min = {};
  // Beside the devices: weights of one that lie on the host, blocks and tokens that its share of
  // host memory holds, and the host memory of all devices.
  std::optional<provenance::Figure<units::Bytes>> weights_offloaded = {};
  std::optional<provenance::Figure<units::Count>> host_blocks = {};
  std::optional<provenance::Figure<units::Tokens>> host_tokens = {};
  std::optional<provenance::Figure<units::Bytes>> host_memory = {};
  std::optional<provenance::Figure<units::Bytes>> handover = {};  // per request, with a role
  std::vector<base::Note> notes = {};
};

// Serves `model`. `weights` are its weights; null leaves them out, which a capacity does not allow.
// `chip` is the device, whose rules for the model's cache apply; null for none. Errors: usage (a
// name or number that cannot be), unknown_figure (the shape is not known, or the engine does not do
// it), those of the catalogue.
base::Result<Serving> serve(provenance::Graph& graph, const model::Model& model,
                            const memory::Weights* weights, const ServeChoice& choice,
                            const ServeMemory& memory, const catalog::Entry* chip,
                            catalog::Catalogue& catalogue);

// The model of `choice.draft`, opened; nothing where none is named.
base::Result<std::optional<model::Model>> open_draft(const ServeChoice& choice,
                                                     import::OpenContext& context);

// The figures of an allocation and of the memory behind it under the names that scripts read, in
// showing order.
std::vector<provenance::NamedFigure> serving_results(const Serving& serving);

}  // namespace ullage::plan
