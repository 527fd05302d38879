// FLOPs against peak rates: time that a step takes at least, and the share of the peak that a
// measured run achieves. Only dense rates are peaks; a sparse one has a type of its own.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "compute/flops.hpp"

namespace ullage::compute {

struct TokenRate : units::Measure<units::kTokenRate> {};
struct Seconds : units::Measure<units::kSeconds> {};

// Tokens a second of all devices together at a share of their dense peak.
struct TokensPerSecond {
  using Inputs = std::tuple<units::Count, units::DenseRate, units::Share, FlopsPerToken>;
  using Output = TokenRate;
  static constexpr std::string_view kName = "tokens a second";
  static constexpr std::string_view kFormula = "devices × dense peak × MFU ÷ FLOPs of a token";
  static constexpr std::array<std::string_view, 4> kTerms{"devices", "dense peak", "MFU",
                                                          "FLOPs of a token"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& devices, const N& peak, const N& share, const N& flops) {
    return devices * peak * share / flops;
  }
};

// The same of a sparse peak, for structurally sparse weights.
struct SparseTokensPerSecond {
  using Inputs = std::tuple<units::Count, units::SparseRate, units::Share, FlopsPerToken>;
  using Output = TokenRate;
  static constexpr std::string_view kName = "tokens a second, with sparsity";
  static constexpr std::string_view kFormula = "devices × sparse peak × MFU ÷ FLOPs of a token";
  static constexpr std::array<std::string_view, 4> kTerms{"devices", "sparse peak", "MFU",
                                                          "FLOPs of a token"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& devices, const N& peak, const N& share, const N& flops) {
    return devices * peak * share / flops;
  }
};

// Time for a number of tokens.
struct TimeForTokens {
  using Inputs = std::tuple<units::Tokens, TokenRate>;
  using Output = Seconds;
  static constexpr std::string_view kName = "time";
  static constexpr std::string_view kFormula = "tokens ÷ tokens a second";
  static constexpr std::array<std::string_view, 2> kTerms{"tokens", "tokens a second"};
  static constexpr std::string_view kCitation = "";
  template <class N>
  static N evaluate(const N& tokens, const N& rate) {
    return tokens / rate;
  }
};

// Model FLOPs utilisation (PaLM, arXiv 2204.02311, appendix B): achieved ÷ dense peak.
struct Utilisation {
  using Inputs = std::tuple<TokenRate, FlopsPerToken, units::Count, units::DenseRate>;
  using Output = units::Share;
  static constexpr std::string_view kName = "utilisation of the dense peak";
  static constexpr std::string_view kFormula =
      "tokens a second × FLOPs of a token ÷ (devices × dense peak)";
  static constexpr std::array<std::string_view, 4> kTerms{"tokens a second", "FLOPs of a token",
                                                          "devices", "dense peak"};
  static constexpr std::string_view kCitation = "PaLM (arXiv 2204.02311), appendix B";
  template <class N>
  static N evaluate(const N& rate, const N& flops, const N& devices, const N& peak) {
    return rate * flops / (devices * peak);
  }
};

}  // namespace ullage::compute
