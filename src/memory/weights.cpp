// Sums over the tensor inventory.
#include "memory/weights.hpp"

#include <algorithm>
#include <array>

#include "memory/checkpoint_payload.hpp"
#include "memory/formulas.hpp"
#include "model/elements.hpp"

namespace ullage::memory {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using model::Component;
using model::Extent;
using model::Model;
using model::TensorGroup;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bits;
using units::Bytes;
using units::Count;

struct Counted {
  Figure<Count> parameters;
  Figure<Count> stored;
  Figure<Count> active;
  std::vector<ComponentCount> components;
};

// The sum of groups as one figure over the extents of all of them.
class SumOfGroups {
 public:
  explicit SumOfGroups(std::string name) : name_(std::move(name)) {}

  void add(const TensorGroup& group, const exact::Rational& elements) {
    total_ += elements;
    for (const Extent& extent : group.repeat)
      use(extent.figure);
    for (const model::Axis& axis : group.shape) {
      for (const Extent& extent : axis)
        use(extent.figure);
    }
  }
  void use(FigureId figure) {
    if (std::find(inputs_.begin(), inputs_.end(), figure) == inputs_.end()) {
      inputs_.push_back(figure);
    }
  }
  bool empty() const { return inputs_.empty(); }
  Figure<Count> figure(Graph& graph) {
    return graph.derived<Count>(std::move(name_), "sum of its parts", {}, std::move(inputs_),
                                std::move(total_));
  }

 private:
  std::string name_;
  exact::Rational total_;
  std::vector<FigureId> inputs_;
};

exact::Rational product(const TensorGroup& group) {
  exact::Rational value = 1;
  for (const Extent& extent : group.repeat)
    value *= extent.value;
  for (const model::Axis& axis : group.shape) {
    for (const Extent& extent : axis)
      value *= extent.value;
  }
  return value;
}

std::string total_of(Component component) {
  return "parameters, " + std::string(name_of(component));
}

// Adds up what the parts of `count` have in common.
Counted with_totals(Graph& graph, std::vector<ComponentCount> components,
                    const std::vector<Figure<Count>>& copies, Figure<Count> active) {
  std::vector<Figure<Count>> totals;
  for (const ComponentCount& component : components)
    totals.push_back(component.parameters);
  const auto parameters = graph.sum("parameters", totals);
  std::vector<Figure<Count>> stored{parameters};
  stored.insert(stored.end(), copies.begin(), copies.end());
  return {parameters, copies.empty() ? parameters : graph.sum("parameters as stored", stored),
          active, std::move(components)};
}

// The same totals without a figure for each group.
Counted count_totals(Graph& graph, const model::Inventory& inventory) {
  std::vector<SumOfGroups> parts;
  for (std::size_t i = 0; i < model::kComponents; ++i)
    parts.emplace_back(total_of(static_cast<Component>(i)));
  SumOfGroups active("active parameters");
  SumOfGroups copies("stored copies");
  for (const TensorGroup& group : inventory.tensors) {
    const exact::Rational all = product(group);
    if (!group.counted) {
      if (group.stored) copies.add(group, all);
      continue;
    }
    parts[static_cast<std::size_t>(group.component)].add(group, all);
    if (group.use == model::Use::apart) continue;
    if (group.use == model::Use::routed) {
      active.add(group, all * group.chosen->value / group.experts->value);
      active.use(group.chosen->figure);
      active.use(group.experts->figure);
    } else {
      active.add(group, all);
    }
  }
  std::vector<ComponentCount> components;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    components.push_back({static_cast<Component>(i), parts[i].figure(graph)});
  }
  std::vector<Figure<Count>> copied;
  if (!copies.empty()) copied.push_back(copies.figure(graph));
  return with_totals(graph, std::move(components), copied, active.figure(graph));
}

Counted count(Graph& graph, const model::Inventory& inventory) {
  std::array<std::vector<Figure<Count>>, model::kComponents> parts;
  std::vector<Figure<Count>> active;
  std::vector<Figure<Count>> copies;
  for (const TensorGroup& group : inventory.tensors) {
    const Figure<Count> all = model::elements(graph, group);
    if (!group.counted) {
      if (group.stored) copies.push_back(all);
      continue;
    }
    parts[static_cast<std::size_t>(group.component)].push_back(all);
    if (group.use == model::Use::apart) continue;
    active.push_back(group.use == model::Use::routed ? model::active_part(graph, group, all) : all);
  }
  std::vector<ComponentCount> components;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const auto component = static_cast<Component>(i);
    components.push_back({component, graph.sum(total_of(component), parts[i])});
  }
  return with_totals(graph, std::move(components), copies, graph.sum("active parameters", active));
}

