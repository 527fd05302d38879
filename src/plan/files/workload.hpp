// What deployment files say of one workload, whatever their format: every value with its place, or
// absent. Adapters make workloads, everything behind them reads nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/note.hpp"
#include "exact/rational.hpp"

namespace ullage::plan {

// A text of a file. `missing` names the variables that it needs and nobody gives; where there are
// any, the text keeps them as they are written and is no value.
struct Word {
  std::string text;
  base::Span where = {};
  std::vector<std::string> missing = {};

  bool resolved() const { return missing.empty(); }
};

struct Number {
  exact::Rational value;
  base::Span where = {};
};

// Something that picks the machine or device: a node selector, a resource that is asked for, an
// accelerator's name in a field made for it.
struct Selector {
  std::string key;  // `cloud.google.com/gke-accelerator`, `skypilot`, `cel.memory`
  Word value;
};

// A value that the file leaves to a variable or a template.
struct Unresolved {
  std::string what;      // `model`, `tp`
  std::string variable;  // `MODEL_ID`, or the template's text
  base::Span where;
};

// A remark about how the file was read, which becomes a note of the row.
struct Remark {
  std::string code;
  base::Severity level = base::Severity::note;
  std::string text;
  base::Span where;
};

// One `expect:` line of a native plan: `devices_min <= 16`, `fits`.
struct Expectation {
  Word text;
  std::string name;  // of a result, or `fits` and `does-not-fit`
  std::string sign;  // < <= == != >= >; empty for the verdicts
  exact::Rational value;
};

// One `claims:` entry: a figure that somebody states, compared and never used.
struct PlanClaim {
  Word figure;
  Word value;        // as written: `989.4 TFLOP/s`
  std::string mode;  // dense, sparse; empty
  std::string of;    // device; empty: the plan's own
  std::string title;
  Word checked;  // date; empty text where none is stated
};

// What only plans of our own say.
struct NativeParts {
  std::optional<Number> reserve;         // share
  std::optional<Number> working_memory;  // bytes
  Word capacity;                         // nominal, visible or a size; empty text: nominal
  Word rules, recipe;
  std::optional<Number> microbatches;
  bool has_layout = false;
  std::vector<Expectation> expectations;
  std::vector<PlanClaim> claims;
  Word lock;  // path beside the plan
};

enum class Work : std::uint8_t { unknown, serve, train };

struct Workload {
  std::string file;
  std::string kind;  // `kubernetes`; docs/plans.md lists the names
  // Whose accounting trains it (`maxtext`), where a file of another kind launches it; empty: that
  // of the kind.
  std::string trainer;
  std::string name;  // what the file calls it
  base::Span where;
  Work work = Work::unknown;

  std::optional<Word> role;  // prefill, decode
  std::optional<Word> engine;
  std::optional<Word> engine_version;
  std::optional<Word> model;
  std::optional<Word> revision;
  std::optional<Word> weights;   // as --weights names it
  std::optional<Word> kv_dtype;  // the engine's own word
  std::optional<Number> tp, pp, dp, ep, cp;
  std::optional<Number> context;
  std::optional<Number> concurrency;
  std::optional<Number> devices;   // of one copy, in the units that the file counts
  std::optional<Number> replicas;  // copies
  std::optional<Number> lnc;
  std::optional<Number> utilization;
  std::optional<Word> optimizer;
  std::optional<Number> zero;
  std::optional<Number> microbatch;
  std::optional<Number> sequence;
  std::optional<Word> recompute;

  // What decides arithmetic beside them; no fields of the row.
  std::optional<Number> cores;      // where the file counts cores instead of chips
  std::optional<Number> processes;  // ranks of the launcher where that is no device count
  std::optional<Number> visible;    // devices that an environment variable shows, per container
  std::optional<Number> devices_per_node;
  std::optional<Number> nodes;
  std::optional<Number> mem_fraction;    // SGLang: share for weights and cache
  std::optional<Number> free_fraction;   // TensorRT-LLM: share of what is free
  std::optional<Number> kv_cache_bytes;  // vLLM: instead of the share
  std::optional<Number> block_size;
  std::optional<Number> expert_tensor_parallel;
  std::optional<Number> virtual_pipeline;
  std::optional<Number> gradient_accumulation;
  std::optional<Number> lora_rank;
  std::vector<std::string> lora_targets;
  std::optional<Number> dp_shard;  // of dp, what shards states
  std::optional<Number> global_batch;
  bool expert_parallel = false;  // vLLM: experts over all ranks
  bool attention_dp = false;     // data parallel attention inside the tensor-parallel ranks
  bool shards_rest = false;      // `-1`: whatever the world has left shards
  bool sequence_parallel = false;
  bool uneven_pipeline = false;      // the file says itself which layers each stage gets
  std::optional<Word> host_weights;  // what says that an engine keeps weights on the host
  bool host_experts = false;         // parts of the weights stay on the host
  bool host_optimizer = false;
  bool host_parameters = false;
  bool host_activations = false;
  bool custom_recompute = false;              // the file lists which activations are kept
  std::map<std::string, Number> state_bytes;  // bytes a parameter of `weights`, `optimizer` …
  std::optional<Word> draft_model;
  std::map<std::string, Number> dimensions;  // num_layers, hidden_size …: a model given by shape

  std::vector<Selector> selectors;
  bool asks_for_devices = false;
  bool weights_from_dtype = false;  // the format is that of activations; a quantised checkpoint
                                    // keeps its own
  std::optional<NativeParts> native;
  std::vector<Unresolved> unresolved;
  std::vector<Remark> remarks;
};

// Whether the container or command that was read is a workload at all: it runs an engine or a
// trainer, or asks for devices.
inline bool is_workload(const Workload& workload) {
  return workload.engine || workload.asks_for_devices || workload.work == Work::train;
}

}  // namespace ullage::plan
