// Reads --today, ULLAGE_TODAY and --max-age.
#include "cli/today.hpp"

#include <cstdlib>
#include <ctime>

#include "base/date.hpp"
#include "exact/rational.hpp"

namespace ullage::cli {
namespace {

constexpr std::int64_t kSecondsOfDay = 86400;
constexpr std::int64_t kMostDays = 1'000'000;

base::Diagnostic wrong(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

}  // namespace

base::Result<std::int64_t> today(const std::optional<std::string>& flag) {
  const char* variable = std::getenv("ULLAGE_TODAY");
  if (!flag && (variable == nullptr || *variable == '\0')) {
    return static_cast<std::int64_t>(std::time(nullptr)) / kSecondsOfDay;
  }
  const std::string text = flag ? *flag : variable;
  if (const auto day = base::day_number(text)) return *day;
  return wrong((flag ? "--today " : "ULLAGE_TODAY=") + base::printable(text) + " is no date",
               "YYYY-MM-DD");
}

base::Result<std::optional<std::int64_t>> max_age_flag(const std::optional<std::string>& text) {
  if (!text) return std::optional<std::int64_t>();
  std::string digits = *text;
  if (digits.ends_with('d')) digits.pop_back();
  const auto parsed = exact::Rational::parse(digits);
  const auto days = parsed ? parsed->to_int64() : std::nullopt;
  if (days && *days >= 0 && *days <= kMostDays) return days;
  return wrong("--max-age " + base::printable(*text) + " is no number of days", "`90` or `90d`");
}

}  // namespace ullage::cli
