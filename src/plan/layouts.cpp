// Walks the divisors of the rank count and asks plan/serve for each split.
#include "plan/layouts.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "catalog/figures.hpp"
#include "memory/formulas.hpp"
#include "plan/layout_rules.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using exact::Rational;
using provenance::Answer;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using provenance::Row;
using units::Bytes;
using units::Capacity;
using units::Count;
using units::Share;

constexpr std::int64_t kMostRanks = 4096;
constexpr std::int64_t kMostTries = 64;  // counts tried for the fewest devices

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 1; i <= number; ++i) {
    if (number % i == 0) found.push_back(i);
  }
  return found;
}

// Everything that stays the same from layout to layout.
struct Setting {
  const LayoutsRequest& request;
  const model::Model& model;
  const memory::Weights& weights;
  const Device& device;
  LayoutRules rules;
  Figure<Capacity> capacity;           // of a rank
  std::optional<Figure<Share>> share;  // of it that may be used
  std::int64_t ranks_per_chip = 1;
  catalog::Catalogue& catalogue;
};

bool allowed(const std::optional<GivenNumber>& given, std::int64_t degree) {
  return !given || given->value == Rational(degree);
}

// The splits of `ranks` ranks that the request leaves open.
std::vector<Degrees> splits(const Setting& setting, std::int64_t ranks) {
  const ServeChoice& choice = setting.request.serve;
  std::vector<Degrees> all;
  for (const std::int64_t tp : divisors(ranks)) {
    if (!allowed(choice.layout.tensor, tp)) continue;
    for (const std::int64_t pp : divisors(ranks / tp)) {
      if (!allowed(choice.layout.pipeline, pp)) continue;
      for (const std::int64_t cp : divisors(ranks / tp / pp)) {
        // Context parallelism only where it is asked for: it never saves weights.
        if (choice.context_parallel ? !allowed(choice.context_parallel, cp) : cp != 1) continue;
        const std::int64_t dp = ranks / tp / pp / cp;
        if (!allowed(choice.data, dp)) continue;
        std::vector<std::int64_t> experts{1};
        if (setting.rules.experts) experts = divisors(tp * dp);
        for (const std::int64_t ep : experts) {
          if (allowed(choice.layout.expert, ep)) all.push_back({tp, pp, ep, dp, cp});
        }
      }
    }
  }
  return all;
}

GivenNumber degree_of(const char* flag, std::int64_t degree) {
  return {Rational(degree), std::string(flag) + " " + std::to_string(degree) + ", a split tried"};
}

// KV bytes held on all ranks ÷ those of one copy.
FigureId replication(Graph& graph, const Serving& serving, const Degrees& degrees) {
  const auto& here = serving.allocation.kv_per_token_per_device;
  const auto& whole = serving.allocation.kv_per_token;
  Rational value = 1;
  const bool known = here && whole && !graph.value(*whole).is_zero();
  if (known) {
    value = graph.value(*here) * Rational(degrees.tensor * degrees.pipeline * degrees.context) /
            graph.value(*whole);
  }
  std::vector<FigureId> inputs{serving.devices.id()};
  if (known) inputs = {here->id(), whole->id()};
  return graph.derived("KV replication", {.dimension = units::kNumber},
                       "KV cache of a token on all ranks of a copy ÷ KV cache of a token", "",
                       std::move(inputs), value);
}

// Elements that no tensor has, on the ranks of the fullest stage, in bytes of one rank.
base::Result<Rational> padding(const Setting& setting, const memory::Layout& layout,
                               const Graph& graph) {
  ULLAGE_TRY(const memory::Shards shards, memory::shard(*setting.model.inventory, layout));
  Rational most;
  for (const memory::Stage& stage : shards.stages) {
    Rational elements;
    for (const memory::GroupShare& share : stage.shares)
      elements += share.padding / Rational(share.parts);
    most = max(most, elements);
  }
  if (!graph.known(setting.weights.bits.id())) return most;
  return most * graph.value(setting.weights.bits) / Rational(8);
}

struct Tried {
  Row row;
  bool feasible = false;
};

