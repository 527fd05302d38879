// The table of engines.
#include "engine/engines.hpp"

#include <array>
#include <vector>

#include "base/spelling.hpp"
#include "engine/ideal.hpp"
#include "engine/llamacpp.hpp"
#include "engine/neuronx.hpp"
#include "engine/sglang.hpp"
#include "engine/trtllm.hpp"
#include "engine/vllm.hpp"

namespace ullage::engine {
namespace {

std::optional<Utilization> no_utilization(const Version&) {
  return std::nullopt;
}

constexpr std::array kEngines{
    Engine{"ideal", "arithmetic alone: no blocks, no padding, nothing reserved", no_utilization,
           ideal_cache_rules, allocate_ideal},
    Engine{"vllm", "paged blocks (V0), groups of layers over one pool (V1)", vllm_utilization,
           vllm_cache_rules, allocate_vllm},
    Engine{"sglang", "token slots in pages, pools of their own for windows and states",
           sglang_utilization, sglang_cache_rules, allocate_sglang},
    Engine{"trtllm", "blocks of tokens, rounded up", trtllm_utilization, trtllm_cache_rules,
           allocate_trtllm},
    Engine{"llamacpp", "cells of a whole context, allocated at the start", llamacpp_utilization,
           llamacpp_cache_rules, allocate_llamacpp},
    Engine{"neuronx", "static caches on each rank", neuronx_utilization, neuronx_cache_rules,
           allocate_neuronx},
};

}  // namespace

std::span<const Engine> engines() {
  return kEngines;
}

base::Result<EngineChoice> find_engine(std::string_view text) {
  const auto at = text.find('@');
  const std::string_view name = text.substr(0, at);
  EngineChoice choice;
  choice.text = text;
  if (at != std::string_view::npos) {
    auto version = parse_version(text.substr(at + 1));
    if (!version) {
      base::Diagnostic fault = std::move(version).error();
      fault.message = "--engine " + base::printable(text) + ": " + fault.message;
      return fault;
    }
    choice.version = *version;
  }
  std::vector<std::string_view> names;
  for (const Engine& engine : kEngines) {
    names.push_back(engine.name);
    if (engine.name == name) choice.engine = &engine;
  }
  if (choice.engine != nullptr) return choice;
  const auto close = base::nearest(name, names, 2);
  std::string known;
  for (const std::string_view each : names)
    known += (known.empty() ? "" : ", ") + std::string(each);
  return base::Diagnostic{
      .code = base::Code::usage,
      .message = "--engine " + base::printable(text) + ": unknown engine " + base::printable(name),
      .span = {},
      .hint = close.empty() ? "known: " + known : base::did_you_mean(close),
      .notes = {}};
}

}  // namespace ullage::engine
