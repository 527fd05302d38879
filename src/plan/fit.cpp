// Weights and working memory against the budget of each device.
#include "plan/fit.hpp"

#include <algorithm>

#include "memory/formulas.hpp"
#include "plan/cost.hpp"
#include "plan/flip.hpp"
#include "plan/statements.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Note;
using base::Severity;
using provenance::Answer;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Bytes;
using units::Capacity;
using units::Count;
using units::Share;

constexpr std::size_t kCandidates = 4;

// Working memory as a lump, beside the weights.
struct Lump {
  Figure<Bytes> working_memory;
  Figure<Bytes> required;
  Figure<Share> reserve;
};

// What is the same for every device.
struct Need {
  model::Model model;
  memory::Weights weights;
  std::optional<model::Model> draft;
  std::optional<Lump> lump;  // nothing where a workload or a layout says what is needed
  std::vector<Note> notes;
};

WorkloadRequest workload_of(const FitRequest& request) {
  return {.serve = request.serve,
          .working_memory = request.working_memory,
          .reserve = request.reserve,
          .utilization = request.utilization,
          .devices = request.devices};
}

Lump lump_of(const FitRequest& request, Figure<Bytes> used, Graph& graph) {
  const auto working =
      request.working_memory
          ? graph.given<Bytes>("working memory", request.working_memory->value,
                               {request.working_memory->where, ""})
          : graph.assumed<Bytes>("working memory", exact::Rational(32) * exact::power_of_ten(9),
                                 "the default of 32 GB, since no workload is given; set it with "
                                 "--working-memory SIZE");
  const auto reserve = reserve_of(graph, request.reserve);
  const auto required = graph.derive<memory::RequiredMemory>(used, working);
  return {working, required, reserve};
}

base::Result<Need> need_of(const FitRequest& request, catalog::Catalogue& catalogue,
                           const base::FileSystem& files, Graph& graph) {
  import::OpenContext context{catalogue, files, graph, request.assume};
  ULLAGE_TRY(model::Model model, import::open_model(context, request.model));
  ULLAGE_TRY(memory::Weights weights, memory::weigh(graph, model, request.weights, catalogue));
  const bool payload_known = graph.known(weights.payload.id());
  if (!payload_known && weights.format.empty() && !request.weights.bits) {
    return Diagnostic{
        .code = Code::usage,
        .message = base::printable(request.model) + ": " + graph[weights.bits.id()].unknown,
        .span = {},
        .hint = "say --weights DTYPE (bf16, fp8, int4 …) or --bits N",
        .notes = {}};
  }
  const auto used = payload_known ? weights.payload : weights.floor;
  std::optional<Lump> lump;
  if (!workload_of(request).given()) lump = lump_of(request, used, graph);
  ULLAGE_TRY(std::optional<model::Model> draft, open_draft(request.serve, context));
  std::vector<Note> notes = model.notes;
  notes.insert(notes.end(), weights.notes.begin(), weights.notes.end());
  notes.push_back(
      {"weights-basis", Severity::note,
       payload_known
           ? "required memory counts the bytes that the checkpoint stores"
           : "required memory counts the weight floor, parameters × bits ÷ 8, because the "
             "payload is not known: " +
                 graph[weights.payload.id()].unknown});
  return Need{std::move(model), std::move(weights), std::move(draft), std::move(lump),
              std::move(notes)};
}

void add_weights(const Need& need, Row& row) {
  const auto add = [&](const char* name, FigureId id) { row.results.push_back({name, id}); };
  add("parameters", need.weights.parameters.id());
  if (need.weights.active_parameters) {
    add("active_parameters", need.weights.active_parameters->id());
  }
  add("bits_per_parameter", need.weights.bits.id());
  add("weights_floor", need.weights.floor.id());
  add("weights_payload", need.weights.payload.id());
  if (!need.lump) return;
  add("working_memory", need.lump->working_memory.id());
  add("required_memory", need.lump->required.id());
}

std::string join_ids(const std::vector<catalog::Listing>& listings) {
  std::string text;
  for (const catalog::Listing& listing : listings) {
    text += (text.empty() ? "" : ", ") + std::string(listing.id) + " (" +
            std::string(listing.memory) + ")";
  }
  return text;
}

void add_statements(const Need& need, const catalog::Entry& chip, Row& row) {
  if (need.model.card == nullptr) return;
  for (const catalog::Statement& statement : need.model.card->statements) {
    if (!applies(statement, chip)) continue;
    row.notes.push_back(
        {"statement", Severity::note,
         statement.text + (statement.date.empty() ? "" : " (" + statement.date + ")"),
         statement.source, statement.locator});
  }
}