base::Result<Tried> try_split(const Setting& setting, const Degrees& degrees, Graph& graph) {
  ServeChoice choice = setting.request.serve;
  choice.layout.tensor = degree_of("--tp", degrees.tensor);
  choice.layout.pipeline = degree_of("--pp", degrees.pipeline);
  choice.layout.expert = degree_of("--ep", degrees.expert);
  choice.data = degree_of("--dp", degrees.data);
  choice.context_parallel = degree_of("--cp", degrees.context);
  ServeMemory memory;
  memory.capacity = setting.capacity;
  memory.share = setting.share;
  ULLAGE_TRY(const Serving serving, serve(graph, setting.model, &setting.weights, choice, memory,
                                          setting.device.chip, setting.catalogue));
  Tried tried;
  Row& row = tried.row;
  row.model = setting.model.name;
  row.device = setting.device.entry->id;
  const auto add = [&](const char* name, FigureId id) { row.results.push_back({name, id}); };
  add("tp", serving.layout.tensor.figure);
  add("pp", serving.layout.pipeline.figure);
  add("ep", serving.layout.expert.figure);
  add("dp", serving.layout.data.figure);
  add("cp", serving.layout.context.figure);
  const Rational chips = (graph.value(serving.devices) / Rational(setting.ranks_per_chip)).ceil();
  add("devices", setting.ranks_per_chip == 1
                     ? serving.devices.id()
                     : graph
                           .derived<Count>("devices", "⌈ranks ÷ logical cores of a chip⌉", "",
                                           {serving.devices.id()}, chips)
                           .id());
  add("weights_per_device", serving.weights_per_device->id());
  std::vector<Figure<Bytes>> parts{*serving.weights_per_device};
  if (serving.cache_per_device) {
    parts.push_back(*serving.cache_per_device);
    add("kv_per_device", serving.cache_per_device->id());
  }
  if (serving.overhead_per_device) parts.push_back(*serving.overhead_per_device);
  const auto need = graph.sum("need of a device", parts, "weights + cache and state + overheads");
  const auto budget = *serving.budget_per_device;
  const bool known = graph.known(need.id()) && graph.known(budget.id());
  const auto headroom = graph.derived<Bytes>(
      "headroom per device", "device budget − need of a device", "", {budget.id(), need.id()},
      known ? graph.value(budget) - graph.value(need) : Rational());
  add("headroom_per_device", headroom.id());
  add("kv_replication", replication(graph, serving, degrees));
  ULLAGE_TRY(const memory::Layout layout, layout_of(graph, choice.layout));
  ULLAGE_TRY(const Rational wasted, padding(setting, layout, graph));
  add("padding_per_device",
      graph
          .derived<Bytes>("padding per device", "elements that no tensor has × bits ÷ 8", "",
                          {setting.weights.bits.id(), serving.layout.tensor.figure}, wasted)
          .id());
  tried.feasible = known && graph.value(headroom).sign() >= 0;
  add("feasible", graph
                      .derived<Count>("feasible", "1 where headroom is not negative", "",
                                      {headroom.id()}, Rational(tried.feasible ? 1 : 0))
                      .id());
  return tried;
}

struct Walk {
  std::vector<Tried> tried;
  std::map<std::string, std::string> refused;  // reason → layouts
};

base::Result<Walk> walk(const Setting& setting, std::int64_t ranks, Graph& graph) {
  Walk result;
  for (const Degrees& degrees : splits(setting, ranks)) {
    const std::string why = refusal(setting.rules, degrees);
    if (!why.empty()) {
      std::string& where = result.refused[why];
      const std::string named =
          "tp " + std::to_string(degrees.tensor) + " pp " + std::to_string(degrees.pipeline) +
          " ep " + std::to_string(degrees.expert) + " dp " + std::to_string(degrees.data);
      constexpr std::size_t kLongest = 160;
      if (where.size() < kLongest) {
        where += (where.empty() ? "" : ", ") + named;
      } else if (!where.ends_with("…")) {
        where += " …";
      }
      continue;
    }
    ULLAGE_TRY(Tried one, try_split(setting, degrees, graph));
    result.tried.push_back(std::move(one));
  }
  return result;
}

const Rational* value_of(const Graph& graph, const Row& row, std::string_view name) {
  for (const provenance::NamedFigure& result : row.results) {
    if (result.name == name && graph.known(result.figure)) return &graph.value(result.figure);
  }
  return nullptr;
}

// Feasible first, then the most headroom; by a result that is named, from the smallest on.
base::Result<void> sort(const Graph& graph, const std::optional<std::string>& by,
                        std::vector<Tried>& tried) {
  if (tried.empty()) return {};
  if (by && value_of(graph, tried.front().row, *by) == nullptr) {
    return Diagnostic{.code = Code::usage,
                      .message = "--by " + base::printable(*by) + ": no such result",
                      .span = {},
                      .hint =
                          "tp, pp, ep, dp, cp, devices, weights_per_device, kv_per_device, "
                          "headroom_per_device, kv_replication, padding_per_device",
                      .notes = {}};
  }
  std::stable_sort(tried.begin(), tried.end(), [&](const Tried& a, const Tried& b) {
    if (by) return *value_of(graph, a.row, *by) < *value_of(graph, b.row, *by);
    if (a.feasible != b.feasible) return a.feasible;
    const Rational* const left = value_of(graph, a.row, "headroom_per_device");
    const Rational* const right = value_of(graph, b.row, "headroom_per_device");
    return left != nullptr && right != nullptr && *left > *right;
  });
  return {};
}

