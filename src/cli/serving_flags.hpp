// Flags of a serving workload, which `kv` and `fit` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "plan/serve.hpp"

namespace ullage::cli {

struct ServingArguments {
  std::optional<std::string> engine;
  std::optional<std::string> kv_dtype;
  std::optional<std::string> context;
  std::optional<std::string> concurrency;
  std::optional<std::string> tp;
  std::optional<std::string> pp;
  std::optional<std::string> dp;
  std::optional<std::string> ep;
  std::optional<std::string> cp;
  std::optional<std::string> layer_split;
  std::optional<std::string> block_size;
  std::optional<std::string> batched_tokens;
  std::optional<std::string> speculative_tokens;
  std::optional<std::string> prefix_caching;
  std::optional<std::string> cache_mode;
  std::optional<std::string> ubatch;
  std::optional<std::string> mla;
  bool swa_full = false;
  std::optional<std::string> draft;
  std::optional<std::string> lora_adapters;
  std::optional<std::string> lora_rank;
  std::vector<std::string> overheads;
  std::optional<std::string> utilization;
  std::optional<std::string> role;
  std::optional<std::string> vision_tokens;
  std::optional<std::string> weights_on_host;
  std::optional<std::string> kv_on_host;

  // The flags, with these members as their targets.
  std::vector<Flag> flags();
  // What they say. Error usage naming the flag.
  base::Result<plan::ServeChoice> choice() const;
};

// `0.9`, as a share of a device: above 0 and at most 1. Error usage.
base::Result<std::optional<plan::GivenNumber>> utilization_flag(
    const std::optional<std::string>& text);

// `activations=2GiB`. Error usage.
base::Result<plan::Overhead> overhead_flag(const std::string& text);

}  // namespace ullage::cli
