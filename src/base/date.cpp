// Civil dates to day numbers and back, counted from 1 March so that the leap day is the last one.
#include "base/date.hpp"

#include <array>

namespace ullage::base {
namespace {

constexpr std::int64_t kDaysOf400Years = 146097;
constexpr std::int64_t kEpoch = 719468;  // days from 0000-03-01 to 1970-01-01

std::optional<std::int64_t> digits(std::string_view text) {
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

std::int64_t days_in(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
}

std::string padded(std::int64_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return std::string(text.size() < width ? width - text.size() : 0, '0') + text;
}

}  // namespace

std::optional<std::int64_t> day_number(std::string_view date) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto year = digits(date.substr(0, 4));
  const auto month = digits(date.substr(5, 2));
  const auto day = digits(date.substr(8, 2));
  if (!year || !month || !day || *year < 1 || *month < 1 || *month > 12) return std::nullopt;
  if (*day < 1 || *day > days_in(*year, *month)) return std::nullopt;
  const std::int64_t from_march = *month > 2 ? *year : *year - 1;
  const std::int64_t era = from_march / 400;
  const std::int64_t year_of_era = from_march % 400;
  const std::int64_t day_of_year = (153 * (*month + (*month > 2 ? -3 : 9)) + 2) / 5 + *day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysOf400Years + day_of_era - kEpoch;
}

std::string date_of(std::int64_t day) {
  const std::int64_t shifted = day + kEpoch;
  const std::int64_t era = shifted / kDaysOf400Years;
  const std::int64_t day_of_era = shifted % kDaysOf400Years;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int64_t month = shifted_month + (shifted_month < 10 ? 3 : -9);
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return padded(year, 4) + "-" + padded(month, 2) + "-" +
         padded(day_of_year - (153 * shifted_month + 2) / 5 + 1, 2);
}

}  // namespace ullage::base
