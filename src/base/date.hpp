// Days of the calendar as numbers, so that ages can be computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ullage::base {

// Days since 1970-01-01 of a date `YYYY-MM-DD` of the Gregorian calendar; nothing where the text is
// of another form or no such day exists (2026-02-30).
std::optional<std::int64_t> day_number(std::string_view date);

// The date of a day number, `YYYY-MM-DD`, for the years 1 to 9999.
std::string date_of(std::int64_t day);

}  // namespace ullage::base