// What the devices cost, at least or as many as there are, and what a million tokens do.
void add_cost(const FitRequest& request, Figure<Count> bound, Graph& graph, Row& row) {
  const auto add = [&](const char* name, FigureId id) { row.results.push_back({name, id}); };
  std::optional<FigureId> cost;
  if (request.price) {
    const auto price = graph.given<units::DollarRate>("price of one device", request.price->value,
                                                      {request.price->where, ""});
    cost = graph.derive<memory::CostRate>(bound, price).id();
    add("cost_min", *cost);
    if (request.devices) {
      const auto given =
          graph.given<Count>("devices", request.devices->value, {request.devices->where, ""});
      cost = graph
                 .derived<units::DollarRate>("cost", "devices × price of one device", "",
                                             {given.id(), price.id()},
                                             graph.value(given) * graph.value(price))
                 .id();
      add("cost", *cost);
    }
  }
  if (!request.measured) return;
  const FigureId measured =
      graph.given("measured", {request.measured->value, {.dimension = units::kTokenRate}},
                  {request.measured->where, ""});
  add("measured", measured);
  if (cost) add("cost_per_million_tokens", cost_per_million_tokens(graph, *cost, measured));
}

// Verdict, counts and headroom of one device whose budget is known.
base::Result<void> judge(const FitRequest& request, const Need& need, const Device& device,
                         Figure<Bytes> budget, Graph& graph, Row& row) {
  const auto add = [&](const char* name, FigureId id) { row.results.push_back({name, id}); };
  const auto chips_min = graph.derive<memory::DevicesLowerBound>(need.lump->required, budget);
  Figure<Count> counted = chips_min;
  std::optional<Figure<Count>> chips_of_one;
  if (device.chips) {
    ULLAGE_TRY(chips_of_one, graph.narrow<Count>(*device.chips));
    counted = graph.derive<memory::InstancesLowerBound>(chips_min, *chips_of_one);
    add("devices_min", counted.id());
    add("chips_min", chips_min.id());
    add("chips", chips_of_one->id());
  } else {
    add("devices_min", chips_min.id());
  }
  add_cost(request, counted, graph, row);
  if (!request.devices) {
    const bool known = graph.known(counted.id());
    row.verdict = known ? "lower-bound" : "unknown";
    return {};
  }
  const auto given =
      graph.given<Count>("devices", request.devices->value, {request.devices->where, ""});
  add("devices", given.id());
  const auto sharing =
      chips_of_one ? graph.derive<memory::ChipsInAll>(given, *chips_of_one) : given;
  const auto headroom =
      chips_of_one ? graph.derive<memory::HeadroomPerChip>(budget, need.lump->required, sharing)
                   : graph.derive<memory::HeadroomPerDevice>(budget, need.lump->required, sharing);
  add("headroom_per_device", headroom.id());
  if (!graph.known(headroom.id())) {
    row.verdict = "unknown";
  } else {
    row.verdict = graph.value(headroom).sign() >= 0 ? "fits" : "does-not-fit";
  }
  return {};
}

// A lump of working memory against the budget.
base::Result<void> hold_lump(const FitRequest& request, const Need& need, const Device& device,
                             Graph& graph, Row& row) {
  ULLAGE_TRY(const auto capacity, graph.narrow<Capacity>(device.capacity));
  const auto budget = graph.derive<memory::DeviceBudget>(capacity, need.lump->reserve);
  row.results.push_back({"device_capacity", capacity.id()});
  row.results.push_back({"reserve", need.lump->reserve.id()});
  row.results.push_back({"device_budget", budget.id()});
  if (graph.known(budget.id()) && graph.value(budget).sign() <= 0) {
    return Diagnostic{
        .code = Code::usage,
        .message = "the budget of " + row.device + " is zero: nothing is left of the capacity",
        .span = {},
        .hint = "--reserve below 100% and --capacity above 0",
        .notes = {}};
  }
  return judge(request, need, device, budget, graph, row);
}

