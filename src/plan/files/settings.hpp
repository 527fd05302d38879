// Flags and configuration keys of engines and trainers, whatever they are called, as one set of
// knobs.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/files/workload.hpp"

namespace ullage::plan {

// Whose spellings are read.
enum class Dialect : std::uint8_t {
  vllm,
  sglang,
  trtllm,
  tgi,
  llamacpp,
  neuronx,
  megatron,
  trainer,
  launcher
};

enum class Knob : std::uint8_t {
  none,  // a flag that says nothing of capacity
  model,
  model_path,  // where the weights lie, beside an id
  revision,
  dtype,
  quantization,
  kv_dtype,
  tp,
  pp,
  dp,
  dp_local,
  ep,
  expert_parallel,
  attention_dp,
  cp,
  context,
  concurrency,
  utilization,
  mem_fraction,
  free_fraction,
  kv_cache_bytes,
  block_size,
  nodes,
  role,
  kv_transfer,
  speculative,
  draft_model,
  config_file,
  additional_config,
  neuron_config,
  lnc,
  cores,
  offload,
  sequence,
  microbatch,
  global_batch,
  accumulation,
  optimizer,
  zero,
  zero_one,
  distributed_optimizer,
  sharding,
  deepspeed_config,
  recompute,
  recompute_on,
  selective_on,
  bf16,
  fp16,
  fp8,
  lora_rank,
  lora_targets,
  etp,
  vpp,
  sequence_parallel,
  uneven_pipeline,
  processes_per_node,
  processes,
  gpus_per_node,
  num_layers,
  hidden_size,
  ffn_hidden_size,
  heads,
  kv_heads,
  vocabulary,
  experts,
};

// A row of the tables: `--max-model-len` of vLLM is the context. A switch takes no value, or
// True and False.
struct FlagName {
  std::string_view name;  // with its dashes; `-` stands for `_` too
  Knob knob = Knob::none;
  bool is_switch = false;
};
std::span<const FlagName> flag_table(Dialect dialect);

// What flags and keys say; the last one wins, as command lines have it.
class Settings {
 public:
  void put(Knob knob, Word value) { values_.insert_or_assign(knob, std::move(value)); }
  void put_unless_set(Knob knob, Word value) { values_.emplace(knob, std::move(value)); }
  // Takes over what is not set yet.
  void fill_from(const Settings& other);
  const Word* find(Knob knob) const;
  bool empty() const { return values_.empty(); }

  std::vector<Remark> remarks;

 private:
  std::map<Knob, Word> values_;
};

// Reads arguments. Unique prefixes of long flags are accepted with a remark, as argparse has them.
// The words that are neither flags nor their values are returned.
std::vector<Word> read_flags(Dialect dialect, std::span<const Word> words, Settings& settings);

// Takes a configuration key for the flag of that name (`max_model_len`, `maxModelLen`,
// `max-model-len`). False where no flag has it.
bool put_key(Dialect dialect, std::string_view key, const Word& value, Settings& settings);

// Writes what the settings say into the workload, in the dialect's readings of numbers and formats.
void settle(Dialect dialect, const Settings& settings, Workload& workload);

// A whole number as the dialect writes it: vLLM's `1k` is 1,000 and `1K` 1,024; others are plain.
// Nothing for `-1`, `auto` and what is no number.
std::optional<exact::Rational> read_count(Dialect dialect, std::string_view text);

// `500_000` of YAML 1.1 and Python without its underscores; other texts stay.
std::string without_underscores(std::string_view text);

// A weight format under the names of --weights (`half` is fp16); empty for `auto` and its kin.
std::string weight_format(std::string_view text);
// An optimizer under the names of --optimizer (`adamw_torch_fused` is adamw).
std::string optimizer_name(std::string_view text);

}  // namespace ullage::plan