base::Result<std::optional<Figure<Share>>> share_of(Graph& graph, const LayoutsRequest& request) {
  if (request.reserve) {
    return std::optional(graph.given<Share>("usable share", Rational(1) - request.reserve->value,
                                            {request.reserve->where, "1 − reserve"}));
  }
  if (request.utilization) {
    return std::optional(graph.given<Share>("utilisation", request.utilization->value,
                                            {request.utilization->where, ""}));
  }
  ULLAGE_TRY(const engine::EngineChoice engine, engine::find_engine(request.serve.engine));
  if (engine.engine->utilization(engine.version)) return std::optional<Figure<Share>>();
  return std::optional(
      graph.assumed<Share>("usable share", Rational(85) / Rational(100),
                           "1 − the default reserve of 15 %; set it with --reserve PCT"));
}

// Logical cores of a chip, where software sees those; else 1.
std::int64_t ranks_of_chip(const catalog::Entry& chip) {
  const catalog::FigureFact* cores = chip.figure("logical_cores");
  if (cores == nullptr || !cores->known()) return 1;
  return cores->claims.front().quantity.value.to_int64().value_or(1);
}

// Ranks to fill: given, those of the instance, or nothing for a chip of which nobody says how many.
base::Result<std::optional<std::int64_t>> rank_count(const Setting& setting, Graph& graph) {
  const Device& device = setting.device;
  if (!setting.request.devices && !device.chips) return std::optional<std::int64_t>();
  Rational chips = setting.request.devices ? setting.request.devices->value : Rational(1);
  if (device.chips) {
    if (!graph.known(*device.chips)) return std::optional<std::int64_t>();
    chips = chips * graph.value(*device.chips);
  }
  const auto ranks = (chips * Rational(setting.ranks_per_chip)).to_int64();
  if (!ranks || *ranks > kMostRanks) {
    return Diagnostic{
        .code = Code::usage,
        .message = "layouts are walked up to " + std::to_string(kMostRanks) + " ranks",
        .span = {},
        .hint = "--devices with a smaller number",
        .notes = {}};
  }
  return ranks;
}

bool has_feasible(const Walk& walk) {
  return std::any_of(walk.tried.begin(), walk.tried.end(),
                     [](const Tried& one) { return one.feasible; });
}

// The fewest ranks from the bound up to `most` for which some layout is feasible; the last that was
// tried, where none is.
base::Result<Walk> fewest(const Setting& setting, std::int64_t bound, std::int64_t most,
                          Graph& graph) {
  Walk last;
  for (std::int64_t i = 0; i < kMostTries && i <= most - bound; ++i) {
    const std::int64_t ranks = bound + i;
    ULLAGE_TRY(last, walk(setting, ranks, graph));
    if (has_feasible(last)) return last;
  }
  return last;
}

// The arithmetic bound on ranks under perfectly even sharding.
base::Result<Figure<Count>> lower_bound(const Setting& setting, Graph& graph) {
  ServeChoice choice = setting.request.serve;
  choice.layout = {};
  choice.data.reset();
  choice.context_parallel.reset();
  ServeMemory memory;
  memory.capacity = setting.capacity;
  memory.share = setting.share;
  ULLAGE_TRY(const Serving whole, serve(graph, setting.model, &setting.weights, choice, memory,
                                        setting.device.chip, setting.catalogue));
  const auto weights =
      graph.known(setting.weights.payload.id()) ? setting.weights.payload : setting.weights.floor;
  std::vector<Figure<Bytes>> parts{weights};
  if (whole.cache_total) parts.push_back(*whole.cache_total);
  return graph.derive<memory::DevicesLowerBound>(graph.sum("required memory", parts),
                                                 *whole.budget_per_device);
}

// The fewest devices on which a layout is feasible: those of `least`, if one of it is.
void add_fewest(const Walk& least, const Graph& graph, Row& first) {
  const auto one = std::find_if(least.tried.begin(), least.tried.end(),
                                [](const Tried& tried) { return tried.feasible; });
  if (one == least.tried.end()) return;
  for (const provenance::NamedFigure& result : one->row.results) {
    if (result.name == "devices" && graph.known(result.figure))
      first.results.push_back({"devices_feasible", result.figure});
  }
}

