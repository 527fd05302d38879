// Evaluates the formulas of memory over Number.
#include "batch/fit_row.hpp"

#include <algorithm>

#include "memory/formulas.hpp"

namespace ullage::batch {
namespace {

constexpr std::array<std::string_view, kFitResults> kNames{"parameters",
                                                           "active_parameters",
                                                           "bits_per_parameter",
                                                           "weights_floor",
                                                           "weights_payload",
                                                           "state_per_sequence",
                                                           "kv_per_sequence",
                                                           "kv_total",
                                                           "state_total",
                                                           "working_memory",
                                                           "required_memory",
                                                           "device_capacity",
                                                           "reserve",
                                                           "device_budget",
                                                           "devices_min",
                                                           "chips_min",
                                                           "chips",
                                                           "devices",
                                                           "headroom_per_device"};

// Cache and state of the whole model, as engine/ideal counts them.
struct Cache {
  Number per_sequence;  // without states
  Number state;         // of one sequence
  bool has_state = false;
};

Number entries_of(const CacheLayers& layers, const Number& context) {
  if (!layers.keeps_tokens) return 1;
  const Number held = layers.window ? min(context, *layers.window) : context;
  return layers.compress ? (held / *layers.compress).ceil() : held;
}

Cache cache_of(const CacheFacts& facts, const Number& context) {
  Cache cache;
  for (const CacheLayers& layers : facts.layers) {
    if (layers.recurrent) {
      cache.has_state = true;
      cache.state = cache.state + layers.entry;
    } else {
      cache.per_sequence = cache.per_sequence + layers.entry * entries_of(layers, context);
    }
  }
  return cache;
}

void set(FitRow& row, FitResult result, const Number& number) {
  row[result] = Value::of(number);
}

// Required memory of all devices, and what the bound on devices counts.
struct Need {
  Number required;
  Number least;
};

Need need_of(const FitQuestion& question, FitRow& row) {
  if (question.cache == nullptr) {
    const Number required =
        memory::RequiredMemory::evaluate(question.model->used, question.working_memory);
    set(row, FitResult::working_memory, question.working_memory);
    set(row, FitResult::reserve, question.device->reserve);
    return {required, required};
  }
  const Cache cache = cache_of(*question.cache, question.context);
  const Number kv_total = cache.per_sequence * question.concurrency;
  set(row, FitResult::state_per_sequence, cache.state);
  set(row, FitResult::kv_per_sequence, cache.per_sequence);
  set(row, FitResult::kv_total, kv_total);
  Number working = kv_total;
  if (cache.has_state) {
    const Number state_total = cache.state * question.concurrency;
    set(row, FitResult::state_total, state_total);
    working = working + state_total;
  }
  set(row, FitResult::working_memory, working);
  return {memory::RequiredMemory::evaluate(question.cache->weights, working),
          memory::RequiredMemory::evaluate(question.model->used, working)};
}

void set_unknown(FitRow& row, FitResult result) {
  row[result].state = Value::State::unknown;
}

void judge_unknown(const FitQuestion& question, FitRow& row) {
  set_unknown(row, FitResult::device_budget);
  set_unknown(row, FitResult::devices_min);
  if (question.device->chips.known()) set_unknown(row, FitResult::chips_min);
  if (question.devices) set_unknown(row, FitResult::headroom_per_device);
  row.verdict = "unknown";
}

void judge(const FitQuestion& question, const Need& need, FitRow& row) {
  const DeviceFacts& device = *question.device;
  set(row, FitResult::device_budget, device.budget);
  const Number chips_min = memory::DevicesLowerBound::evaluate(need.least, device.budget);
  if (device.chips.known()) {
    set(row, FitResult::devices_min,
        memory::InstancesLowerBound::evaluate(chips_min, device.chips.number));
    set(row, FitResult::chips_min, chips_min);
  } else {
    set(row, FitResult::devices_min, chips_min);
  }
  if (!question.devices) {
    row.verdict = "lower-bound";
    return;
  }
  const Number sharing = device.chips.known()
                             ? memory::ChipsInAll::evaluate(*question.devices, device.chips.number)
                             : *question.devices;
  const Number headroom =
      memory::HeadroomPerDevice::evaluate(device.budget, need.required, sharing);
  set(row, FitResult::headroom_per_device, headroom);
  row.verdict = headroom.sign() >= 0 ? "fits" : "does-not-fit";
}

}  // namespace

std::string_view name_of(FitResult result) {
  return kNames[static_cast<std::size_t>(result)];
}

bool compute_fit(const FitQuestion& question, FitRow& row) {
  for (Value& value : row.results)
    value.state = Value::State::absent;
  const ModelFacts& model = *question.model;
  const DeviceFacts& device = *question.device;
  row.device = device.name;
  row[FitResult::parameters] = model.parameters;
  row[FitResult::active_parameters] = model.active_parameters;
  row[FitResult::bits_per_parameter] = model.bits;
  row[FitResult::weights_floor] = model.floor;
  row[FitResult::weights_payload] = model.payload;
  row[FitResult::device_capacity] = device.capacity;
  row[FitResult::chips] = device.chips;
  const Need need = need_of(question, row);
  set(row, FitResult::required_memory, need.required);
  if (question.devices) {
    // A workload counts chips, a lump what was named.
    const bool chips = question.cache != nullptr && device.chips.known();
    set(row, FitResult::devices,
        chips ? memory::ChipsInAll::evaluate(*question.devices, device.chips.number)
              : *question.devices);
  }
  if (device.capacity.known()) {
    judge(question, need, row);
  } else {
    judge_unknown(question, row);
  }
  return std::none_of(row.results.begin(), row.results.end(), [](const Value& value) {
    return value.known() && value.number.overflowed();
  });
}

}  // namespace ullage::batch
