// The formulas of weights and budgets. Each is written once over the number type: figures are
// derived with it, batches and intervals evaluate the same template.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "units/measure.hpp"

namespace ullage::memory {

// Raw parameters × bits ÷ 8: no scales, no padding. Exact; no rounding.
struct WeightFloor {
  using Inputs = std::tuple<units::Count, units::Bits>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "weight floor";
  static constexpr std::string_view kFormula = "parameters × bits ÷ 8";
  static constexpr std::array<std::string_view, 2> kTerms{"parameters", "bits"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& parameters, const N& bits) {
    return parameters * bits / N(8);
  }
};

// Bytes of a checkpoint whose every tensor is stored in one format without scales.
struct UniformPayload {
  using Inputs = std::tuple<units::Count, units::Bits>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "weight payload";
  static constexpr std::string_view kFormula = "stored parameters × bits ÷ 8";
  static constexpr std::array<std::string_view, 2> kTerms{"stored parameters", "bits"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& parameters, const N& bits) {
    return parameters * bits / N(8);
  }
};

// What of a device may be used.
struct DeviceBudget {
  using Inputs = std::tuple<units::Capacity, units::Share>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "device budget";
  static constexpr std::string_view kFormula = "capacity × (1 − reserve)";
  static constexpr std::array<std::string_view, 2> kTerms{"capacity", "reserve"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& capacity, const N& reserve) {
    return capacity * (N(1) - reserve);
  }
};

// Weights and working memory, over all devices.
struct RequiredMemory {
  using Inputs = std::tuple<units::Bytes, units::Bytes>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "required memory";
  static constexpr std::string_view kFormula = "weights + working memory";
  static constexpr std::array<std::string_view, 2> kTerms{"weights", "working memory"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& weights, const N& working) {
    return weights + working;
  }
};

// The arithmetic minimum of devices under perfectly balanced sharding; at least one.
struct DevicesLowerBound {
  using Inputs = std::tuple<units::Bytes, units::Bytes>;
  using Output = units::Count;
  static constexpr std::string_view kName = "devices, lower bound";
  static constexpr std::string_view kFormula = "⌈required memory ÷ device budget⌉, at least 1";
  static constexpr std::array<std::string_view, 2> kTerms{"required memory", "device budget"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& required, const N& budget) {
    return max(N(1), (required / budget).ceil());
  }
};

// Instances or systems that hold a number of chips.
struct InstancesLowerBound {
  using Inputs = std::tuple<units::Count, units::Count>;
  using Output = units::Count;
  static constexpr std::string_view kName = "instances, lower bound";
  static constexpr std::string_view kFormula = "⌈chips, lower bound ÷ chips of one⌉";
  static constexpr std::array<std::string_view, 2> kTerms{"chips, lower bound", "chips of one"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& chips, const N& chips_of_one) {
    return (chips / chips_of_one).ceil();
  }
};

// Chips in a number of instances or systems.
struct ChipsInAll {
  using Inputs = std::tuple<units::Count, units::Count>;
  using Output = units::Count;
  static constexpr std::string_view kName = "chips";
  static constexpr std::string_view kFormula = "count × chips of one";
  static constexpr std::array<std::string_view, 2> kTerms{"count", "chips of one"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& count, const N& chips_of_one) {
    return count * chips_of_one;
  }
};

// What stays free on each device when the need is shared evenly; negative where it does not fit.
struct HeadroomPerDevice {
  using Inputs = std::tuple<units::Bytes, units::Bytes, units::Count>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "headroom per device";
  static constexpr std::string_view kFormula = "device budget − required memory ÷ devices";
  static constexpr std::array<std::string_view, 3> kTerms{"device budget", "required memory",
                                                          "devices"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& budget, const N& required, const N& devices) {
    return budget - required / devices;
  }
};

// The same on an instance or system: shared by all of its chips.
struct HeadroomPerChip {
  using Inputs = std::tuple<units::Bytes, units::Bytes, units::Count>;
  using Output = units::Bytes;
  static constexpr std::string_view kName = "headroom per chip";
  static constexpr std::string_view kFormula = "device budget − required memory ÷ chips in all";
  static constexpr std::array<std::string_view, 3> kTerms{"device budget", "required memory",
                                                          "chips in all"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& budget, const N& required, const N& chips) {
    return HeadroomPerDevice::evaluate(budget, required, chips);
  }
};

// Cost of a number of devices at a price that the user gives.
struct CostRate {
  using Inputs = std::tuple<units::Count, units::DollarRate>;
  using Output = units::DollarRate;
  static constexpr std::string_view kName = "cost of the lower bound";
  static constexpr std::string_view kFormula = "devices × price of one";
  static constexpr std::array<std::string_view, 2> kTerms{"devices", "price of one"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& devices, const N& price) {
    return devices * price;
  }
};

}  // namespace ullage::memory
