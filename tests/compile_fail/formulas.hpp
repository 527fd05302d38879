// The figures that the files of this folder use and misuse.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "provenance/graph.hpp"

namespace ullage::compile_fail {

// A formula over a dense rate.
struct HalfRate {
  using Output = units::DenseRate;
  using Inputs = std::tuple<units::DenseRate>;
  static constexpr std::string_view kName = "half the rate";
  static constexpr std::string_view kFormula = "rate ÷ 2";
  static constexpr std::array<std::string_view, 1> kTerms{"rate"};
  static constexpr std::string_view kCitation = "none";
  template <class Number>
  static Number evaluate(const Number& rate) {
    return rate / Number(2);
  }
};

inline provenance::Figure<units::DenseRate> dense_rate(provenance::Graph& graph) {
  return graph.given<units::DenseRate>("dense", 667, {.where = "test", .locator = {}});
}

inline provenance::Figure<units::SparseRate> sparse_rate(provenance::Graph& graph) {
  return graph.given<units::SparseRate>("sparse", 2563, {.where = "test", .locator = {}});
}

}  // namespace ullage::compile_fail
