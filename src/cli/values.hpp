// Flag texts to exact values; each error names the flag as it was typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/fit.hpp"

namespace ullage::cli {

// SIZE with its unit: `32GB`, `32GiB`.
base::Result<std::optional<plan::GivenNumber>> size_flag(const std::string& flag,
                                                         const std::optional<std::string>& text);
// `15%` or `15`, below 100.
base::Result<std::optional<plan::GivenNumber>> percent_flag(const std::string& flag,
                                                            const std::optional<std::string>& text);
// A whole number of at least 1, with the suffixes k and m.
base::Result<std::optional<plan::GivenNumber>> count_flag(const std::string& flag,
                                                          const std::optional<std::string>& text);
// Whole numbers of at least 1 between commas; empty where the flag is absent.
base::Result<std::vector<plan::GivenNumber>> count_list_flag(
    const std::string& flag, const std::optional<std::string>& text);
// A plain price in USD an hour.
base::Result<std::optional<plan::GivenNumber>> price_flag(const std::string& flag,
                                                          const std::optional<std::string>& text);
// A measured rate in tokens a second, above zero.
base::Result<std::optional<plan::GivenNumber>> token_rate_flag(
    const std::string& flag, const std::optional<std::string>& text);
// `nominal`, `visible` or a size above zero.
base::Result<plan::CapacityChoice> capacity_flag(const std::optional<std::string>& text);
// --weights and --bits: at most one of them; bits above 0 and at most 128.
base::Result<memory::WeightChoice> weight_flags(const std::optional<std::string>& weights,
                                                const std::optional<std::string>& bits);

}  // namespace ullage::cli