// The published width of a storage format.
FigureId bits_of(Graph& graph, const catalog::StorageFormat& format,
                 catalog::Catalogue& catalogue) {
  const std::string name = "bits per parameter";
  if (!format.bits) {
    return graph.unknown(name, {}, provenance::Absence::unsupported,
                         format.name + " has no single width: " + format.mix);
  }
  provenance::Claim claim;
  claim.quantity.value = *format.bits;
  claim.written = format.bits->to_string();
  claim.printed = format.name;
  claim.last_place = 1;
  claim.source = format.source;
  claim.locator = format.locator;
  if (const provenance::Source* source = catalogue.source(format.source)) {
    claim.tier = source->tier;
    claim.checked = source->checked;
  }
  return graph.published(name, {std::move(claim)}, format.note);
}

struct Width {
  const catalog::StorageFormat* format = nullptr;
  FigureId bits;
};

base::Result<Width> width(Graph& graph, const Model& model, const WeightChoice& choice,
                          catalog::Catalogue& catalogue) {
  if (choice.bits) {
    return Width{nullptr, graph.given("bits per parameter", {*choice.bits, {}},
                                      {"--bits " + choice.bits->to_significant(17), ""})};
  }
  const std::string wanted = choice.format.value_or(model.native_format);
  if (wanted.empty()) {
    const std::string why =
        model.native_format_unknown.empty() ? "none is stated" : model.native_format_unknown;
    return Width{nullptr, graph.unknown("bits per parameter", {}, provenance::Absence::unpublished,
                                        "no weight format is stated (" + why +
                                            "); --weights DTYPE or --bits N says one")};
  }
  auto format = catalogue.formats().find(wanted);
  if (!format) {
    Diagnostic fault = std::move(format).error();
    fault.message =
        (choice.format ? "--weights: " : model.native_format_where + ": ") + fault.message;
    return fault;
  }
  return Width{*format, bits_of(graph, **format, catalogue)};
}

// Whether a format is plain: every element has its bits and nothing beside them.
bool plain(const catalog::StorageFormat& format) {
  return format.bits && format.stored_bits && *format.bits == *format.stored_bits;
}

// `by_tensor` is the sum over the tensors in their formats, where they differ and are known;
// `reason` says what keeps it from being known.
FigureId payload(Graph& graph, const Model& model, const Weights& weights,
                 const catalog::StorageFormat* format, const catalog::StorageFormat* native,
                 std::optional<FigureId> by_tensor, const std::string& reason,
                 std::vector<base::Note>& notes) {
  const std::string name = "weight payload";
  const auto unknown = [&](std::string why) {
    return graph.unknown(name, Bytes::kUnit, provenance::Absence::unpublished, std::move(why));
  };
  if (format == nullptr && !graph.known(weights.bits.id())) {
    if (model.stated_checkpoint_bytes) return *model.stated_checkpoint_bytes;
    return unknown(graph[weights.bits.id()].unknown);
  }
  if (format == nullptr) return unknown("--bits asks for the floor");
  std::optional<FigureId> computed;
  if (model.inventory && plain(*format) && (format != native || model.uniform)) {
    computed = graph.derive<UniformPayload>(*weights.parameters_stored, weights.bits).id();
  }
  if (by_tensor) computed = by_tensor;
  if (format == native && model.stated_checkpoint_bytes &&
      graph.known(*model.stated_checkpoint_bytes)) {
    const FigureId stated = *model.stated_checkpoint_bytes;
    if (computed && graph.value(stated) != graph.value(*computed)) {
      notes.push_back({"conflict", Severity::warning,
                       "weights_payload: the checkpoint states " + graph.value(stated).to_string() +
                           " B, its shape in " + format->name + " gives " +
                           graph.value(*computed).to_string() +
                           " B; the checkpoint's own figure is used"});
    }
    return stated;
  }
  if (computed) return *computed;
  if (!model.inventory) {
    return unknown(format == native ? "no source states the bytes of the checkpoint"
                                    : "the shape is not known, so bytes in " + format->name +
                                          " cannot be counted");
  }
  return unknown(reason);
}

// A card's published total beside the count over its shape.
void compare_with_stated(Graph& graph, const Model& model, Figure<Count> counted,
                         std::vector<base::Note>& notes) {
  if (!model.stated_parameters || !graph.known(*model.stated_parameters)) return;
  const provenance::Node& stated = graph[*model.stated_parameters];
  for (const provenance::Claim& claim : stated.claims) {
    const exact::Rational difference = claim.quantity.value - graph.value(counted);
    const exact::Rational half = claim.last_place / exact::Rational(2);
    if (exact::max(difference, -difference) <= half) continue;
    notes.push_back({"conflict", Severity::warning,
                     "parameters: " + claim.source + " states " +
                         (claim.printed.empty() ? claim.written : claim.printed) +
                         ", the shape gives " + graph.value(counted).to_string() +
                         (claim.note.empty() ? "" : " (" + claim.note + ")")});
  }
}

