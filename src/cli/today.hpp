// The day from which ages are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace ullage::cli {

// The base::day_number of `--today DATE`, else of ULLAGE_TODAY, else of the machine's clock (UTC).
// Error usage where the flag or the variable holds no date.
base::Result<std::int64_t> today(const std::optional<std::string>& flag);

// `90` or `90d` of `--max-age`: a whole number of days. Nothing where the flag is absent.
base::Result<std::optional<std::int64_t>> max_age_flag(const std::optional<std::string>& text);

}  // namespace ullage::cli
