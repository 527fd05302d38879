// How training frameworks account: what each keeps of a parameter, which ranks share it, and the
// estimates that some of them print. One file a framework with an estimator of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/note.hpp"
#include "memory/training_totals.hpp"

namespace ullage::engine {

enum class Accounting : std::uint8_t { ideal, megatron_lm, megatron_bridge, deepspeed };

struct TrainingRules {
  std::string_view name;
  std::string_view help;
  Accounting accounting;
  std::string_view recipe;         // where --recipe is not given
  std::string_view zero_1_recipe;  // likewise with --zero 1
  int least_zero;
  int most_zero;          // stages that the framework knows
  std::string_view note;  // what a reader of its figures has to know; may be empty
  std::string_view source;
  std::string_view locator;
};
std::span<const TrainingRules> training_rules();
// Error usage with suggestions.
base::Result<const TrainingRules*> find_training_rules(std::string_view name);

// What an estimator reads of a decoder.
struct DecoderNumbers {
  const model::Inventory& inventory;
  const model::LayerKinds& kinds;
};

// Megatron-LM's theoretical memory report: matrices and norms of the most loaded rank.
memory::RankLoad megatron_lm_load(provenance::Graph& graph, const DecoderNumbers& decoder,
                                  const memory::TrainingRanks& ranks);
// Its activations on the first stage, logits included where there is one stage.
provenance::Figure<units::Bytes> megatron_lm_activations(provenance::Graph& graph,
                                                         const DecoderNumbers& decoder,
                                                         const memory::TrainingRanks& ranks,
                                                         const memory::TrainingBatch& batch,
                                                         bool selective);

// Megatron-Bridge's estimator, which shards over context parallel ranks too and prices experts.
memory::RankLoad megatron_bridge_load(provenance::Graph& graph, const DecoderNumbers& decoder,
                                      const memory::TrainingRanks& ranks);
provenance::Figure<units::Bytes> megatron_bridge_activations(provenance::Graph& graph,
                                                             const DecoderNumbers& decoder,
                                                             const memory::TrainingRanks& ranks,
                                                             const memory::TrainingBatch& batch);

// DeepSpeed's estimators of ZeRO-2 and ZeRO-3.
struct DeepSpeedQuestion {
  model::Extent parameters;
  model::Extent ranks;                         // data parallel ranks
  model::Extent per_node;                      // of them on one node
  std::optional<model::Extent> largest_layer;  // ZeRO-3: parameters of the largest module
  int zero = 2;
  bool offload_optimizer = false;
  bool offload_parameters = false;
  bool zero_init = true;
};
struct DeepSpeedStates {
  memory::RankStates states;
  provenance::Figure<units::Bytes> gathered;  // within the total: the largest layer
  provenance::Figure<units::Bytes> host;      // of one node
};
DeepSpeedStates deepspeed_states(provenance::Graph& graph, const memory::StateBytes& bytes,
                                 const DeepSpeedQuestion& question);

// Elements of the buffers through which sharded states pass, where somebody says how many.
struct BucketSizes {
  std::optional<model::Extent> reduce;
  std::optional<model::Extent> allgather;  // ZeRO 1 and 2
  std::optional<model::Extent> prefetch;   // ZeRO 3
};
// DeepSpeed's defaults where `given` says nothing.
BucketSizes deepspeed_buckets(provenance::Graph& graph, catalog::Catalogue& catalogue,
                              BucketSizes given);
// Their bytes at 16 bits an element; none holds more elements than the model has parameters.
// Nothing where no bucket is used at this ZeRO stage.
std::optional<provenance::Figure<units::Bytes>> bucket_bytes(provenance::Graph& graph,
                                                             const BucketSizes& sizes,
                                                             const model::Extent& parameters,
                                                             int zero);

}  // namespace ullage::engine