void note_conflict(const Graph& graph, FigureId id, std::vector<base::Note>& notes) {
  const provenance::Node& node = graph[id];
  std::string text;
  for (const provenance::Claim& claim : node.claims) {
    if (catalog::agree(node.claims.front(), claim)) continue;
    text += "; " + claim.source + " says " + claim.written + " (" +
            std::string(name_of(claim.relation)) + ")";
  }
  if (text.empty()) return;
  notes.push_back({"conflict", Severity::warning,
                   node.name + ": " + node.claims.front().written + " of " +
                       node.claims.front().source + " is used" + text});
}

}  // namespace

base::Result<Weights> weigh(Graph& graph, const Model& model, const WeightChoice& choice,
                            catalog::Catalogue& catalogue) {
  ULLAGE_TRY(const Width chosen, width(graph, model, choice, catalogue));
  ULLAGE_TRY(const auto bits, graph.narrow<Bits>(chosen.bits));
  std::vector<base::Note> notes;
  std::optional<Counted> counted;
  std::optional<Figure<Count>> parameters;
  std::optional<Figure<Count>> stored;
  std::optional<Figure<Count>> active;
  if (model.inventory) {
    counted =
        choice.by_group ? count(graph, *model.inventory) : count_totals(graph, *model.inventory);
    parameters = counted->parameters;
    stored = counted->stored;
    active = counted->active;
    compare_with_stated(graph, model, counted->parameters, notes);
  } else {
    const auto figure =
        [&](std::optional<FigureId> id) -> base::Result<std::optional<Figure<Count>>> {
      if (!id) return std::optional<Figure<Count>>();
      ULLAGE_TRY(const auto typed, graph.narrow<Count>(*id));
      note_conflict(graph, *id, notes);
      return std::optional(typed);
    };
    ULLAGE_TRY(parameters, figure(model.stated_parameters));
    ULLAGE_TRY(stored, figure(model.stated_parameters_stored));
    ULLAGE_TRY(active, figure(model.stated_active_parameters));
    if (!parameters) {
      ULLAGE_TRY(parameters,
                 figure(graph.unknown("parameters", {}, provenance::Absence::unpublished,
                                      "the card of " + model.name + " states no total")));
    }
  }
  const auto floor = graph.derive<WeightFloor>(*parameters, bits);
  Weights weights{
      .parameters = *parameters,
      .parameters_stored = stored,
      .active_parameters = active,
      .components = counted ? std::move(counted->components) : std::vector<ComponentCount>(),
      .format = chosen.format != nullptr ? chosen.format->name : std::string(),
      .stored = nullptr,
      .bits = bits,
      .floor = floor,
      .payload = floor,
      .notes = {}};
  const catalog::StorageFormat* native = nullptr;
  if (!model.native_format.empty()) {
    if (auto found = catalogue.formats().find(model.native_format)) native = *found;
  }
  std::string unknown;
  std::optional<FigureId> by_tensor;
  const bool is_native = chosen.format != nullptr && chosen.format == native;
  const bool alike =
      chosen.format != nullptr && plain(*chosen.format) && (!is_native || model.uniform);
  const bool stated =
      is_native && model.stated_checkpoint_bytes && graph.known(*model.stated_checkpoint_bytes);
  if (counted && chosen.format != nullptr && !alike && (choice.count_stated || !stated)) {
    ULLAGE_TRY(auto form, stored_form(graph, model, *chosen.format, is_native, catalogue, unknown));
    if (form) {
      if (form->unmatched) notes.push_back(std::move(*form->unmatched));
      ULLAGE_TRY(const auto sum, checkpoint_payload(graph, form->inventory, model.plain_format,
                                                    catalogue, unknown));
      if (sum) by_tensor = sum->id();
      if (sum && !form->note.empty()) {
        notes.push_back({"kept-wider", Severity::note, std::move(form->note)});
      }
      if (sum) {
        weights.stored = std::make_shared<const model::Inventory>(std::move(form->inventory));
      }
    }
  }
  const FigureId bytes =
      payload(graph, model, weights, chosen.format, native, by_tensor, unknown, notes);
  ULLAGE_TRY(weights.payload, graph.narrow<Bytes>(bytes));
  if (chosen.format == nullptr && !choice.bits && model.floor_by_format) {
    ULLAGE_TRY(weights.floor, graph.narrow<Bytes>(*model.floor_by_format));
    weights.bits = graph.derived<Bits>(
        "bits per parameter", "weight floor × 8 ÷ parameters, over several formats", "",
        {weights.floor.id(), weights.parameters.id()},
        graph.value(weights.floor) * exact::Rational(8) / graph.value(weights.parameters));
  }
  weights.notes = std::move(notes);
  return weights;
}

}  // namespace ullage::memory
