// Multiplies what an instance or system sums; brings the rest as it is stated.
#include "plan/device_figures.hpp"

#include "catalog/figures.hpp"
#include "memory/formulas.hpp"

namespace ullage::plan {

using catalog::EntryKind;
using catalog::FigureFact;
using catalog::FigureName;
using provenance::FigureId;

namespace {

units::Scope scope_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::instance:
      return units::Scope::instance;
    case EntryKind::system:
      return units::Scope::system;
    case EntryKind::partition:
      return units::Scope::partition;
    case EntryKind::chip:
    case EntryKind::model:
      break;
  }
  return units::Scope::chip;
}

FigureId product(provenance::Graph& graph, const FigureName& name, FigureId count,
                 std::string_view counted, FigureId one, const std::string& of,
                 units::Scope scope) {
  units::Unit unit = graph[one].unit;
  unit.scope = scope;
  exact::Rational value;
  const bool known = graph.known(count) && graph.known(one);
  if (known) value = memory::ChipsInAll::evaluate(graph.value(count), graph.value(one));
  const FigureId id =
      graph.derived(std::string(name.name), unit,
                    std::string(counted) + " × " + std::string(name.name) + " of one " + of, "",
                    {count, one}, value);
  if (known && (graph.has_range(count) || graph.has_range(one))) {
    graph.set_range(id, memory::ChipsInAll::evaluate(graph.interval(count), graph.interval(one)));
  }
  return id;
}

}  // namespace

DeviceFigures::DeviceFigures(provenance::Graph& graph, catalog::Catalogue& catalogue,
                             const catalog::Entry& entry)
    : graph_(graph), entry_(entry), parts_(parts_of(catalogue, entry)) {
  if (parts_.chip != nullptr) chips_ = catalog::bring(graph_, entry_, "chips", {});
}

bool DeviceFigures::is_sum_of_chips(const FigureName& name) const {
  return chips_ && name.aggregate && parts_.chip->figure(name.name) != nullptr;
}

bool DeviceFigures::mentions(const FigureName& name) const {
  return entry_.figure(name.name) != nullptr || is_sum_of_chips(name) ||
         (parts_.instance != nullptr && part_sum(entry_, parts_, name.name));
}

FigureId DeviceFigures::bring(const FigureName& name) {
  if (const auto found = made_.find(name.name); found != made_.end()) return found->second;
  return made_.emplace(name.name, make(name)).first->second;
}

FigureId DeviceFigures::make(const FigureName& name) {
  if (name.name == "chips" && chips_) return *chips_;
  if (name.name == "chips" && entry_.kind == EntryKind::chip) {
    return graph_.unknown("chips", {.dimension = units::kNumber}, provenance::Absence::unsupported,
                          entry_.id + " is one chip");
  }
  if (is_sum_of_chips(name)) return sum_of_chips(name);
  const FigureFact* fact = entry_.figure(name.name);
  if (fact != nullptr && fact->known()) return catalog::bring(graph_, *fact);
  if (const auto sum = part_sum(entry_, parts_, name.name); sum && sum->of == parts_.instance) {
    return sum_of_instances(name);
  }
  return catalog::bring(
      graph_, entry_, name.name,
      {.dimension = name.dimension,
       .kind = name.kind,
       .scope = name.scope == units::Scope::chip ? scope_of(entry_.kind) : name.scope});
}

FigureId DeviceFigures::sum_of_chips(const FigureName& name) {
  const FigureId one = catalog::bring(graph_, *parts_.chip->figure(name.name));
  const FigureId id =
      product(graph_, name, *chips_, "chips", one, parts_.chip->id, scope_of(entry_.kind));
  const FigureFact* printed = entry_.figure(name.name);
  if (printed == nullptr || !printed->known()) return id;
  graph_.keep_beside(id, printed->claims);
  if (!printed->note.empty()) graph_.annotate(id, printed->note);
  return id;
}

FigureId DeviceFigures::sum_of_instances(const FigureName& name) {
  const FigureId count = bring(*catalog::find_hardware_figure("instances"));
  const FigureId one = catalog::bring(graph_, *parts_.instance->figure(name.name));
  return product(graph_, name, count, "instances", one, parts_.instance->id, scope_of(entry_.kind));
}

}  // namespace ullage::plan
