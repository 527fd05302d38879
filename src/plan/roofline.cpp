// Lower bounds from the pinned bandwidth and dense rate.
#include "plan/roofline.hpp"

#include "catalog/figures.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;
using provenance::FigureId;
using provenance::Graph;

constexpr units::Unit kSeconds{.dimension = units::kSeconds};

// The rate that weights of a format are multiplied at: 8-bit floats where the device has them and
// weights are stored so, else 16 bits.
std::string_view rate_name(const std::string& format) {
  return format.starts_with("fp8") || format == "mxfp8" ? "dense_fp8" : "dense_bf16";
}

}  // namespace

void add_roofline(Graph& graph, const Roofline& roofline, provenance::Row& row) {
  const memory::Weights& weights = roofline.weights;
  const Serving& serving = roofline.serving;
  if (!serving.cache_total || !weights.active_parameters) return;
  const FigureId bandwidth = catalog::bring(
      graph, *roofline.device.chip, "memory_bandwidth",
      {.dimension = units::kByteRate, .kind = units::Kind::memory, .scope = units::Scope::chip});
  const FigureId active = weights.active_parameters->id();
  const FigureId chips = roofline.chips.id();
  const FigureId cache = serving.cache_total->id();
  const auto known = [&](std::initializer_list<FigureId> ids) {
    for (const FigureId id : ids) {
      if (!graph.known(id)) return false;
    }
    return true;
  };
  // A rate of zero bounds nothing; `lint` finds it.
  for (const FigureId rate : {bandwidth, chips}) {
    if (graph.known(rate) && graph.value(rate).is_zero()) return;
  }
  Rational decode;
  if (known({active, weights.bits.id(), cache, bandwidth, chips})) {
    decode = (graph.value(active) * graph.value(weights.bits) / Rational(8) + graph.value(cache)) /
             (graph.value(bandwidth) * graph.value(chips));
  }
  if (roofline.role != Role::prefill) {
    row.results.push_back(
        {"decode_step_min",
         graph.derived("decode step, lower bound", kSeconds,
                       "(active parameters × bits ÷ 8 + cache and state) ÷ (bandwidth × devices)",
                       "", {active, weights.bits.id(), cache, bandwidth, chips}, decode)});
  }
  const std::string rate(rate_name(weights.format));
  const FigureId dense = catalog::bring(
      graph, *roofline.device.chip, rate,
      {.dimension = units::kFlopRate, .kind = units::Kind::dense, .scope = units::Scope::chip});
  if (graph.known(dense) && graph.value(dense).is_zero()) return;
  const FigureId context = serving.workload.context->figure;
  Rational prefill;
  if (known({active, dense, context, chips})) {
    prefill = Rational(2) * graph.value(active) * graph.value(context) /
              (graph.value(dense) * graph.value(chips));
  }
  if (roofline.role != Role::decode) {
    row.results.push_back(
        {"prefill_min", graph.derived("prefill of one sequence, lower bound", kSeconds,
                                      "2 × active parameters × context ÷ (" + rate + " × devices)",
                                      "", {active, context, dense, chips}, prefill)});
  }
  row.notes.push_back({"bound-not-prediction", base::Severity::note,
                       "decode_step_min and prefill_min are bounds, not predictions: attention, "
                       "communication and everything that is not perfect come on top"});
}

}  // namespace ullage::plan