// A workload or a layout against it.
base::Result<void> hold_workload(const FitRequest& request, const Need& need, const Device& device,
                                 catalog::Catalogue& catalogue, Graph& graph, Row& row) {
  WorkloadRequest workload = workload_of(request);
  if (need.draft) workload.serve.draft_model = &*need.draft;
  ULLAGE_TRY(const WorkloadRow held,
             add_workload(graph, workload, need.model, need.weights, device, catalogue, row));
  Figure<Count> counted = held.chips_min;
  if (device.chips) {
    ULLAGE_TRY(const auto of_one, graph.narrow<Count>(*device.chips));
    counted = graph.derive<memory::InstancesLowerBound>(held.chips_min, of_one);
    row.results.push_back({"devices_min", counted.id()});
    row.results.push_back({"chips_min", held.chips_min.id()});
    row.results.push_back({"chips", of_one.id()});
  } else {
    row.results.push_back({"devices_min", counted.id()});
  }
  if (held.devices) row.results.push_back({"devices", held.devices->id()});
  // Nobody can say that an unknown number of chips is enough.
  const bool counts_known =
      graph.known(counted.id()) && (!held.devices || graph.known(held.devices->id()));
  if (!counts_known && row.verdict != "does-not-fit") row.verdict = "unknown";
  add_cost(request, counted, graph, row);
  return {};
}

base::Result<Row> row_of(const FitRequest& request, const Need& need, const std::string& name,
                         bool alone, catalog::Catalogue& catalogue, Graph& graph) {
  ULLAGE_TRY(const Device device, open_device(graph, catalogue, name, request.capacity));
  Row row;
  row.model = need.model.name;
  row.device = device.entry->id;
  // A version that was asked for by name is part of the answer.
  if (name.find('@') != std::string::npos) row.device += "@" + device.entry->version;
  row.notes.push_back(
      {"arithmetic-lower-bound", Severity::note,
       "an arithmetic lower bound under perfectly balanced sharding: it certifies no layout, no "
       "software support and no speed"});
  if (device.chips) {
    row.notes.push_back({"per-chip", Severity::note,
                         "capacity, budget, reserve and headroom are those of one " +
                             device.chip->id + "; devices_min counts " + device.entry->id +
                             ", chips_min chips"});
  }
  row.notes.insert(row.notes.end(), need.notes.begin(), need.notes.end());
  row.notes.insert(row.notes.end(), device.notes.begin(), device.notes.end());
  add_weights(need, row);
  if (need.lump) {
    ULLAGE_CHECK(hold_lump(request, need, device, graph, row));
  } else {
    ULLAGE_CHECK(hold_workload(request, need, device, catalogue, graph, row));
  }
  if (auto flip = flip_note(graph, row)) row.notes.push_back(std::move(*flip));
  add_statements(need, *device.chip, row);
  if (alone) {
    const auto nearest = nearest_by_capacity(catalogue, *device.chip, kCandidates);
    if (!nearest.empty()) {
      row.notes.push_back({"nearest-by-memory", Severity::note,
                           "devices with the nearest memory capacity, as candidates and not as a "
                           "ranking: " +
                               join_ids(nearest)});
    }
  }
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", Severity::warning, change});
  }
  row.notes.push_back(
      {"to-be-measured", Severity::note,
       "what remains to be measured: tokens/s, time to first token (TTFT) and time per output "
       "token "
       "(TPOT) of exactly this model, software revision and workload on this device"});
  return row;
}

// Two names of one device would be one row twice; two versions of it are two devices.
base::Result<void> refuse_repeated(catalog::Catalogue& catalogue,
                                   const std::vector<std::string>& names) {
  if (names.size() < 2) return {};
  std::vector<const catalog::Entry*> seen;
  for (const std::string& name : names) {
    ULLAGE_TRY(const catalog::Entry* const entry, catalogue.hardware(name));
    if (std::find(seen.begin(), seen.end(), entry) != seen.end()) {
      return Diagnostic{.code = Code::usage,
                        .message = "--on names " + entry->id + " twice",
                        .span = {},
                        .hint = "name each device once; two versions are `ID@VERSION`",
                        .notes = {}};
    }
    seen.push_back(entry);
  }
  return {};
}

}  // namespace

base::Result<Answer> fit(const FitRequest& request, catalog::Catalogue& catalogue,
                         const base::FileSystem& files) {
  Answer answer;
  answer.command = "fit";
  answer.graph.carry_ranges();  // asked for or not: they tell whether the verdict depends on a pin
  ULLAGE_TRY(const std::vector<std::string> names, device_names(catalogue, request.on));
  ULLAGE_CHECK(refuse_repeated(catalogue, names));
  ULLAGE_TRY(const Need need, need_of(request, catalogue, files, answer.graph));
  for (const std::string& name : names) {
    ULLAGE_TRY(Row row, row_of(request, need, name, names.size() == 1, catalogue, answer.graph));
    answer.rows.push_back(std::move(row));
  }
  if (!request.interval) answer.graph.forget_ranges();
  return answer;
}

}  // namespace ullage::plan
