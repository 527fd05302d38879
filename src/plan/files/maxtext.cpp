// Keys and their meanings: src/maxtext/configs/base.yml and optimizers.py of MaxText.
#include "plan/files/maxtext.hpp"

#include <array>

#include "base/spelling.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;

struct KeyKnob {
  std::string_view name;
  Knob knob;
};
constexpr std::array kKnobs{KeyKnob{"model_name", Knob::model},
                            KeyKnob{"per_device_batch_size", Knob::microbatch},
                            KeyKnob{"max_target_length", Knob::sequence},
                            KeyKnob{"gradient_accumulation_steps", Knob::accumulation},
                            KeyKnob{"opt_type", Knob::optimizer},
                            KeyKnob{"weight_dtype", Knob::dtype},
                            KeyKnob{"remat_policy", Knob::recompute},
                            KeyKnob{"ici_tensor_parallelism", Knob::tp},
                            KeyKnob{"ici_expert_parallelism", Knob::ep},
                            KeyKnob{"ici_context_parallelism", Knob::cp},
                            KeyKnob{"ici_pipeline_parallelism", Knob::pp}};

// Axes over which the states are sharded, and those that hold copies.
constexpr std::array<std::string_view, 4> kShards{
    "ici_fsdp_parallelism", "ici_fsdp_transpose_parallelism", "dcn_fsdp_parallelism",
    "dcn_fsdp_transpose_parallelism"};
constexpr std::array<std::string_view, 2> kCopies{"ici_data_parallelism", "dcn_data_parallelism"};

const Word* find_key(std::span<const MaxTextKey> keys, std::string_view name) {
  const Word* found = nullptr;
  for (const MaxTextKey& key : keys) {
    if (key.name == name && key.value.resolved()) found = &key.value;
  }
  return found;
}

// The product of the degrees that are stated; `rest` where one of them takes what is left.
struct Axes {
  Rational product{1};
  bool rest = false;
  const Word* stated = nullptr;
};
template <std::size_t N>
Axes axes_of(std::span<const MaxTextKey> keys, const std::array<std::string_view, N>& names) {
  Axes axes;
  for (const std::string_view name : names) {
    const Word* value = find_key(keys, name);
    if (value == nullptr) continue;
    const auto degree = Rational::parse(value->text);
    if (!degree || !degree->is_whole()) continue;
    if (degree->sign() < 0) axes.rest = true;
    if (degree->sign() > 0) axes.product *= *degree;
    // The place of the axis that shards at all.
    if (axes.stated == nullptr || *degree != Rational{1}) axes.stated = value;
  }
  return axes;
}

std::optional<Rational> bytes_of(const Word* dtype) {
  if (dtype == nullptr) return std::nullopt;
  const std::string format = weight_format(dtype->text);
  if (format == "fp32") return Rational{4};
  if (format == "bf16" || format == "fp16") return Rational{2};
  return std::nullopt;
}

// optax keeps the first moment in mu_dtype and the second in the weights' own.
void read_state_bytes(std::span<const MaxTextKey> keys, Workload& workload) {
  const Word* weight = find_key(keys, "weight_dtype");
  const Word* first = find_key(keys, "mu_dtype");
  const auto of_weight = bytes_of(weight);
  const auto of_first = bytes_of(first);
  if (of_weight) workload.state_bytes["weights"] = Number{*of_weight, weight->where};
  const bool is_adam = !workload.optimizer || workload.optimizer->text == "adamw";
  if (!is_adam || (!of_weight && !of_first)) return;
  const Rational second = of_weight.value_or(Rational{4});
  workload.state_bytes["optimizer"] =
      Number{of_first.value_or(second) + second, (of_first ? first : weight)->where};
}

}  // namespace

Settings maxtext_settings(std::span<const MaxTextKey> keys) {
  Settings settings;
  for (const MaxTextKey& key : keys) {
    for (const KeyKnob& known : kKnobs) {
      if (known.name != key.name) continue;
      Word value = key.value;
      if (known.knob == Knob::microbatch) {
        // Written as a decimal (8.0); below one a device holds part of a sequence.
        const auto number = Rational::parse(value.text);
        if (number && number->is_whole()) value.text = number->to_string();
      }
      if (known.knob == Knob::recompute && value.text != "full" && value.text != "none") {
        value.text = "selective";
      }
      settings.put(known.knob, std::move(value));
    }
  }
  return settings;
}

void read_maxtext_layout(std::span<const MaxTextKey> keys, Workload& workload) {
  const Axes shards = axes_of(keys, kShards);
  const Axes copies = axes_of(keys, kCopies);
  if (shards.stated != nullptr) {
    const bool is_sharded = shards.rest || shards.product > Rational{1};
    workload.zero = Number{Rational{is_sharded ? 3 : 0}, shards.stated->where};
  }
  // What is not stated takes the rest: ici_fsdp_parallelism is -1 in base.yml.
  workload.shards_rest = shards.rest || shards.stated == nullptr;
  if (!workload.shards_rest) {
    workload.dp_shard = Number{shards.product, shards.stated->where};
    const bool is_whole = copies.stated != nullptr && !copies.rest;
    if (is_whole) workload.dp = Number{shards.product * copies.product, shards.stated->where};
  }
  read_state_bytes(keys, workload);
  for (const MaxTextKey& key : keys) {
    const std::string value = base::lower(key.value.text);
    const bool offloads = value == "offload" || (key.name == "remat_policy" &&
                                                 value.find("offload") != std::string::npos);
    workload.host_activations = workload.host_activations || offloads;
    if (key.name == "remat_policy" && value == "custom") workload.custom_recompute = true;
    if (key.name == "optimizer_memory_host_offload" && value == "true") {
      workload.host_optimizer = true;
    }
    if (key.name == "parameter_memory_host_offload" && value == "true") {
      workload.host_parameters = true;
    }
  }
}

}  // namespace ullage::plan
