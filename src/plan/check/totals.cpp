// Totals over the devices of a plan.
#include "memory/formulas.hpp"
#include "plan/check/need.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using provenance::Figure;
using provenance::FigureId;
using units::Bytes;
using units::Count;

// A rank's figure × the ranks that the layout has.
Figure<Bytes> over_ranks(Subject& subject, const char* name, Figure<Bytes> of_rank,
                         FigureId ranks) {
  const Rational each =
      subject.graph.known(of_rank.id()) ? subject.graph.value(of_rank) : Rational{0};
  return subject.graph.derived<Bytes>(name, "of one rank × ranks", "", {of_rank.id(), ranks},
                                      each * subject.graph.value(ranks));
}

std::optional<FigureId> devices_figure(Subject& subject) {
  const auto& devices = subject.workload.devices;
  if (!devices) return std::nullopt;
  const std::string where =
      subject.choice.devices ? subject.choice.devices->where : text_of(devices->where);
  return subject.graph.given<Count>("devices", devices->value, {where, ""}).id();
}

// The ranks of the layout, from its degrees.
FigureId ranks_figure(Subject& subject) {
  const Workload& workload = subject.workload;
  std::vector<FigureId> inputs;
  const auto add = [&](const char* name, const std::optional<Number>& stated,
                       const Rational& value) {
    if (stated) {
      inputs.push_back(
          subject.graph.given<Count>(name, value, {text_of(stated->where), name}).id());
    } else {
      inputs.push_back(
          subject.graph.assumed<Count>(name, value, "what is left of the devices, or 1").id());
    }
  };
  add("tp", workload.tp, subject.ranks.tp);
  add("pp", workload.pp, subject.ranks.pp);
  add("cp", workload.cp, subject.ranks.cp);
  if (!workload.attention_dp) add("dp", workload.dp, subject.ranks.dp);
  return subject.graph
      .derived<Count>("ranks", "tensor × pipeline × context × data parallel", "", inputs,
                      *subject.ranks.needed)
      .id();
}

// Devices that would do under perfectly balanced sharding.
void add_lower_bound(Subject& subject, Figure<Bytes> required) {
  if (!subject.budget || !subject.graph.known(subject.budget->id())) return;
  if (subject.graph.value(*subject.budget).sign() <= 0) return;
  const auto of_device = subject.graph.derived<Bytes>(
      "budget of one device", "budget of one rank × ranks of one device", "",
      {subject.budget->id()}, subject.graph.value(*subject.budget) * subject.place.ranks);
  const auto bound = subject.graph.derive<memory::DevicesLowerBound>(required, of_device);
  subject.add("devices_min", bound.id());
}

void add_headroom(Subject& subject, Figure<Bytes> available, Figure<Bytes> required) {
  const bool known = subject.graph.known(available.id()) && subject.graph.known(required.id());
  const Rational left =
      known ? subject.graph.value(available) - subject.graph.value(required) : Rational{0};
  subject.add("headroom", subject.graph
                              .derived<Bytes>("headroom", "available memory − required memory", "",
                                              {available.id(), required.id()}, left)
                              .id());
}

void add_of_rank(Subject& subject, Figure<Bytes> required) {
  subject.add("required_memory_per_device", required.id());
  if (!subject.budget) return;
  subject.add("budget_per_device", subject.budget->id());
  const bool known =
      subject.graph.known(subject.budget->id()) && subject.graph.known(required.id());
  const Rational left =
      known ? subject.graph.value(*subject.budget) - subject.graph.value(required) : Rational{0};
  subject.add("headroom_per_device",
              subject.graph
                  .derived<Bytes>("headroom per device", "budget − required memory", "",
                                  {subject.budget->id(), required.id()}, left)
                  .id());
}

}  // namespace

void add_totals(Subject& subject) {
  const auto devices = devices_figure(subject);
  if (devices) subject.add("devices", *devices);
  if (subject.required_total) {
    subject.add("required_memory", subject.required_total->id());
    if (subject.budget) {
      subject.add("budget_per_device", subject.budget->id());
      if (devices) {
        const FigureId ranks =
            subject.graph
                .derived<Count>("ranks of the devices", "devices × ranks of one device", "",
                                {*devices}, subject.graph.value(*devices) * subject.place.ranks)
                .id();
        subject.available_total = over_ranks(subject, "available memory", *subject.budget, ranks);
        subject.add("available_memory", subject.available_total->id());
        add_headroom(subject, *subject.available_total, *subject.required_total);
      }
    }
    add_lower_bound(subject, *subject.required_total);
    return;
  }
  const auto required = subject.is_training() ? subject.training.floor : subject.serving.one;
  if (!required) return;
  add_of_rank(subject, *required);
  if (!subject.ranks.needed) return;
  const FigureId ranks = ranks_figure(subject);
  const auto total = over_ranks(subject, "required memory", *required, ranks);
  subject.add("required_memory", total.id());
  if (subject.budget) {
    // What the file's devices have, or those that the layout needs where it counts none.
    const Rational given = subject.ranks.given.value_or(*subject.ranks.needed);
    const FigureId of_file =
        subject.graph
            .derived<Count>(
                "ranks of the devices", "devices × ranks of one device", "",
                devices ? std::vector<FigureId>{*devices} : std::vector<FigureId>{ranks}, given)
            .id();
    const auto available = over_ranks(subject, "available memory", *subject.budget, of_file);
    subject.add("available_memory", available.id());
    add_headroom(subject, available, total);
  }
  if (subject.result("devices_min") == nullptr) add_lower_bound(subject, total);
}

}  // namespace ullage::plan