void add_bounds(const Setting& setting, Figure<Count> bound, const Walk& found, const Walk& least,
                Graph& graph, Answer& answer) {
  Row& first = answer.rows.front();
  const Rational per(setting.ranks_per_chip);
  first.results.push_back(
      {"devices_min",
       graph
           .derived<Count>("devices, lower bound",
                           "⌈ranks, lower bound ÷ ranks of "
                           "a device⌉",
                           "", {bound.id()},
                           graph.known(bound.id()) ? (graph.value(bound) / per).ceil() : Rational())
           .id()});
  add_fewest(has_feasible(least) ? least : found, graph, first);
  if (!has_feasible(found)) {
    first.notes.push_back({"no-feasible-layout", Severity::warning,
                           "no layout that the counts allow fits the budget of a device"});
  }
  for (const auto& [reason, where] : found.refused) {
    first.notes.push_back({"layout-refused", Severity::note, reason + ": " + where});
  }
  first.notes.push_back(
      {"arithmetic-lower-bound", Severity::note,
       "devices_min is the bound under perfectly balanced sharding; rows are layouts with whole "
       "heads, layers and experts"});
}

}  // namespace

base::Result<Answer> layouts(const LayoutsRequest& request, catalog::Catalogue& catalogue,
                             const base::FileSystem& files) {
  Answer answer;
  answer.command = "layouts";
  Graph& graph = answer.graph;
  import::OpenContext context{catalogue, files, graph, request.assume};
  ULLAGE_TRY(const model::Model model, import::open_model(context, request.model));
  ULLAGE_TRY(const memory::Weights weights,
             memory::weigh(graph, model, request.weights, catalogue));
  if (!model.inventory) {
    return Diagnostic{.code = Code::unknown_figure,
                      .message = "the shape of " + base::printable(model.name) +
                                 " is not known, so its layouts are not either",
                      .span = {},
                      .hint = "name a config.json, or a card with an architecture",
                      .notes = {}};
  }
  ULLAGE_TRY(const Device device, open_device(graph, catalogue, request.on, request.capacity));
  ULLAGE_TRY(const auto share, share_of(graph, request));
  ULLAGE_TRY(const engine::EngineChoice engine, engine::find_engine(request.serve.engine));
  ULLAGE_TRY(auto capacity, graph.narrow<Capacity>(device.capacity));
  const std::int64_t per_chip = ranks_of_chip(*device.chip);
  if (per_chip > 1) {
    const bool known = graph.known(capacity.id());
    ULLAGE_TRY(capacity, graph.narrow<Capacity>(graph.derived(
                             "memory bank of a rank", Capacity::kUnit,
                             "chip's capacity ÷ logical cores", "", {capacity.id()},
                             known ? graph.value(capacity) / Rational(per_chip) : Rational())));
  }
  Setting setting{request,
                  model,
                  weights,
                  device,
                  layout_rules(model, weights.format, engine.engine->name, *device.chip, catalogue),
                  capacity,
                  share,
                  per_chip,
                  catalogue};
  if (device.chips && graph.known(*device.chips)) {
    setting.rules.domain = (graph.value(*device.chips) * Rational(per_chip)).to_int64();
  }
  ULLAGE_TRY(const auto bound, lower_bound(setting, graph));
  ULLAGE_TRY(const auto ranks, rank_count(setting, graph));
  const std::int64_t start =
      graph.known(bound.id()) ? graph.value(bound).to_int64().value_or(1) : 1;
  constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();
  ULLAGE_TRY(Walk found,
             ranks ? walk(setting, *ranks, graph) : fewest(setting, start, kAnyNumber, graph));
  Walk least;
  if (ranks && has_feasible(found)) {
    ULLAGE_TRY(least, fewest(setting, start, *ranks - 1, graph));
  }
  ULLAGE_CHECK(sort(graph, request.by, found.tried));
  const std::size_t all = found.tried.size();
  std::size_t shown = all;
  if (request.limit) {
    shown = std::min<std::size_t>(
        all, static_cast<std::size_t>(request.limit->value.to_int64().value_or(1)));
  }
  for (std::size_t i = 0; i < shown; ++i)
    answer.rows.push_back(found.tried[i].row);
  if (answer.rows.empty()) {
    Row none;
    none.model = model.name;
    none.device = device.entry->id;
    answer.rows.push_back(std::move(none));
  }
  add_bounds(setting, bound, found, least, graph, answer);
  Row& first = answer.rows.front();
  if (shown < all) {
    first.notes.push_back({"rows-left-off", Severity::note,
                           std::to_string(all - shown) + " of " + std::to_string(all) +
                               " layouts are left off (--limit)"});
  }
  first.notes.insert(first.notes.end(), model.notes.begin(), model.notes.end());
  first.notes.insert(first.notes.end(), device.notes.begin(), device.notes.end());
  return answer;
}

}  // namespace ullage::plan
