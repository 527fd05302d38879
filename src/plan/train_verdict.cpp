// Compares the floor, then the upper figure, with the budget of one device.
#include "plan/train_verdict.hpp"

#include "memory/formulas.hpp"

namespace ullage::plan {

using base::Note;
using base::Severity;
using exact::Rational;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using provenance::Row;
using units::Bytes;
using units::Capacity;
using units::Count;
using units::Share;

base::Result<std::optional<TrainDevice>> train_device(const TrainRequest& request,
                                                      catalog::Catalogue& catalogue, Graph& graph) {
  if (!request.on) return std::optional<TrainDevice>();
  ULLAGE_TRY(Device device, open_device(graph, catalogue, *request.on, request.capacity));
  std::optional<model::Extent> chips;
  if (device.chips) {
    if (!graph.known(*device.chips)) {
      return base::Diagnostic{
          .code = base::Code::unknown_figure,
          .message = device.entry->id + ": how many chips it holds is not known",
          .span = {},
          .hint = {},
          .notes = {}};
    }
    chips = model::extent_of(graph, *device.chips);
  }
  return std::optional(TrainDevice{std::move(device), std::move(chips)});
}

namespace {

// States, activations and logits of one microbatch over all ranks; states alone where activations
// are not known. Both are less than any layout needs.
Figure<Bytes> least_need(Graph& graph, const StageAnswer& whole, Row& row) {
  if (graph.known(whole.totals.floor.id())) return whole.totals.floor;
  row.notes.push_back(
      {"states-only", Severity::note,
       "devices_min counts model states only: " + graph[whole.totals.floor.id()].unknown});
  return whole.needs.states.total;
}

std::string verdict_of(const Graph& graph, Figure<Bytes> budget, Figure<Bytes> states,
                       const memory::Bounds& totals, Row& row) {
  const auto fits = [&](Figure<Bytes> need) { return graph.value(need) <= graph.value(budget); };
  if (!graph.known(budget.id())) return "unknown";
  if (graph.known(states.id()) && !fits(states)) return "does-not-fit";
  if (!graph.known(totals.floor.id())) return "unknown";
  if (!fits(totals.floor)) return "does-not-fit";
  if (graph.known(totals.upper.id()) && fits(totals.upper)) return "fits";
  row.notes.push_back(
      {"between-bounds", Severity::warning,
       "the floor fits and the upper figure does not: kernels, loss and recompute decide; "
       "--kernels, --loss and --recompute narrow the two"});
  return "unknown";
}

}  // namespace

base::Result<void> judge_training(const TrainRequest& request, const TrainSetup& setup,
                                  const TrainDevice& device, const StageAnswer& whole,
                                  const StageAnswer& fullest, const memory::Bounds& totals,
                                  Graph& graph, Row& row) {
  const auto add = [&](const char* name, provenance::FigureId id) {
    row.results.push_back({name, id});
  };
  row.device = device.device.entry->id;
  row.notes.insert(row.notes.end(), device.device.notes.begin(), device.device.notes.end());
  row.notes.push_back({"arithmetic-lower-bound", Severity::note,
                       "devices_min is an arithmetic lower bound under perfectly balanced "
                       "sharding: it certifies no "
                       "layout, no software support and no speed"});
  ULLAGE_TRY(const auto capacity, graph.narrow<Capacity>(device.device.capacity));
  const auto reserve =
      request.reserve
          ? graph.given<Share>("reserve", request.reserve->value, {request.reserve->where, ""})
          : graph.assumed<Share>("reserve", *Rational::ratio(15, 100),
                                 "the default of 15 %; set it with --reserve PCT");
  const auto budget = graph.derive<memory::DeviceBudget>(capacity, reserve);
  add("device_capacity", capacity.id());
  add("reserve", reserve.id());
  add("device_budget", budget.id());
  if (graph.known(budget.id()) && graph.value(budget).sign() <= 0) {
    return train_usage("the budget of " + row.device + " is zero: nothing is left of the capacity",
                       "--reserve below 100% and --capacity above 0");
  }
  const auto chips_min =
      graph.derive<memory::DevicesLowerBound>(least_need(graph, whole, row), budget);
  if (device.chips) {
    ULLAGE_TRY(const auto of_one, graph.narrow<Count>(device.chips->figure));
    const auto counted = graph.derive<memory::InstancesLowerBound>(chips_min, of_one);
    add("devices_min", counted.id());
    add("chips_min", chips_min.id());
    add("chips", of_one.id());
    row.notes.push_back({"per-chip", Severity::note,
                         "a rank is one " + device.device.chip->id + "; devices_min counts " +
                             device.device.entry->id + ", chips_min chips"});
  } else {
    add("devices_min", chips_min.id());
  }
  if (!setup.layout_given) {
    row.verdict = graph.known(chips_min.id()) ? "lower-bound" : "unknown";
    return {};
  }
  add("devices", setup.world.figure);
  const Term headroom = Term(graph, budget.id()) - Term(graph, totals.floor.id());
  add("headroom_per_device",
      headroom.derive<Bytes>(graph, "headroom of the fullest rank over its floor").id());
  row.verdict = verdict_of(graph, budget, fullest.needs.states.total, totals, row);
  return {};
}

}  // namespace ullage::plan
