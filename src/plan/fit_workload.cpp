// Asks plan/serve for the need, holds it against the budget, bounds the times.
#include "plan/fit_workload.hpp"

#include "catalog/figures.hpp"
#include "memory/formulas.hpp"
#include "plan/roofline.hpp"
#include "plan/serve_beside.hpp"

namespace ullage::plan {
namespace {

using base::Severity;
using exact::Rational;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Bytes;
using units::Capacity;
using units::Count;
using units::Share;

bool has_layout(const ServeChoice& choice) {
  return choice.layout.given() || choice.data || choice.context_parallel;
}

// The share of the device that may be used, and the reserve that it leaves, if it is one.
struct DeviceShare {
  std::optional<Figure<Share>> share;  // nothing: the engine has its own
  std::optional<Figure<Share>> reserve;
};

// An explicit reserve replaces every other share.
base::Result<DeviceShare> usable_share(Graph& graph, const WorkloadRequest& request) {
  if (request.utilization && !request.reserve) {
    return DeviceShare{graph.given<Share>("utilisation", request.utilization->value,
                                          {request.utilization->where, ""}),
                       std::nullopt};
  }
  ULLAGE_TRY(const engine::EngineChoice engine, engine::find_engine(request.serve.engine));
  if (!request.reserve && engine.engine->utilization(engine.version)) return DeviceShare{};
  const auto reserve = reserve_of(graph, request.reserve);
  return DeviceShare{graph.derived<Share>("usable share", "1 − reserve", "", {reserve.id()},
                                          Rational(1) - graph.value(reserve)),
                     reserve};
}

// Ranks that one chip has, where software sees its cores and not the chip (Neuron); else nothing.
std::optional<Figure<Count>> ranks_of_chip(Graph& graph, const catalog::Entry& chip) {
  const catalog::FigureFact* cores = chip.figure("logical_cores");
  if (cores == nullptr || !cores->known()) return std::nullopt;
  const auto count = graph.narrow<Count>(catalog::bring(graph, *cores));
  return count.ok() ? std::optional(*count) : std::nullopt;
}

// The memory that one rank may use: the chip's, or its share of it.
base::Result<Figure<Capacity>> capacity_of_rank(Graph& graph, const Device& device,
                                                const std::optional<Figure<Count>>& ranks) {
  ULLAGE_TRY(const auto capacity, graph.narrow<Capacity>(device.capacity));
  if (!ranks) return capacity;
  Rational value;
  const bool known = graph.known(capacity.id());
  if (known) value = graph.value(capacity) / graph.value(*ranks);
  return graph.narrow<Capacity>(
      graph.derived("memory bank of a rank", Capacity::kUnit, "chip's capacity ÷ logical cores",
                    "aws-neuron-sdk 81ce03ae: tensors of a program must fit the bank of a core",
                    {capacity.id(), ranks->id()}, value));
}

Figure<Bytes> lump(Graph& graph, const WorkloadRequest& request) {
  if (request.working_memory) {
    return graph.given<Bytes>("working memory", request.working_memory->value,
                              {request.working_memory->where, ""});
  }
  return graph.assumed<Bytes>("working memory", Rational(32) * exact::power_of_ten(9),
                              "the default of 32 GB, since no workload is given; set it with "
                              "--working-memory SIZE, or say --context N");
}

// What is needed beside the weights, over all devices.
Figure<Bytes> working_memory(Graph& graph, const WorkloadRequest& request, const Serving& serving) {
  if (!serving.cache_total) return lump(graph, request);
  std::vector<Figure<Bytes>> parts;
  const Figure<Count> devices = serving.devices;
  const auto everywhere = [&](const std::string& name, Figure<Bytes> one) {
    return graph.derived<Bytes>(name, "on one device × devices", "", {one.id(), devices.id()},
                                graph.value(one) * graph.value(devices));
  };
  if (has_layout(request.serve)) {
    parts.push_back(everywhere("cache and state of all devices", *serving.cache_per_device));
  } else {
    parts.push_back(*serving.cache_total);
  }
  if (serving.overhead_per_device) {
    parts.push_back(everywhere("overheads of all devices", *serving.overhead_per_device));
  }
  return graph.sum("working memory", parts, "cache and state + overheads");
}

// Bytes of one device need a layout to be of one.
base::Result<void> check_host(const WorkloadRequest& request, bool layout) {
  if (layout || (!request.serve.weights_on_host && !request.serve.kv_on_host)) return {};
  return base::Diagnostic{
      .code = base::Code::usage,
      .message = request.serve.weights_on_host ? "--weights-on-host needs a layout"
                                               : "--kv-on-host needs a layout",
      .span = {},
      .hint = "it is of each device: say --tp N, --pp N or --dp N (--tp 1 for one device)",
      .notes = {}};
}

struct Side {
  Graph& graph;
  Row& row;
  void add(const char* name, FigureId id) const { row.results.push_back({name, id}); }
};

// Without a layout nothing is known of single devices.
void add_need(const Side& side, const Serving& serving, bool layout) {
  for (const provenance::NamedFigure& result : serving_results(serving)) {
    if (!layout && result.name.find("per_device") != std::string::npos) continue;
    const bool supply = result.name.starts_with("max_") || result.name == "kv_memory" ||
                        result.name == "blocks" || result.name == "pool_bytes";
    if (!layout && (result.name == "kv_memory_min" || result.name == "utilization_min")) continue;
    if (!supply) side.row.results.push_back(result);
  }
}

// Tokens, sequences and length that the memory beside the weights holds.
void add_supply(const Side& side, const Serving& serving) {
  for (const provenance::NamedFigure& result : serving_results(serving)) {
    const bool supply =
        result.name.starts_with("max_") || result.name == "kv_memory" || result.name == "blocks";
    if (supply) side.row.results.push_back(result);
  }
}

// Chips that a layout takes, and those in the devices that the user has.
struct Chips {
  Figure<Count> of_layout;
  std::optional<Figure<Count>> given;
};

// Headroom and verdict of the fullest device of a layout.
void judge_layout(const Side& side, const WorkloadRequest& request, const Serving& serving,
                  Figure<Bytes> working, Figure<Bytes> budget, const Chips& chips) {
  Graph& graph = side.graph;
  std::vector<FigureId> inputs{budget.id(), serving.weights_per_device->id()};
  const bool known = graph.known(budget.id()) && graph.known(serving.weights_per_device->id());
  Rational need;
  if (known) need = graph.value(*serving.weights_per_device);
  if (serving.cache_per_device) {
    inputs.push_back(serving.cache_per_device->id());
    if (known) need += graph.value(*serving.cache_per_device);
    if (serving.overhead_per_device) {
      inputs.push_back(serving.overhead_per_device->id());
      if (known) need += graph.value(*serving.overhead_per_device);
    }
  } else {
    inputs.push_back(working.id());
    inputs.push_back(serving.devices.id());
    if (known) need += graph.value(working) / graph.value(serving.devices);
  }
  const auto headroom = graph.derived<Bytes>(
      "headroom per device", "budget of a device − what its fullest rank needs", "",
      std::move(inputs), known ? graph.value(budget) - need : Rational());
  side.add("headroom_per_device", headroom.id());
  if (!graph.known(headroom.id())) {
    side.row.verdict = "unknown";
    return;
  }
  side.row.verdict = graph.value(headroom).sign() >= 0 ? "fits" : "does-not-fit";
  const auto& supply = serving.kv_memory;
  const bool capped = supply && serving.cache_per_device && graph.known(supply->id()) &&
                      graph.value(*serving.cache_per_device) > graph.value(*supply);
  if (side.row.verdict == "fits" && capped) {
    side.row.verdict = "does-not-fit";
    side.row.notes.push_back({"cache-over-budget", Severity::error,
                              "the engine gives the cache " +
                                  graph.value(*supply).floor().to_string() +
                                  " B of a device, and the workload needs more"});
  }
  if (!chips.given || !graph.known(chips.given->id())) return;
  const Rational there = graph.value(*chips.given);
  if (graph.value(chips.of_layout) <= there) return;
  side.row.verdict = "does-not-fit";
  std::string given = there.to_string() + " given";
  if (there != request.devices->value)
    given = there.to_string() + " in the " + request.devices->value.to_string() + " given";
  side.row.notes.push_back({"devices-mismatch", Severity::error,
                            "the layout needs " + graph.value(chips.of_layout).to_string() +
                                " chips, more than the " + given});
}

// Headroom and verdict where the need is shared evenly over the devices that the user has.
void judge_even(const Side& side, Figure<Bytes> required, Figure<Bytes> budget,
                std::optional<Figure<Count>> chips, Figure<Count> chips_min) {
  Graph& graph = side.graph;
  if (!chips) {
    side.row.verdict = graph.known(chips_min.id()) ? "lower-bound" : "unknown";
    return;
  }
  const auto headroom = graph.derive<memory::HeadroomPerDevice>(budget, required, *chips);
  side.add("headroom_per_device", headroom.id());
  const bool known = graph.known(headroom.id());
  side.row.verdict = !known                              ? "unknown"
                     : graph.value(headroom).sign() >= 0 ? "fits"
                                                         : "does-not-fit";
}

// Disk and host memory: what loading takes, and whether the instance has what lies there.
void add_beside(const Side& side, const model::Model& model, const memory::Weights& weights,
                const Serving& serving, const Device& device,
                const std::optional<Figure<Count>>& chips, catalog::Catalogue& catalogue) {
  Graph& graph = side.graph;
  const LoadNeed load = load_need(graph, model, weights, catalogue);
  side.add("disk_to_load", load.disk.id());
  if (load.host_min) side.add("host_to_load_min", load.host_min->id());
  if (!serving.host_memory || !graph.known(serving.host_memory->id())) return;
  const catalog::FigureFact* const stated = device.entry->figure("host_memory");
  if (stated == nullptr || !stated->known()) return;
  if (!chips || !device.chips || !graph.known(*device.chips)) return;
  const auto one = catalog::bring(graph, *stated);
  const Rational hosts = (graph.value(*chips) / graph.value(*device.chips)).ceil();
  const auto there =
      graph.derived<Bytes>("host memory of the instances", "of one × ⌈devices ÷ chips of one⌉", "",
                           {one, chips->id(), *device.chips}, graph.value(one) * hosts);
  side.add("host_memory_available", there.id());
  if (graph.value(*serving.host_memory) <= graph.value(there)) return;
  side.row.verdict = "does-not-fit";
  side.row.notes.push_back({"host-memory-short", Severity::warning,
                            "what lies on the host is more than the memory of " +
                                hosts.to_string() + " × " + device.entry->id});
}

// Chips that a layout takes: its ranks, by those of a chip.
Figure<Count> chips_of_layout(Graph& graph, const Serving& serving,
                              const std::optional<Figure<Count>>& ranks) {
  if (!ranks) return serving.devices;
  return graph.derived<Count>("chips of the layout", "⌈ranks ÷ logical cores of a chip⌉", "",
                              {serving.devices.id(), ranks->id()},
                              (graph.value(serving.devices) / graph.value(*ranks)).ceil());
}

// Devices as they were named that hold the chips of a layout: an instance holds several.
base::Result<Figure<Count>> devices_of_layout(Graph& graph, const Device& device,
                                              Figure<Count> chips) {
  if (!device.chips) return chips;
  ULLAGE_TRY(const auto of_one, graph.narrow<Count>(*device.chips));
  const bool known = graph.known(of_one.id());
  return graph.derived<Count>(
      "devices of the layout", "⌈chips of the layout ÷ chips of one⌉", "",
      {chips.id(), of_one.id()},
      known ? (graph.value(chips) / graph.value(of_one)).ceil() : Rational());
}

// The even case with a known number of chips: all of their memory beside the weights, under one
// rank's rules.
base::Result<void> add_even_supply(const Side& side, const WorkloadRequest& request,
                                   const model::Model& model, Figure<Bytes> weights,
                                   Figure<Bytes> budget, Figure<Count> chips, const Device& device,
                                   catalog::Catalogue& catalogue) {
  Graph& graph = side.graph;
  for (const FigureId id : {budget.id(), chips.id(), weights.id()}) {
    if (!graph.known(id)) return {};
  }
  Rational overhead;
  for (const Overhead& each : request.serve.overheads)
    overhead += each.size.value;
  const Rational left =
      (graph.value(budget) - overhead) * graph.value(chips) - graph.value(weights);
  if (left.sign() <= 0) return {};
  ServeChoice choice = request.serve;
  choice.overheads.clear();
  ServeMemory memory;
  memory.kv_memory = graph.derived<Bytes>("memory for the cache of all devices",
                                          "(budget − overheads) × devices − weights", "",
                                          {budget.id(), chips.id(), weights.id()}, left);
  ULLAGE_TRY(const Serving all,
             serve(graph, model, nullptr, choice, memory, device.chip, catalogue));
  add_supply(side, all);
  return {};
}

}  // namespace

Figure<Share> reserve_of(Graph& graph, const std::optional<GivenNumber>& reserve) {
  if (reserve) return graph.given<Share>("reserve", reserve->value, {reserve->where, ""});
  return graph.assumed<Share>("reserve", *Rational::ratio(15, 100),
                              "the default of 15 %; set it with --reserve PCT");
}

bool WorkloadRequest::given() const {
  return serve.context || has_layout(serve) || utilization || serve.engine != "ideal";
}

base::Result<WorkloadRow> add_workload(Graph& graph, const WorkloadRequest& request,
                                       const model::Model& model, const memory::Weights& weights,
                                       const Device& device, catalog::Catalogue& catalogue,
                                       Row& row) {
  const Side side{graph, row};
  const bool layout = has_layout(request.serve);
  ULLAGE_CHECK(check_host(request, layout));
  const auto ranks = layout ? ranks_of_chip(graph, *device.chip) : std::nullopt;
  ServeMemory memory;
  ULLAGE_TRY(const DeviceShare usable, usable_share(graph, request));
  memory.share = usable.share;
  memory.shared = !layout;
  ULLAGE_TRY(memory.capacity, capacity_of_rank(graph, device, ranks));
  ULLAGE_TRY(const Serving serving,
             serve(graph, model, &weights, request.serve, memory, device.chip, catalogue));
  row.notes.insert(row.notes.end(), serving.notes.begin(), serving.notes.end());
  const auto held = *serving.weights_per_device;
  if (layout) side.add("weights_per_device", held.id());
  add_need(side, serving, layout);
  const auto working = working_memory(graph, request, serving);
  side.add("working_memory", working.id());
  const auto all_weights =
      layout ? graph.derived<Bytes>("weights of all devices", "weights per device × devices", "",
                                    {held.id(), serving.devices.id()},
                                    graph.known(held.id())
                                        ? graph.value(held) * graph.value(serving.devices)
                                        : Rational())
             : held;
  const auto required = graph.derive<memory::RequiredMemory>(all_weights, working);
  side.add("required_memory", required.id());
  if (layout && serving.required_per_device)
    side.add("required_memory_per_device", serving.required_per_device->id());
  side.add("device_capacity", device.capacity);
  if (usable.reserve) side.add("reserve", usable.reserve->id());
  const auto budget = *serving.budget_per_device;
  side.add("device_budget", budget.id());
  if (ranks) {
    side.add("ranks_per_chip", ranks->id());
    row.notes.push_back({"per-rank", Severity::note,
                         "with a layout, budget and headroom are those of a rank: a logical core "
                         "and its memory bank"});
  }
  const auto base_weights = graph.known(weights.payload.id()) ? weights.payload : weights.floor;
  const auto least = serving.cache_total
                         ? graph.derive<memory::RequiredMemory>(base_weights, *serving.cache_total)
                         : graph.derive<memory::RequiredMemory>(base_weights, working);
  // Each device brings the host memory that its weights may lie in.
  const auto room = serving.weights_offloaded
                        ? graph.sum("budget and weights on the host",
                                    std::vector<Figure<Bytes>>{budget, *serving.weights_offloaded})
                        : budget;
  const auto rank_bound = graph.derive<memory::DevicesLowerBound>(least, room);
  const auto chips_min =
      ranks ? graph.derived<Count>("chips, lower bound", "⌈ranks, lower bound ÷ ranks of a chip⌉",
                                   "", {rank_bound.id(), ranks->id()},
                                   graph.known(rank_bound.id())
                                       ? (graph.value(rank_bound) / graph.value(*ranks)).ceil()
                                       : Rational())
            : rank_bound;
  std::optional<Figure<Count>> devices;
  std::optional<Figure<Count>> chips;
  if (request.devices) {
    devices = graph.given<Count>("devices", request.devices->value, {request.devices->where, ""});
    chips = devices;
    if (device.chips) {
      ULLAGE_TRY(const auto of_one, graph.narrow<Count>(*device.chips));
      chips = graph.derive<memory::ChipsInAll>(*devices, of_one);
    }
  }
  if (layout) {
    const auto needed = chips_of_layout(graph, serving, ranks);
    judge_layout(side, request, serving, working, budget, {needed, chips});
    add_supply(side, serving);
    if (!devices) {
      ULLAGE_TRY(devices, devices_of_layout(graph, device, needed));
      chips = needed;
    }
  } else {
    judge_even(side, required, budget, chips, chips_min);
    if (chips) {
      ULLAGE_CHECK(add_even_supply(side, request, model, held, budget, *chips, device, catalogue));
    }
  }
  if (serving.workload.context && chips && graph.known(chips->id())) {
    add_roofline(graph, {weights, serving, device, *chips, request.serve.role}, row);
  }
  add_beside(side, model, weights, serving, device, chips, catalogue);
  return WorkloadRow{required, budget, chips_min, devices};
}

}  // namespace ullage::plan
