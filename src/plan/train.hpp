// What training takes: model states, activations, logits and gathered weights of one rank, and what
// that means on devices.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory/training_setup.hpp"
#include "plan/fit.hpp"
#include "plan/serve.hpp"

namespace ullage::plan {

// One --state-bytes override: `weights`, `gradients`, `master` or `optimizer`.
struct StateTerm {
  std::string name;
  GivenNumber bytes;
};

struct TrainRequest {
  std::string model;
  std::optional<std::string> assume;  // --assume FAMILY

  std::string rules = "ideal";           // whose accounting
  std::optional<std::string> recipe;     // nothing: the rules' default, shown as such
  std::optional<std::string> optimizer;  // nothing: adamw
  memory::WeightChoice weights;          // overrides the recipe's weight term
  std::vector<StateTerm> state_bytes;
  std::optional<GivenNumber> galore_rank;

  std::optional<GivenNumber> zero;  // 0 … 3
  std::optional<GivenNumber> tp;
  std::optional<GivenNumber> pp;
  std::optional<GivenNumber> dp;
  std::optional<GivenNumber> cp;
  std::optional<GivenNumber> ep;
  std::optional<GivenNumber> expert_tp;
  std::optional<GivenNumber> dp_shard;  // hybrid sharding: data parallel ranks of one shard group
  bool sequence_parallel = false;

  std::optional<GivenNumber> sequence;          // nothing: 4,096 tokens, assumed
  std::optional<GivenNumber> microbatch;        // nothing: 1 sequence, assumed
  std::optional<GivenNumber> microbatches;      // nothing: as many as the pipeline holds
  std::optional<GivenNumber> virtual_stages;    // --virtual-pipeline
  std::optional<GivenNumber> loss_chunks;       // --loss chunked:N
  std::optional<GivenNumber> expert_imbalance;  // nothing: balanced, assumed
  memory::Schedule schedule = memory::Schedule::one_forward_one_backward;
  memory::Recompute recompute = memory::Recompute::none;
  memory::AttentionKernel attention = memory::AttentionKernel::flash;
  std::optional<memory::Kernels> kernels;
  std::optional<memory::Loss> loss;

  std::optional<GivenNumber> lora_rank;
  std::vector<std::string> lora_targets;
  std::optional<std::string> base_weights;  // --base-weights DTYPE

  bool offload_optimizer = false;
  bool offload_parameters = false;
  bool zero_init = true;
  std::optional<GivenNumber> devices_per_node;
  std::optional<GivenNumber> largest_layer;     // parameters
  std::optional<GivenNumber> reduce_bucket;     // elements of the buffers of collectives; nothing:
  std::optional<GivenNumber> allgather_bucket;  // DeepSpeed's defaults under its rules, else none
  std::optional<GivenNumber> prefetch_bucket;
  std::vector<Overhead> overheads;

  std::optional<std::string> on;  // one device; nothing: no verdict
  CapacityChoice capacity;
  std::optional<GivenNumber> reserve;  // share; nothing: 15 %, assumed
  std::optional<GivenNumber> devices;  // as named by `on`; without `dp` it fixes dp
};

// One row. Without `on` there is no verdict. With it `lower-bound` where no layout is given; else
// `does-not-fit` where the floor exceeds the budget of a device, `fits` where the upper figure does
// not, `unknown` between the two or where a needed figure is. `devices_min` is an arithmetic lower
// bound: states and activations of one microbatch spread evenly. Errors: usage for flags that
// exclude each other or degrees that do not divide; unsupported_architecture and unknown_figure
// where the model does not tell what is asked.
base::Result<provenance::Answer> train(const TrainRequest& request, catalog::Catalogue& catalogue,
                                       const base::FileSystem& files);

// The same on a model that is open already, into a graph of the caller's.
base::Result<provenance::Row> train_row(const TrainRequest& request, const model::Model& model,
                                        catalog::Catalogue& catalogue, provenance::Graph& graph);

}  // namespace ullage::plan
